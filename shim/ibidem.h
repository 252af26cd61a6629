// Ibidem for programs in C, and for languages that can call it: a node of a pool, its send ports and
// its receive ports, by the formats of docs/wire. What is spoken, and what is not, stands in
// docs/design/abi.md.
//
// A function returns 0 or more where it has done its work, else one of enum ibidem_error, and
// ibidem_why() says more. A node may be used by several threads; a port by one at a time.
//
// Copied: texts, structures and values that are given to a function are copied before it returns,
// and stay the caller's. What a function fills in is the caller's, too.
// Owned: a node belongs to the library until ibidem_leave, a port until it is closed or its node
// leaves. Then its memory is gone, and no function may be called with it.
//
// Structures have a field struct_size, to be set to sizeof: later versions add fields behind it. 0: what
// stands before it, and nothing of what was added. A field that is left out is 0 or NULL, which is its
// default where the field says no other.
#ifndef IBIDEM_H
#define IBIDEM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) // the library is compiled with everything else hidden
#endif

#define IBIDEM_MAJOR 0
#define IBIDEM_MINOR 1
#define IBIDEM_PATCH 0
// The version of this header as one number: 10000 * major + 100 * minor + patch.
#define IBIDEM_VERSION (10000 * IBIDEM_MAJOR + 100 * IBIDEM_MINOR + IBIDEM_PATCH)

enum ibidem_error {
    IBIDEM_TIMEOUT = -2,     // not within the time that was given
    IBIDEM_REFUSED = -3,     // the hub or the other node says no
    IBIDEM_LOST = -4,        // the other end, or the way to it, is gone
    IBIDEM_MISMATCH = -5,    // the message has something else there, or ends
    IBIDEM_INVALID = -6,     // an argument, or a call out of turn
    IBIDEM_UNREACHABLE = -7, // nobody answers there
    IBIDEM_TOO_SMALL = -8,   // the caller's memory; nothing was read
};

// The same number of the library that was loaded.
int ibidem_version(void);
// What went wrong in the last call of this thread that said so; until the next one that does.
const char *ibidem_why(void);

// ---- nodes ----

typedef struct ibidem_node ibidem_node;

struct ibidem_options {
    const char *hub;  // "host:port"
    const char *pool; // at most 64 bytes; without an authority
    int size;         // how many nodes the pool is for; 0: not said
    int rank;         // that is wished for; -1: any
    size_t struct_size;
};

// Joins a pool; *node is to be given to ibidem_leave. After an error it is NULL.
int ibidem_join(const struct ibidem_options *options, ibidem_node **node);
// Its rank, 0 or more.
int ibidem_rank(ibidem_node *node);
// How many members are there now, this one too; IBIDEM_LOST: the hub is gone.
int ibidem_members(ibidem_node *node);
// Waits until there are so many.
int ibidem_await(ibidem_node *node, int members, int millis);
// Leaves in order, and closes its ports: after that, neither the node nor any port of it may be used,
// nor closed again. No other thread may be in a call with one of them.
void ibidem_leave(ibidem_node *node);

// ---- ports ----

enum ibidem_connections {
    IBIDEM_ONE_TO_ONE,
    IBIDEM_MANY_TO_ONE,
    IBIDEM_ONE_TO_MANY,
    IBIDEM_MANY_TO_MANY
};

// Explicit, timed and polled receive; fifo and reliable: what PortType.oneToOne() of Java has.
#define IBIDEM_USUAL 0x127

// Both ends must have the same.
struct ibidem_type {
    const char *name; // at most 255 bytes; NULL: empty
    enum ibidem_connections connections;
    int capabilities;  // a bit each, docs/wire/ports.md; not numbered, total or unchecked
    int bytes_only;    // Data.BYTES; else Data.DATA
    const char *stack; // NULL: "tcp"; or "auto" where the other end's type says so, too
    size_t struct_size;
};

typedef struct ibidem_send_port ibidem_send_port;
typedef struct ibidem_receive_port ibidem_receive_port;

