// Types of ports, and what other nodes ask of them: docs/wire/ports.md, over channels whose stack is "tcp".
#define _GNU_SOURCE
#include "node.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { NO_PORT = 0, TYPES_DIFFER = 1, HAS_ONE = 2, UNWANTED = 4, NO_LINK = 255, NO_KIND = 254 };
enum { NUMBERED = 1 << 6, TOTAL = 1 << 7, RELIABLE = 1 << 8, UNCHECKED = 1 << 11 };

int type_of(const struct ibidem_type *given, const char *name, struct port_type *type) {
    struct ibidem_type as;
    int rc = take_struct(given, &as, sizeof as, offsetof(struct ibidem_type, struct_size), "ibidem_type");
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
            memcpy(channel->peer.id, peer, ID);
            channel->peer.rank = rank_of(node, peer);
            strcpy(channel->peer.port, asked.send);
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
            if (one->fd < 0 && strcmp(one->key, key) == 0 && memcmp(one->peer.id, peer, ID) == 0) return one;
        }
    }
    return NULL;
}

int port_awaits(ibidem_node *node, const uint8_t peer[ID], const char *key) {
    ibidem_receive_port *port;
    return awaited(node, peer, key, &port) != NULL;
}

int port_connected(ibidem_node *node, const uint8_t peer[ID], const char *key, int fd) {
    ibidem_receive_port *port;
    struct channel *channel = awaited(node, peer, key, &port);
    int one = 1;
    if (!channel) return 0;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
    // Whoever waits in this epoll is woken by what comes over the new connection, too.
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = channel};
    channel->fd = fd;
    if (epoll_ctl(port->poll, EPOLL_CTL_ADD, fd, &event) == 0) return 1;
    channel->fd = -1;
    return 0;
}

void drop_channel(ibidem_receive_port *port, struct channel *channel) {
    struct channel **at = &port->channels;
    while (*at != channel) at = &(*at)->next;
    *at = channel->next;
    if (channel->fd >= 0) {
        // A child of this process that has it, too, would keep it there.
        epoll_ctl(port->poll, EPOLL_CTL_DEL, channel->fd, NULL);
        close(channel->fd);
    }
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
    for (ibidem_send_port *port = node->senders; port; port = port->next) {
        for (struct connection *one = port->connections; one; one = one->next) {
            if (one->channel == channel && memcmp(one->peer.id, peer, ID) == 0) one->closed = 1;
        }
    }
}
