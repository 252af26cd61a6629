// Receive ports: messages of all their channels.
#define _GNU_SOURCE
#include "node.h"
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { FOR_EVER = 1 << 30, CLOSE_MILLIS = 2000 };

// The next frame of a channel. Returns its flags.
static int receive_frame(ibidem_receive_port *port, struct channel *channel, size_t *length, int64_t end) {
    uint8_t head[4];
    int rc = receive_all(channel->fd, head, sizeof head, end);
    if (rc < 0) return rc;
    *length = head[0] | (size_t) head[1] << 8 | (size_t) head[2] << 16;
    if (*length > channel->frame || head[3] & ~(MORE | END | ABANDONED)) {
        return fail_with(IBIDEM_LOST, "a frame that does not obey its format");
    }
    rc = receive_all(channel->fd, port->frame, *length, end);
    return rc < 0 ? rc : head[3];
}

static void lose(ibidem_receive_port *port, const struct channel *channel) {
    port->lost = channel->peer;
    port->has_lost = 1;
}

static void ended(ibidem_receive_port *port, struct channel *channel) {
    pthread_mutex_lock(&port->node->lock);
    drop_channel(port, channel);
    pthread_mutex_unlock(&port->node->lock);
}

// Gives the reader the next frame of the message that is read.
static int next(void *whom, struct reader *reader) {
    ibidem_receive_port *port = whom;
    size_t length;
    int flags = receive_frame(port, port->current, &length, now_millis() + FOR_EVER);
    reader->left = 0;
    reader->more = 0;
    if (flags < 0 || flags & END) {
        lose(port, port->current);
        ended(port, port->current);
        return flags < 0 ? flags : fail_with(IBIDEM_LOST, "a channel ended within a message");
    }
    if (flags & ABANDONED) return fail_with(IBIDEM_MISMATCH, "its sender gave the message up");
    reader->at = port->frame;
    reader->left = length;
    reader->more = flags & MORE;
    return 0;
}

// only: for whom alone; NULL: for all.
static int open_port(ibidem_node *node, const char *name, const struct ibidem_type *type, const uint8_t *only, ibidem_receive_port **port) {
    ibidem_receive_port *made = calloc(1, sizeof *made);
    int rc = made ? type_of(type, name, &made->type) : fail_with(IBIDEM_INVALID, "no memory");
    *port = NULL;
    if (rc < 0) {
        free(made);
        return rc;
    }
    made->node = node;
    strcpy(made->name, name);
    made->for_one = only != NULL;
    if (only) memcpy(made->only, only, ID);
    made->frame = malloc(LARGEST_FRAME);
    made->poll = epoll_create1(EPOLL_CLOEXEC);
    made->reader.next = next;
    made->reader.whom = made;
    pthread_mutex_lock(&node->lock);
    int taken = 0;
    for (ibidem_receive_port *one = node->receivers; one; one = one->next) taken |= strcmp(one->name, name) == 0;
    if (!taken && made->frame && made->poll >= 0) {
        made->next = node->receivers;
        node->receivers = *port = made;
        node_changed(node);
    }
    pthread_mutex_unlock(&node->lock);
    if (*port) return 0;
    if (made->poll >= 0) close(made->poll);
    free(made->frame);
    free(made);
    return taken ? fail_with(IBIDEM_INVALID, "there is a receive port '%s' already", name) : fail_with(IBIDEM_INVALID, "no memory");
}

int ibidem_receive_port_open(ibidem_node *node, const char *name, const struct ibidem_type *type, ibidem_receive_port **port) {
    return open_port(node, name, type, NULL, port);
}

int ibidem_receive_port_open_only(ibidem_node *node, const char *name, const struct ibidem_type *type, int rank, ibidem_receive_port **port) {
    uint8_t only[ID];
    int rc = member_of_rank(node, rank, only, now_millis());
    *port = NULL;
    return rc < 0 ? rc : open_port(node, name, type, only, port);
}

// Reads what comes until the channel's end.
static void drain(ibidem_receive_port *port, struct channel *channel, int64_t end) {
    size_t length;
    int flags = 0;
    while (channel->fd >= 0 && flags >= 0 && !(flags & END)) flags = receive_frame(port, channel, &length, end);
}