// The other end of a connection.
struct ibidem_peer {
    int rank;       // of its node; -1: the hub has not told it
    uint8_t id[16]; // of its node: docs/wire/handshake.md
    char port[256]; // the name of its send port or receive port
    size_t struct_size;
};

int ibidem_send_port_open(ibidem_node *node, const char *name, const struct ibidem_type *type, ibidem_send_port **port);
// Connects to a receive port, and waits for it to be opened; between two messages. Where the type is
// one-to-many or many-to-many it may be called again, and each message goes to all of them.
int ibidem_connect(ibidem_send_port *port, int rank, const char *receive_port, int millis);
// Ends its connections in order.
void ibidem_send_port_close(ibidem_send_port *port);

int ibidem_receive_port_open(ibidem_node *node, const char *name, const struct ibidem_type *type, ibidem_receive_port **port);
// The same for one peer, a member that is there: any other node is refused, whoever guesses the name.
int ibidem_receive_port_open_only(ibidem_node *node, const char *name, const struct ibidem_type *type, int rank, ibidem_receive_port **port);
void ibidem_receive_port_close(ibidem_receive_port *port);

// ---- messages ----

// Values are the machine's own: uint8_t (0 or 1), int8_t, uint16_t, int16_t, int32_t, float, int64_t, double.
enum ibidem_kind {
    IBIDEM_BOOLEAN,
    IBIDEM_BYTE,
    IBIDEM_CHAR,
    IBIDEM_SHORT,
    IBIDEM_INT,
    IBIDEM_FLOAT,
    IBIDEM_LONG,
    IBIDEM_DOUBLE
};

// A message is what is put until ibidem_finish; it goes out in frames as they fill.
int ibidem_put(ibidem_send_port *port, enum ibidem_kind kind, const void *values, size_t count);
int ibidem_put_array(ibidem_send_port *port, enum ibidem_kind kind, const void *values, size_t count);
// UTF-8; NULL: a string that is null.
int ibidem_put_string(ibidem_send_port *port, const char *text);
// IBIDEM_LOST, of this or a put: no receiver is left, and the message is over. Of this alone: one is
// gone, and the message went to the others.
int ibidem_finish(ibidem_send_port *port);
// The receiver that is gone, the longest one first. 1: it is filled in; 0: there is no further one.
int ibidem_lost_receiver(ibidem_send_port *port, struct ibidem_peer *receiver);

// Waits for the next message; millis -1: for ever. What is left of the one before is skipped.
// IBIDEM_LOST: a sender is gone without ending its connection; the port goes on.
int ibidem_receive(ibidem_receive_port *port, int millis);
// Who has sent the message that is being read.
int ibidem_sender(ibidem_receive_port *port, struct ibidem_peer *sender);
// Whose loss the last IBIDEM_LOST was. 1: it is filled in, and told once; 0: there is none.
int ibidem_lost_sender(ibidem_receive_port *port, struct ibidem_peer *sender);
// A descriptor for poll, select or epoll, which stays the port's: neither read nor close it. It is
// readable while there is something for ibidem_receive: a message, what is left of the one that is
// being read, or the end of a sender, after which a call with 0 ms is an IBIDEM_TIMEOUT.
int ibidem_descriptor(ibidem_receive_port *port);
// The next values, written by any number of puts; or as many of an array as there are in it.
int ibidem_get(ibidem_receive_port *port, enum ibidem_kind kind, void *values, size_t count);
int ibidem_get_array(ibidem_receive_port *port, enum ibidem_kind kind, void *values, size_t count);
// How many elements the array has that is next.
int64_t ibidem_array(ibidem_receive_port *port, enum ibidem_kind kind);
// How many bytes of UTF-8 the string has that is next, without an end; -1: it is null, and read.
int64_t ibidem_string(ibidem_receive_port *port);
// Reads it into memory of so many bytes, and puts a zero after it where there is room for one. Returns
// how many bytes it has without that; -1: it is null. IBIDEM_TOO_SMALL: it has more than `size` bytes,
// how many says ibidem_string; it is still there to be read.
int64_t ibidem_get_string(ibidem_receive_port *port, char *text, size_t size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
