// Send ports and receive ports: docs/wire/ports.md, over channels whose stack is "tcp".
#define _GNU_SOURCE
#include "node.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static const char STACK_TCP[] = "tcp", VERSIONS[] = "tcp 1";

enum { NO_PORT = 0, TYPES_DIFFER = 1, HAS_ONE = 2, UNWANTED = 4, NO_LINK = 255, NO_KIND = 254 };
enum { NUMBERED = 1 << 6, TOTAL = 1 << 7, RELIABLE = 1 << 8, UNCHECKED = 1 << 11 };

int type_of(const struct ibidem_type *given, const char *name, struct port_type *type) {
    struct ibidem_type as;
    int rc = take_struct(given, &as, sizeof as, END_OF(struct ibidem_type, stack), "ibidem_type");
    if (rc < 0) return rc;
    if (!as.name) as.name = "";
    if (!as.stack) as.stack = STACK_TCP;
    if (!name || !*name || strlen(name) > 255 || strlen(as.name) > 255 || strlen(as.stack) > 1024) {
        return fail_with(IBIDEM_INVALID, "a port has a name of 1 to 255 bytes, its type one of 255 at most");
    }
    if (as.capabilities & (NUMBERED | TOTAL | UNCHECKED) || !(as.capabilities & RELIABLE)) {
        return fail_with(IBIDEM_INVALID, "the library of C knows reliable ports that are not numbered, total or unchecked");
    }
    strcpy(type->name, as.name);
    strcpy(type->stack, as.stack);
    type->connections = as.connections;
    type->capabilities = as.capabilities;
    type->data = as.bytes_only ? 0 : 1;
    return 0;
}

int kind_fits(enum ibidem_kind kind, const struct port_type *type) {
    if (kind > IBIDEM_DOUBLE) return fail_with(IBIDEM_INVALID, "there is no kind %d", (int) kind);
    return type->data || kind == IBIDEM_BYTE ? 0 : fail_with(IBIDEM_INVALID, "this port carries bytes alone");
}

// ---- what others ask for; with the node's lock ----

static void refused(struct opened *opened, int code, int64_t state, const char *why) {
    opened->code = code;
    opened->state = state;
    snprintf(opened->why, sizeof opened->why, "%s", why);
}

static ibidem_receive_port *port_named(ibidem_node *node, const char *name) {
    ibidem_receive_port *port = node->receivers;
    while (port && strcmp(port->name, name) != 0) port = port->next;
    return port;
}

static int fits(const struct port_type *type, const struct port_request *asked) {
    return strcmp(type->name, asked->name) == 0 && type->connections == asked->connections
           && type->capabilities == asked->capabilities && type->data == asked->data
           && strcmp(type->stack, asked->stack) == 0;
}

// How many channels there are, without those that never came.
static unsigned channels_of(ibidem_receive_port *port) {
    unsigned count = 0;
    for (struct channel **at = &port->channels; *at;) {
        struct channel *one = *at;
        if (one->fd < 0 && now_millis() - one->made > OPEN_MILLIS) {
            *at = one->next;
            free(one);
        } else {
            count++;
            at = &one->next;
        }
    }
    return count;
}

static int is_channel(const ibidem_node *node, int32_t number) {
    for (const ibidem_receive_port *port = node->receivers; port; port = port->next) {
        for (const struct channel *one = port->channels; one; one = one->next) {
            if (one->number == number) return 1;
        }
    }
    return 0;
}

int32_t next_channel(ibidem_node *node) {
    int32_t number = node->last_channel;
    do number = number == INT32_MAX ? 1 : number + 1;
    while (is_channel(node, number));
    node->last_channel = number;
    return number;
}

