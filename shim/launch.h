// What the files of ibidem-launch share.
#ifndef IBIDEM_LAUNCH_H
#define IBIDEM_LAUNCH_H

#include "message.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>

#if defined __x86_64__
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#error "not known: what this processor is called in seccomp filters"
#endif

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425 // on all processors
#endif

#define MOST_HELD 4096    // calls in the agent's hands
#define MOST_PEERS 16384  // sockets whose peer has another address than they were connected to
#define MOST_LISTENS 4096 // addresses that a new agent is told of
#define MOST_NEAR 16      // programs of this machine that were found lately
#define NEAR_MILLIS 1000  // how lately
#define MOST_KNOWN 256    // addresses of a kind about which the agent is not asked again
#define MOST_TOGETHER 8   // messages of one call that are looked at
#define MOST_LINES 64     // calls of the preloaded library that have not said yet what they are
#define LOOK_MILLIS 100   // between two looks at who waits
#define RETRY_MILLIS 500  // between two looks whether there is an agent again

// A call of the program's: seccomp has stopped it, or the preloaded library asks.
struct asked {
    uint64_t id;
    int line;                  // to the library; -1: seccomp
    uint32_t process;
    uint64_t descriptor;       // of the socket, there
    int socket;                // it, where it came along; else -1
    int backlog;               // of LISTENS
    int family;                // of the address as it was given; 0: the library has looked at it
    int done;                  // the supervisor has done in the program's place what it asks for
    struct sockaddr_in6 about; // the address that the call has; none of LISTENS and NAMES
};

// A call in the agent's hands.
struct call {
    uint64_t id;      // as the agent knows it; 0: the place is free
    uint64_t asks;    // the notification that is to be answered
    int line;         // to the preloaded library that waits for the answer; else -1
    int given;        // the socket as that library gave it, until it is held; else -1
    uint32_t process;    // whose descriptor
    uint64_t descriptor; // is the socket
    int socket;       // the program's, while it is held; else -1
    int gate;         // what keeps its SYN unanswered; else -1
    int filler;       // what fills the gate's queue; else -1
    int flags;        // of the socket, as the program had them
    int bound;        // it got the address of its rank
    uint8_t prepares; // what the agent was told, if the call is then the kernel's; else 0
    int done;         // so that the call is over once the agent is prepared
    int answered;     // the program knows EINPROGRESS, or has been interrupted, and goes on
    uint64_t until;   // one that waits has waited long enough (SO_SNDTIMEO); 0: never
    int again;        // it asks for what an earlier call began
    struct sockaddr_in6 to; // as it was dialled
    struct sockaddr_in6 from; // where it is held
};

// A socket that is connected to another address than the program dialled.
struct peer {
    uint64_t cookie;
    struct sockaddr_in6 to;
};

// The last that were written down.
struct addresses {
    struct sockaddr_in6 at[MOST_KNOWN];
    unsigned next;
};

// Where a program of this machine was found.
struct near {
    struct sockaddr_in6 to; // as it was dialled
    struct message how;     // what the agent said
    uint64_t until;         // it is asked again
};

struct supervisor {
    int notify;             // where seccomp tells of calls; -1: it does not
    int library;            // where the preloaded library asks; -1: it does not
    int lines[MOST_LINES];  // of which nothing has been read yet
    unsigned waiting;
    uint64_t asked;         // calls of the library so far
    int agent;
    const char *path;
    pid_t program;
    struct stat errors;     // where words to the user go; what was opened there since is none of ours
    int io_uring;           // that somebody uses it has been said
    unsigned have;                          // bytes of a message that is not whole yet
    uint8_t part[sizeof(struct message)];
    int held;                               // somebody may wait until another socket meets his
    struct call calls[MOST_HELD];
    struct peer peers[MOST_PEERS];
    unsigned next_peer;
    struct place {
        struct sockaddr_in6 at;
        uint8_t kind; // LISTENS or BINDS
    } listens[MOST_LISTENS];
    unsigned listening;
    struct addresses sent;      // to which datagrams go
    struct near near[MOST_NEAR];
    unsigned next_near;
    struct addresses elsewhere; // which are no nodes: an agent's rules stay as they are
};

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// supervise.c
enum { NATIVE = -1 }; // the answer that lets the call go on
void supervisor_begin(struct supervisor *s, int notify, int library, const char *path, pid_t program);
int supervisor_serves(const struct supervisor *s);
void supervisor_connect(struct supervisor *s);
void supervisor_told(struct supervisor *s);
int tell(struct supervisor *s, struct message *message, const struct sockaddr_in6 *about);
void answer(struct supervisor *s, uint64_t id, int line, int error);
struct call *find(struct supervisor *s, uint64_t id);
// The call's socket connects to a program of this machine.
void direct(struct supervisor *s, struct call *call, const struct message *how);
// What the agent said lately of an address; NULL: nothing.
const struct message *said_lately(const struct supervisor *s, const struct sockaddr_in6 *to);
int still_valid(struct supervisor *s, uint64_t id, int line);
uint64_t now(void); // in milliseconds
// Answers those who have waited long enough. Returns when to look again, in milliseconds; -1: never.
int supervisor_looks(struct supervisor *s);

// gate.c: a listener at this address, or another port of it, that drops what comes; -1: errno says why.
int gate(struct call *call, struct sockaddr_in6 *at, int family);

// places.c: the next agent is told of this place.
void note_place(struct supervisor *s, uint8_t kind, const struct sockaddr_in6 *at, uint32_t process);
// Tells it of all that are there still. 0: it was.
int tell_places(struct supervisor *s);
// Whether datagrams to this port are received here, and at addresses of ranks alone.
int only_ranks_receive(uint16_t port);

// calls.c: what becomes of each
void connects(struct supervisor *s, struct asked *asked);
void sends(struct supervisor *s, struct asked *asked);
void listens(struct supervisor *s, struct asked *asked);
void binds(struct supervisor *s, struct asked *asked);
// Whom a socket is connected to in the program's eyes; NULL: as the kernel says.
const struct peer *peer_of(const struct supervisor *s, int socket);
void supervisor_notified(struct supervisor *s);
void write_down(struct addresses *all, const struct sockaddr_in6 *at);

// unseen.c: whether a program calls the kernel without a library of C: it is static, or written in Go.
int calls_by_itself(const char *program);
// Says it of a program that the preloaded library does not get into.
void say_what_is_not_seen(const char *program);

// Says something of a process, once, where its errors go if that is where they went at the start.
void say_of(struct supervisor *s, uint32_t process, int *said, const char *what);
// That it has io_uring, by which it can connect unseen.
void say_of_io_uring(struct supervisor *s, uint32_t process);

// Says so where a program under seccomp has fewer rights than its file gives, or cannot be looked into.
void say_what_seccomp_changes(const char *program);

// library.c
void library_name(char *name, size_t room);
int library_listens(const char *name);
void library_connects(struct supervisor *s);
void library_asks(struct supervisor *s, unsigned line);

#endif
