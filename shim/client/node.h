// What node.c and ports.c share.
#ifndef IBIDEM_NODE_H
#define IBIDEM_NODE_H

#include "../ibidem.h"
#include "net.h"
#include "wire.h"

enum {
    MOST_MEMBERS = 16384,
    MOST_THREADS = 1024, // one for each connection that is served
    MOST_CHANNELS = 256, // of a receive port
    MOST_AWAITS = 64,    // of a service link
    OPEN_MILLIS = 10000, // for who was promised a channel
};

// A request that somebody waits in.
struct asked {
    const struct line *line;
    int32_t number;
    enum { WAITS, ANSWERED, FAILED, GONE } state;
    uint8_t *answer; // or the reason of a failure
    size_t length;
    struct asked *next;
};

// A service link: docs/wire/channels.md.
struct link {
    struct line line;
    ibidem_node *node;
    uint8_t peer[ID];
    int users;
    unsigned awaiting;
    struct await {
        int32_t number;
        int64_t state, end;
    } awaits[MOST_AWAITS];
    struct link *next;
};

// One that a receive port reads from.
struct channel {
    struct ibidem_peer peer; // its sender
    char key[LINK_KEY + 1];
    int32_t number;
    int fd;         // -1: it is still awaited
    size_t frame;
    int64_t made;
    struct channel *next;
};

struct port_type {
    char name[256], stack[1025];
    int connections, capabilities, data;
};

// One over which a send port writes.
struct connection {
    struct ibidem_peer peer; // its receiver
    int32_t channel;
    int fd;
    int closed; // by its receiver
    size_t frame; // the largest it takes
    struct connection *next;
};

struct ibidem_send_port {
    ibidem_node *node;
    char name[256];
    int64_t number;
    struct port_type type;
    int writing; // a message is begun
    struct connection *connections;
    struct connection *lost; // the oldest first, until ibidem_lost_receiver tells of them
    int told;     // of all that were lost, by IBIDEM_LOST
    int lost_all; // it was connected, and nobody is left
    struct writer writer;
    ibidem_send_port *next;
};

struct ibidem_receive_port {
    ibidem_node *node;
    char name[256];
    struct port_type type;
    int for_one;      // send ports of this node alone connect
    uint8_t only[ID];
    int poll; // an epoll of all its channels
    struct channel *channels;
    struct channel *current; // whose message is read
    struct ibidem_peer lost; // the sender that IBIDEM_LOST was about
    int has_lost;
    uint8_t *frame;
    struct reader reader;
    ibidem_receive_port *next;
};

struct ibidem_node {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct identity self;
    char pool[65], location[256];
    int32_t rank;
    struct line hub;
    int hub_is_gone, left, closing;
    char gone[LONGEST_WHY + 1];
    int listener;
    unsigned threads;
    struct member *members;
    unsigned count, room;
    struct asked *asked;
    struct link *links;
    ibidem_send_port *senders;
    ibidem_receive_port *receivers;
    int32_t last_number, last_channel; // both go round
    int64_t last_port;
    int64_t state; // docs/wire/channels.md, AWAIT
};

// Runs it in a thread of its own.
int start_thread(ibidem_node *node, void (*does)(ibidem_node *node, void *what), void *what);
// links.c: takes connections until the node closes.
void serve_listener(ibidem_node *node, void *none);
// What came for a request that was asked over this line; GONE: for all of them.
void hear_answer(ibidem_node *node, const struct line *line, int32_t number, int state, const uint8_t *bytes, size_t length);
// Says it and waits for the answer, which is to be freed.
int ask_and_wait(ibidem_node *node, struct line *line, int32_t number, const struct out *said, int64_t end, uint8_t **answer, size_t *length);
// Of a request, and of a channel to this node: positive ones, which go round and pass over what is in use.
int32_t next_number(ibidem_node *node);
int32_t next_channel(ibidem_node *node); // the lock is held
// The same, over a service link.
int send_request(struct link *link, enum service kind, const struct out *body, int64_t end, uint8_t **answer, size_t *length);
int send_note(ibidem_node *node, const uint8_t peer[ID], enum service kind, const struct out *body);
int rank_of(const ibidem_node *node, const uint8_t id[ID]); // -1: not known; the lock is held
// To a caller, who knows its rank by then.
int give_peer(ibidem_node *node, const struct ibidem_peer *peer, struct ibidem_peer *to);
int member_of_rank(ibidem_node *node, int rank, uint8_t id[ID], int64_t end);
// A service link to it, made if there is none; to be let go of.
int link_to(ibidem_node *node, const uint8_t peer[ID], int64_t end, struct link **link);
void let_go(struct link *link);
// A connection of this purpose.
int connect_to(ibidem_node *node, const uint8_t peer[ID], struct hello *hello, int64_t end);
void node_changed(ibidem_node *node); // with its lock
void wait_changed(ibidem_node *node, int64_t end);

// ports.c
#define STACK_TCP "tcp"
#define VERSIONS "tcp 1"
int type_of(const struct ibidem_type *given, const char *name, struct port_type *type);
int kind_fits(enum ibidem_kind kind, const struct port_type *type);
// With the node's lock:
void drop_channel(ibidem_receive_port *port, struct channel *channel);
void port_asked(ibidem_node *node, const uint8_t peer[ID], const struct open *open, struct opened *opened);
int port_awaits(ibidem_node *node, const uint8_t peer[ID], const char *key);
int port_connected(ibidem_node *node, const uint8_t peer[ID], const char *key, int fd);
void port_cancelled(ibidem_node *node, const uint8_t peer[ID], const char *key);
void port_closed(ibidem_node *node, const uint8_t peer[ID], int32_t channel);

#endif