void port_asked(ibidem_node *node, const uint8_t peer[ID], const struct open *open, struct opened *opened) {
    struct port_request asked;
    struct in in = {open->request, open->request_length, 0};
    if (strcmp(open->kind, "port") != 0) {
        refused(opened, NO_KIND, -1, "a node of the library of C has ports alone");
    } else if (strcmp(open->stack, STACK_TCP) != 0 || strcmp(open->versions, VERSIONS) != 0 || open->order != byte_order()) {
        refused(opened, NO_LINK, -1, "a node of the library of C speaks the stack 'tcp', version 1, in its own byte order");
    } else if (decode_port_request(&in, &asked) != 0) {
        refused(opened, NO_LINK, -1, "a request of a port that does not obey its format");
    } else {
        ibidem_receive_port *port = port_named(node, asked.receive);
        if (port && port->for_one && memcmp(port->only, peer, ID) != 0) {
            refused(opened, UNWANTED, -1, "it is opened for another node alone: connect to a port that is for all, or for this node");
            return;
        }
        unsigned count = port ? channels_of(port) : 0;
        int one = port && (port->type.connections == IBIDEM_ONE_TO_ONE || port->type.connections == IBIDEM_ONE_TO_MANY);
        struct channel *channel = port && count < (one ? 1 : MOST_CHANNELS) && fits(&port->type, &asked) ? calloc(1, sizeof *channel) : NULL;
        if (channel) {
            memcpy(channel->peer, peer, ID);
            memcpy(channel->key, open->key, sizeof channel->key);
            channel->number = next_channel(node);
            channel->fd = -1;
            channel->made = now_millis();
            channel->next = port->channels;
            channel->frame = open->frame < LARGEST_FRAME ? (size_t) open->frame : LARGEST_FRAME;
            port->channels = channel;
            *opened = (struct opened) {.yes = 1, .number = channel->number, .order = byte_order(), .frame = LARGEST_FRAME};
            memcpy(opened->key, open->key, sizeof opened->key);
        } else if (!port) {
            refused(opened, NO_PORT, node->state, "no such receive port");
        } else if (!fits(&port->type, &asked)) {
            refused(opened, TYPES_DIFFER, -1, "the types of the ports differ");
        } else {
            refused(opened, HAS_ONE, node->state, "it has as many senders as it takes");
        }
    }
}

static struct channel *awaited(ibidem_node *node, const uint8_t peer[ID], const char *key, ibidem_receive_port **of) {
    for (*of = node->receivers; *of; *of = (*of)->next) {
        for (struct channel *one = (*of)->channels; one; one = one->next) {
            if (one->fd < 0 && strcmp(one->key, key) == 0 && memcmp(one->peer, peer, ID) == 0) return one;
        }
    }
    return NULL;
}

int port_awaits(ibidem_node *node, const uint8_t peer[ID], const char *key) {
    ibidem_receive_port *port;
    return awaited(node, peer, key, &port) != NULL;
}

static void woken(const ibidem_receive_port *port) {
    const uint64_t one = 1;
    if (write(port->wake, &one, sizeof one) < 0) return; // it is awake
}

int port_connected(ibidem_node *node, const uint8_t peer[ID], const char *key, int fd) {
    ibidem_receive_port *port;
    struct channel *channel = awaited(node, peer, key, &port);
    int one = 1;
    if (!channel) return 0;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    channel->fd = fd;
    woken(port);
    return 1;
}

void drop_channel(ibidem_receive_port *port, struct channel *channel) {
    struct channel **at = &port->channels;
    while (*at != channel) at = &(*at)->next;
    *at = channel->next;
    if (channel->fd >= 0) close(channel->fd);
    if (port->current == channel) port->current = NULL;
    free(channel);
    node_changed(port->node);
}

void port_cancelled(ibidem_node *node, const uint8_t peer[ID], const char *key) {
    ibidem_receive_port *port;
    struct channel *channel = awaited(node, peer, key, &port);
    if (channel) drop_channel(port, channel);
}

void port_closed(ibidem_node *node, const uint8_t peer[ID], int32_t channel) {
    for (ibidem_send_port *one = node->senders; one; one = one->next) {
        if (one->fd >= 0 && one->channel == channel && memcmp(one->peer, peer, ID) == 0) one->closed = 1;
    }
}

// ---- sending ----

