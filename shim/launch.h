// What launch.c and supervise.c share.
#ifndef IBIDEM_LAUNCH_H
#define IBIDEM_LAUNCH_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stdint.h>
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

#define MOST_HELD 4096    // calls in the agent's hands
#define MOST_PEERS 16384  // sockets whose peer has another address than they were connected to
#define MOST_LISTENS 256  // addresses that a new agent is told of
#define MOST_SENT 256     // addresses to which datagrams go without asking the agent
#define RETRY_MILLIS 500  // between two looks whether there is an agent again

// docs/wire/wrap.md
enum kind {
    HELLO = 1, CONNECTS, LISTENS, HELD, SENDS, BINDS, // from here
    CONTINUE = 16, HOLD, DONE, DIRECT // from the agent
};

struct message {
    uint8_t kind;
    uint8_t nonblocking;
    uint16_t port;
    int32_t value;
    uint64_t id;
    uint8_t address[16];
};

// A call in the agent's hands.
struct call {
    uint64_t id;      // of the notification; 0: the place is free
    uint32_t process;    // whose descriptor
    uint64_t descriptor; // is the socket
    int socket;       // the program's, while it is held; else -1
    int gate;         // what keeps its SYN unanswered; else -1
    int flags;        // of the socket, as the program had them
    uint8_t prepares; // what the agent was told, if the call is then the kernel's; else 0
    int answered;     // the program knows EINPROGRESS and goes on
    struct sockaddr_in6 to; // as it was dialled
};

// A socket that is connected to another address than the program dialled.
struct peer {
    uint64_t cookie;
    struct sockaddr_in6 to;
};

struct supervisor {
    int notify;
    int agent;
    const char *path;
    pid_t program;
    unsigned have;                          // bytes of a message that is not whole yet
    uint8_t part[sizeof(struct message)];
    struct call calls[MOST_HELD];
    struct peer peers[MOST_PEERS];
    unsigned next_peer;
    struct place {
        struct sockaddr_in6 at;
        uint8_t kind; // LISTENS or BINDS
    } listens[MOST_LISTENS];
    unsigned listening;
    struct sockaddr_in6 sent[MOST_SENT];
    unsigned next_sent;
};

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void supervisor_begin(struct supervisor *s, int notify, const char *path, pid_t program);
void supervisor_connect(struct supervisor *s);
void supervisor_notified(struct supervisor *s);
void supervisor_told(struct supervisor *s);

#endif
