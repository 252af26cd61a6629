// Send ports: one message to all receivers, docs/wire/ports.md.
#include "node.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_LOST = 256 }; // of which nobody has asked yet

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

// ---- its connections ----

static void unlist(ibidem_send_port *port, struct connection *connection) {
    pthread_mutex_lock(&port->node->lock);
    struct connection **at = &port->connections;
    while (*at != connection) at = &(*at)->next;
    *at = connection->next;
    pthread_mutex_unlock(&port->node->lock);
}

// Where this finds no way, the receiver sees that by itself.
static void end_connection(ibidem_send_port *port, struct connection *connection) {
    uint8_t room[4] = {0};
    struct out out = {.bytes = room, .size = sizeof room};
    if (port->writing) send_frame(connection->fd, room, 0, ABANDONED);
    if (send_frame(connection->fd, room, 0, END) == 0) {
        put_i32(&out, connection->channel);
        send_note(port->node, connection->peer.id, DONE_, &out);
    }
    close(connection->fd);
}

// At the end of those that ibidem_lost_receiver tells, and the oldest goes where there are too many.
static void lose(ibidem_send_port *port, struct connection *connection, int closed) {
    unsigned count = 0;
    unlist(port, connection);
    if (closed) end_connection(port, connection);
    else close(connection->fd);
    connection->next = NULL;
    struct connection **at = &port->lost;
    for (; *at; at = &(*at)->next) count++;
    *at = connection;
    port->told = 0;
    if (count < MOST_LOST) return;
    struct connection *oldest = port->lost;
    port->lost = oldest->next;
    free(oldest);
}

// To all receivers. One that is lost is out of it, and ibidem_finish says so where others are left.
static int flush(void *whom, const uint8_t *frame, size_t length, int flags) {
    ibidem_send_port *port = whom;
    int rc = 0;
    for (struct connection *one = port->connections, *next; one; one = next) {
        pthread_mutex_lock(&port->node->lock);
        int closed = one->closed;
        next = one->next;
        pthread_mutex_unlock(&port->node->lock);
        int sent = closed ? fail_with(IBIDEM_LOST, "the receive port was closed") : send_frame(one->fd, frame, length, flags);
        if (sent == 0) continue;
        lose(port, one, closed);
        rc = sent;
    }
    return port->connections ? 0 : rc;
}

int ibidem_send_port_open(ibidem_node *node, const char *name, const struct ibidem_type *type, ibidem_send_port **port) {
    ibidem_send_port *made = calloc(1, sizeof *made);
    int rc = made ? type_of(type, name, &made->type) : fail_with(IBIDEM_INVALID, "no memory");
    if (rc == 0) {
        made->writer = (struct writer) {.frame = malloc(LARGEST_FRAME), .size = LARGEST_FRAME, .flush = flush, .whom = made};
        if (!made->writer.frame) rc = fail_with(IBIDEM_INVALID, "no memory");
    }
    *port = rc < 0 ? NULL : made;
    if (rc < 0) {
        free(made);
        return rc;
    }
    strcpy(made->name, name);
    made->node = node;
    made->told = 1;
    pthread_mutex_lock(&node->lock);
    made->number = ++node->last_port;
    made->next = node->senders;
    node->senders = made;
    pthread_mutex_unlock(&node->lock);
    return 0;
}

// ---- connecting ----

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

// The opened channel gets its connection, and the port that.
static int connected(ibidem_send_port *port, struct connection *made, const struct opened *opened, int64_t end) {
    struct hello hello = {.purpose = DATA};
    strcpy(hello.stack, STACK_TCP);
    strcpy(hello.token, opened->key);
    made->fd = connect_to(port->node, made->peer.id, &hello, end);
    if (made->fd < 0) return made->fd;
    made->channel = opened->number;
    made->frame = opened->frame < LARGEST_FRAME ? (size_t) opened->frame : LARGEST_FRAME;
    pthread_mutex_lock(&port->node->lock);
    made->next = port->connections;
    port->connections = made;
    // All get the same frames: as large as every one of them takes.
    port->writer.size = LARGEST_FRAME;
    for (struct connection *one = made; one; one = one->next) {
        if (one->frame < port->writer.size) port->writer.size = one->frame;
    }
    pthread_mutex_unlock(&port->node->lock);
    return 0;
}

static int open_connection(ibidem_send_port *port, struct connection *made, int millis) {
    int64_t end = now_millis() + millis;
    struct link *link;
    struct opened opened;
    int rc = member_of_rank(port->node, made->peer.rank, made->peer.id, end);
    if (rc == 0) rc = link_to(port->node, made->peer.id, end, &link);
    if (rc < 0) return rc;
    int refused = 0;
    while ((rc = asked_once(port, link, made->peer.port, &opened, end)) == 1) {
        refused = 1;
        rc = await_change(link, opened.state, end, millis / 8);
        if (rc < 0) break;
    }
    // What it was refused for the last time says more than that the time is over.
    if (rc == IBIDEM_TIMEOUT && refused) rc = fail_with(IBIDEM_REFUSED, "%s", opened.why);
    if (rc == 0) rc = connected(port, made, &opened, end);
    let_go(link);
    return rc;
}