static int send_frame(int fd, const uint8_t *frame, size_t length, int flags) {
    uint8_t head[] = {(uint8_t) length, (uint8_t) (length >> 8), (uint8_t) (length >> 16), (uint8_t) flags};
    struct iovec parts[] = {{head, sizeof head}, {(void *) frame, length}};
    struct msghdr both = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t done = sendmsg(fd, &both, MSG_NOSIGNAL);
    size_t sent = done < 0 ? 0 : (size_t) done;
    if (sent < sizeof head) {
        int rc = send_all(fd, head + sent, sizeof head - sent);
        if (rc < 0) return rc;
        sent = sizeof head;
    }
    return send_all(fd, frame + (sent - sizeof head), length - (sent - sizeof head));
}

static int flush(void *whom, const uint8_t *frame, size_t length, int flags) {
    ibidem_send_port *port = whom;
    pthread_mutex_lock(&port->node->lock);
    int closed = port->closed;
    pthread_mutex_unlock(&port->node->lock);
    return closed ? fail_with(IBIDEM_LOST, "the receive port was closed") : send_frame(port->fd, frame, length, flags);
}

int ibidem_send_port_open(ibidem_node *node, const char *name, const struct ibidem_type *type, ibidem_send_port **port) {
    ibidem_send_port *made = calloc(1, sizeof *made);
    int rc = made ? type_of(type, name, &made->type) : fail_with(IBIDEM_INVALID, "no memory");
    *port = rc < 0 ? NULL : made;
    if (rc < 0) {
        free(made);
        return rc;
    }
    strcpy(made->name, name);
    made->node = node;
    made->fd = -1;
    pthread_mutex_lock(&node->lock);
    made->number = ++node->last_port;
    made->next = node->senders;
    node->senders = made;
    pthread_mutex_unlock(&node->lock);
    return 0;
}

// One OPEN. 1: it was refused, but may not be when the other node's state is another.
static int asked_once(ibidem_send_port *port, struct link *link, const char *receive_port, struct opened *opened, int64_t end) {
    uint8_t request_room[4096], room[8192], chance[LINK_KEY / 2], *answer;
    size_t length;
    struct out asked = {.bytes = request_room, .size = sizeof request_room}, out = {.bytes = room, .size = sizeof room};
    struct port_request what = {.number = port->number, .connections = port->type.connections,
                                .capabilities = port->type.capabilities, .data = port->type.data};
    struct open open = {.kind = "port", .fresh = 1, .order = byte_order(), .frame = LARGEST_FRAME};
    snprintf(what.receive, sizeof what.receive, "%s", receive_port);
    strcpy(what.send, port->name);
    strcpy(what.name, port->type.name);
    strcpy(what.stack, port->type.stack);
    encode_port_request(&asked, &what);
    strcpy(open.stack, STACK_TCP);
    strcpy(open.versions, VERSIONS);
    open.request = request_room;
    open.request_length = asked.length;
    int rc = random_bytes(chance, sizeof chance);
    if (rc < 0) return rc;
    for (size_t i = 0; i < sizeof chance; i++) snprintf(open.key + 2 * i, 3, "%02x", chance[i]);
    encode_open(&out, &open);
    rc = send_request(link, OPEN, &out, end, &answer, &length);
    if (rc < 0) return rc;
    struct in in = {answer, length, 0};
    rc = decode_opened(&in, opened) == 0 ? 0 : fail_with(IBIDEM_LOST, "an answer that does not obey its format");
    free(answer);
    if (rc == 0 && !opened->yes) {
        fail_with(IBIDEM_REFUSED, "%s", opened->why);
        return opened->state >= 0 ? 1 : IBIDEM_REFUSED;
    }
    if (rc == 0 && (strcmp(opened->key, open.key) != 0 || opened->order != byte_order())) {
        rc = fail_with(IBIDEM_REFUSED, "the other node has another link or byte order in mind");
    }
    return rc;
}

// Waits until the other node has changed, and leaves a part of the time for the way back.
static int await_change(struct link *link, int64_t state, int64_t end, int part) {
    uint8_t room[12], *answer;
    size_t length;
    struct out out = {.bytes = room, .size = sizeof room};
    int left = left_until(end);
    if (left <= part) return IBIDEM_TIMEOUT;
    put_i64(&out, state);
    put_i32(&out, left - part);
    int rc = send_request(link, AWAIT, &out, end, &answer, &length);
    free(rc == 0 ? answer : NULL);
    return rc;
}