void ibidem_receive_port_close(ibidem_receive_port *port) {
    ibidem_node *node = port->node;
    pthread_mutex_lock(&node->lock);
    ibidem_receive_port **at = &node->receivers;
    while (*at != port) at = &(*at)->next;
    *at = port->next; // nobody gets a channel any more
    pthread_mutex_unlock(&node->lock);
    int64_t end = now_millis() + CLOSE_MILLIS;
    while (port->channels) {
        uint8_t room[64];
        struct out out = {.bytes = room, .size = sizeof room};
        put_i32(&out, port->channels->number);
        put_text(&out, "the receive port was closed");
        if (send_note(node, port->channels->peer.id, CLOSE, &out) == 0) drain(port, port->channels, end);
        ended(port, port->channels);
    }
    close(port->poll);
    free(port->frame);
    free(port);
}

// Skips what is left of a message.
static int finish(ibidem_receive_port *port) {
    while (port->current && port->reader.more) {
        int rc = next(port, &port->reader);
        if (rc == IBIDEM_LOST || rc == IBIDEM_TIMEOUT) return rc;
    }
    port->current = NULL;
    port->reader = (struct reader) {.next = next, .whom = port};
    return 0;
}

// A channel from which something can be read: an epoll puts each that it has told of behind the others.
// NULL: the time is over. Only this thread drops those that are in it.
static struct channel *ready(ibidem_receive_port *port, int millis) {
    struct epoll_event event;
    return epoll_wait(port->poll, &event, 1, millis) == 1 ? event.data.ptr : NULL;
}

int ibidem_descriptor(ibidem_receive_port *port) {
    return port->poll;
}

int ibidem_receive(ibidem_receive_port *port, int millis) {
    int64_t end = now_millis() + (millis < 0 ? FOR_EVER : millis);
    int rc = finish(port);
    if (rc < 0) return rc;
    do {
        size_t length;
        struct channel *channel = ready(port, left_until(end));
        if (!channel) continue;
        int flags = receive_frame(port, channel, &length, now_millis() + FOR_EVER);
        if (flags < 0 || flags & END) {
            if (flags < 0) lose(port, channel);
            ended(port, channel);
            if (flags < 0) return fail_with(IBIDEM_LOST, "a sender is gone");
        } else if (!(flags & ABANDONED)) {
            port->current = channel;
            reader_begin(&port->reader, port->frame, length, flags & MORE);
            return 0;
        }
    } while (left_until(end));
    return fail_with(IBIDEM_TIMEOUT, "no message has come");
}

int ibidem_lost_sender(ibidem_receive_port *port, struct ibidem_peer *sender) {
    int rc = port->has_lost ? give_peer(port->node, &port->lost, sender) : 0;
    if (rc < 0 || !port->has_lost) return rc;
    port->has_lost = 0;
    return 1;
}

// ---- reading ----

static int reads(const ibidem_receive_port *port) {
    return port->current ? 0 : fail_with(IBIDEM_INVALID, "no message is being read");
}

int ibidem_sender(ibidem_receive_port *port, struct ibidem_peer *sender) {
    int rc = reads(port);
    return rc < 0 ? rc : give_peer(port->node, &port->current->peer, sender);
}

int ibidem_get(ibidem_receive_port *port, enum ibidem_kind kind, void *values, size_t count) {
    int rc = kind_fits(kind, &port->type);
    if (rc == 0) rc = reads(port);
    return rc < 0 ? rc : read_values(&port->reader, kind, values, count);
}

int ibidem_get_array(ibidem_receive_port *port, enum ibidem_kind kind, void *values, size_t count) {
    int rc = kind_fits(kind, &port->type);
    if (rc == 0) rc = reads(port);
    return rc < 0 ? rc : read_array(&port->reader, kind, values, count);
}

int64_t ibidem_array(ibidem_receive_port *port, enum ibidem_kind kind) {
    int rc = kind_fits(kind, &port->type);
    if (rc == 0) rc = reads(port);
    return rc < 0 ? rc : read_length(&port->reader, kind);
}

int64_t ibidem_string(ibidem_receive_port *port) {
    int rc = reads(port);
    return rc < 0 ? rc : read_length(&port->reader, STRING);
}

int64_t ibidem_get_string(ibidem_receive_port *port, char *text, size_t size) {
    int rc = kind_fits(IBIDEM_INT, &port->type);
    if (rc == 0) rc = reads(port);
    return rc < 0 ? rc : read_string(&port->reader, text, size);
}