// Whether its type has room for this one.
static int may_connect(const ibidem_send_port *port, int rank, const char *receive_port) {
    int several = port->type.connections == IBIDEM_ONE_TO_MANY || port->type.connections == IBIDEM_MANY_TO_MANY;
    if (port->writing) return fail_with(IBIDEM_INVALID, "a message is being written: finish it first");
    if (!*receive_port || strlen(receive_port) > 255) return fail_with(IBIDEM_INVALID, "a port has a name of 1 to 255 bytes");
    for (const struct connection *one = port->connections; one; one = one->next) {
        if (!several) return fail_with(IBIDEM_INVALID, "this send port is connected already, and its type allows one receiver");
        if (one->peer.rank == rank && strcmp(one->peer.port, receive_port) == 0) {
            return fail_with(IBIDEM_INVALID, "this send port is connected to that receive port already");
        }
    }
    return 0;
}

int ibidem_connect(ibidem_send_port *port, int rank, const char *receive_port, int millis) {
    int rc = may_connect(port, rank, receive_port);
    if (rc < 0) return rc;
    struct connection *made = calloc(1, sizeof *made);
    if (!made) return fail_with(IBIDEM_INVALID, "no memory");
    made->peer.rank = rank;
    strcpy(made->peer.port, receive_port);
    rc = open_connection(port, made, millis);
    if (rc < 0) free(made);
    return rc;
}

int ibidem_lost_receiver(ibidem_send_port *port, struct ibidem_peer *receiver) {
    struct connection *oldest = port->lost;
    if (!oldest) return 0;
    int rc = give_peer(port->node, &oldest->peer, receiver);
    if (rc < 0) return rc;
    port->lost = oldest->next;
    free(oldest);
    return 1;
}

// ---- messages ----

static int writable(ibidem_send_port *port) {
    if (!port->connections && port->lost_all) return fail_with(IBIDEM_LOST, "all receivers of this send port are gone");
    if (!port->connections) return fail_with(IBIDEM_INVALID, "this send port is not connected");
    port->writing = 1;
    return 0;
}

// Without a receiver left the message is over.
static int written(ibidem_send_port *port, int rc) {
    if (rc == 0) return 0;
    port->writing = 0;
    port->told = 1;
    port->lost_all = 1;
    port->writer.at = 0;
    return rc;
}

int ibidem_put(ibidem_send_port *port, enum ibidem_kind kind, const void *values, size_t count) {
    int rc = kind_fits(kind, &port->type);
    if (rc == 0) rc = writable(port);
    return rc < 0 ? rc : written(port, write_values(&port->writer, kind, values, count));
}

int ibidem_put_array(ibidem_send_port *port, enum ibidem_kind kind, const void *values, size_t count) {
    int rc = kind_fits(kind, &port->type);
    if (rc == 0) rc = writable(port);
    return rc < 0 ? rc : written(port, write_array(&port->writer, kind, values, count));
}

int ibidem_put_string(ibidem_send_port *port, const char *text) {
    int rc = kind_fits(IBIDEM_INT, &port->type);
    if (rc == 0) rc = writable(port);
    if (rc < 0) return rc;
    return written(port, text ? write_array(&port->writer, STRING, text, strlen(text)) : write_null_string(&port->writer));
}

int ibidem_finish(ibidem_send_port *port) {
    int rc = writable(port);
    if (rc < 0) return rc;
    rc = written(port, flush(port, port->writer.frame, port->writer.at, LAST));
    port->writer.at = 0;
    port->writing = 0;
    if (rc < 0 || port->told) return rc;
    port->told = 1;
    return fail_with(IBIDEM_LOST, "a receiver is gone; the message went to the others");
}

static void free_all(struct connection *first) {
    while (first) {
        struct connection *next = first->next;
        free(first);
        first = next;
    }
}

void ibidem_send_port_close(ibidem_send_port *port) {
    ibidem_node *node = port->node;
    for (struct connection *one = port->connections; one; one = one->next) end_connection(port, one);
    pthread_mutex_lock(&node->lock);
    ibidem_send_port **at = &node->senders;
    while (*at != port) at = &(*at)->next;
    *at = port->next;
    pthread_mutex_unlock(&node->lock);
    free_all(port->connections);
    free_all(port->lost);
    free(port->writer.frame);
    free(port);
}