static int connected(ibidem_send_port *port, const struct opened *opened, int64_t end) {
    struct hello hello = {.purpose = DATA};
    strcpy(hello.stack, STACK_TCP);
    strcpy(hello.token, opened->key);
    int fd = connect_to(port->node, port->peer, &hello, end);
    if (fd < 0) return fd;
    size_t size = opened->frame < LARGEST_FRAME ? (size_t) opened->frame : LARGEST_FRAME;
    port->writer = (struct writer) {.frame = malloc(size), .size = size, .flush = flush, .whom = port};
    if (!port->writer.frame) {
        close(fd);
        return fail_with(IBIDEM_INVALID, "no memory");
    }
    pthread_mutex_lock(&port->node->lock);
    port->channel = opened->number;
    port->fd = fd;
    pthread_mutex_unlock(&port->node->lock);
    return 0;
}

int ibidem_connect(ibidem_send_port *port, int rank, const char *receive_port, int millis) {
    int64_t end = now_millis() + millis;
    struct link *link;
    struct opened opened;
    if (port->fd >= 0) return fail_with(IBIDEM_INVALID, "this send port is connected already");
    int rc = member_of_rank(port->node, rank, port->peer, end);
    if (rc == 0) rc = link_to(port->node, port->peer, end, &link);
    if (rc < 0) return rc;
    int refused = 0;
    while ((rc = asked_once(port, link, receive_port, &opened, end)) == 1) {
        refused = 1;
        rc = await_change(link, opened.state, end, millis / 8);
        if (rc < 0) break;
    }
    // What it was refused for the last time says more than that the time is over.
    if (rc == IBIDEM_TIMEOUT && refused) rc = fail_with(IBIDEM_REFUSED, "%s", opened.why);
    if (rc == 0) rc = connected(port, &opened, end);
    let_go(link);
    return rc;
}

static int writable(ibidem_send_port *port) {
    if (port->fd < 0) return fail_with(IBIDEM_INVALID, "this send port is not connected");
    port->writing = 1;
    return 0;
}

int ibidem_put(ibidem_send_port *port, enum ibidem_kind kind, const void *values, size_t count) {
    int rc = kind_fits(kind, &port->type);
    if (rc == 0) rc = writable(port);
    return rc < 0 ? rc : write_values(&port->writer, kind, values, count);
}

int ibidem_put_array(ibidem_send_port *port, enum ibidem_kind kind, const void *values, size_t count) {
    int rc = kind_fits(kind, &port->type);
    if (rc == 0) rc = writable(port);
    return rc < 0 ? rc : write_array(&port->writer, kind, values, count);
}

int ibidem_put_string(ibidem_send_port *port, const char *text) {
    int rc = kind_fits(IBIDEM_INT, &port->type);
    if (rc == 0) rc = writable(port);
    if (rc < 0) return rc;
    return text ? write_array(&port->writer, STRING, text, strlen(text)) : write_null_string(&port->writer);
}

int ibidem_finish(ibidem_send_port *port) {
    int rc = writable(port);
    if (rc < 0) return rc;
    rc = flush(port, port->writer.frame, port->writer.at, LAST);
    port->writer.at = 0;
    port->writing = 0;
    return rc;
}

void ibidem_send_port_close(ibidem_send_port *port) {
    ibidem_node *node = port->node;
    uint8_t room[4] = {0};
    struct out out = {.bytes = room, .size = sizeof room};
    if (port->fd >= 0) {
        // Where one of these finds no way, the receiver sees that by itself.
        if (port->writing) send_frame(port->fd, room, 0, ABANDONED);
        if (send_frame(port->fd, room, 0, END) == 0) {
            put_i32(&out, port->channel);
            send_note(node, port->peer, DONE_, &out);
        }
    }
    pthread_mutex_lock(&node->lock);
    ibidem_send_port **at = &node->senders;
    while (*at != port) at = &(*at)->next;
    *at = port->next;
    pthread_mutex_unlock(&node->lock);
    if (port->fd >= 0) close(port->fd);
    free(port->writer.frame);
    free(port);
}
