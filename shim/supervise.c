// What becomes of the calls that a program was stopped in: see launch.c, and docs/wire/wrap.md.
//
// A connect that goes through Ibidem ends in a socket of the agent, on this machine: both sockets
// open towards each other at once, as TCP allows (RFC 9293, 3.5). Until the agent's does, the
// program's is as one that waits for an answer: its SYN meets a listener that drops whatever comes,
// the gate. So a socket that is watched by epoll, poll or select becomes writable when the whole
// way is there, and not before.
#define _GNU_SOURCE
#include "launch.h"
#include "sockets.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { NATIVE = -1 }; // the answer that lets the call go on

static void answer(struct supervisor *s, uint64_t id, int error) {
    struct seccomp_notif_resp response = {.id = id};
    if (error == NATIVE) {
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else {
        response.error = -error;
    }
    // ENOENT: who called was killed meanwhile.
    ioctl(s->notify, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static int still_valid(struct supervisor *s, uint64_t id) {
    return ioctl(s->notify, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

// ---- the program's memory ----

static int moved(struct supervisor *s, const struct seccomp_notif *n, void *mine, uint64_t theirs,
                 size_t length, int writing) {
    struct iovec here = {mine, length}, there = {(void *) (uintptr_t) theirs, length};
    if (writing && !still_valid(s, n->id)) return -1;
    ssize_t done = writing ? process_vm_writev((pid_t) n->pid, &here, 1, &there, 1, 0)
                           : process_vm_readv((pid_t) n->pid, &here, 1, &there, 1, 0);
    return done == (ssize_t) length && still_valid(s, n->id) ? 0 : -1;
}

// ---- the agent ----

static struct call *find(struct supervisor *s, uint64_t id) {
    for (unsigned i = 0; i < MOST_HELD; i++) {
        if (s->calls[i].id == id) return s->calls + i;
    }
    return NULL;
}

static void forget(struct call *call) {
    if (call->socket >= 0) close(call->socket);
    if (call->gate >= 0) close(call->gate);
    *call = (struct call) {.socket = -1, .gate = -1};
}

// The socket is as it was before the call.
static void undo(struct call *call) {
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    connect(call->socket, &none, sizeof none);
    fcntl(call->socket, F_SETFL, call->flags);
}

static void lost(struct supervisor *s) {
    close(s->agent);
    s->agent = -1;
    s->have = 0;
    s->next_sent = 0;
    for (unsigned i = 0; i < MOST_HELD; i++) {
        struct call *call = s->calls + i;
        if (!call->id) continue;
        if (!call->answered) {
            if (call->socket >= 0) undo(call);
            answer(s, call->id, NATIVE);
        } // else the gate is closed, and the kernel's next SYN is refused
        forget(call);
    }
}

static int tell(struct supervisor *s, struct message *message, const struct sockaddr_in6 *about) {
    if (about) {
        memcpy(message->address, &about->sin6_addr, 16);
        message->port = ntohs(about->sin6_port);
    }
    if (s->agent < 0) return -1;
    if (send(s->agent, message, sizeof *message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof *message) return 0;
    lost(s);
    return -1;
}

void supervisor_begin(struct supervisor *s, int notify, const char *path, pid_t program) {
#ifdef SECCOMP_IOCTL_NOTIF_SET_FLAGS
    // The program waits for this process, on whose core it may run best (Linux 6.6; else it is left).
    ioctl(notify, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
#else
    // Headers before Linux 6.6 do not know what a kernel may.
    ioctl(notify, SECCOMP_IOW(4, uint64_t), 1UL);
#endif
    s->notify = notify;
    s->agent = -1;
    s->path = path;
    s->program = program;
    for (unsigned i = 0; i < MOST_HELD; i++) s->calls[i] = (struct call) {.socket = -1, .gate = -1};
}

void supervisor_connect(struct supervisor *s) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    if (s->notify < 0 || strlen(s->path) >= sizeof at.sun_path) return;
    strcpy(at.sun_path, s->path);
    int agent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (agent < 0) return;
    if (connect(agent, (void *) &at, sizeof at) != 0) {
        close(agent);
        return;
    }
    s->agent = agent;
    if (tell(s, &(struct message) {.kind = HELLO, .value = s->program}, NULL) != 0) return;
    for (unsigned i = 0; i < s->listening; i++) {
        if (tell(s, &(struct message) {.kind = s->listens[i].kind}, &s->listens[i].at) != 0) return;
    }
}

// ---- calls ----

// The address that is an argument of a call, its length the next one.
static int dialled(struct supervisor *s, const struct seccomp_notif *n, int argument, struct sockaddr_in6 *to) {
    struct sockaddr_storage at = {0};
    uint64_t given = n->data.args[argument + 1];
    size_t length = given < sizeof at ? (size_t) given : sizeof at;
    if (length < sizeof(sa_family_t) || moved(s, n, &at, n->data.args[argument], length, 0) != 0) return -1;
    return mapped(&at, (socklen_t) length, to);
}

// The call is the kernel's, as soon as the agent has prepared for it.
static void prepares(struct supervisor *s, const struct seccomp_notif *n, uint8_t kind, const struct sockaddr_in6 *about) {
    struct call *call = s->agent < 0 ? NULL : find(s, 0);
    if (!call) {
        answer(s, n->id, NATIVE);
        return;
    }
    call->id = n->id;
    call->to = *about;
    call->prepares = kind;
    tell(s, &(struct message) {.kind = kind, .value = (int) n->pid, .id = n->id}, about);
}

// Datagrams to a rank: they go to the agent's own socket at that address, which it makes now.
static void sends(struct supervisor *s, const struct seccomp_notif *n, const struct sockaddr_in6 *to) {
    int known = !is_rank(to);
    for (unsigned i = 0; !known && i < MOST_SENT && i < s->next_sent; i++) known = same(s->sent + i, to);
    int socket = known ? -1 : own_socket(n);
    int ours = socket >= 0 && number(socket, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM;
    if (socket >= 0) close(socket);
    if (ours) prepares(s, n, SENDS, to);
    else answer(s, n->id, NATIVE);
}

static void sends_to(struct supervisor *s, const struct seccomp_notif *n) {
    struct sockaddr_in6 to;
    if (s->agent < 0 || dialled(s, n, 4, &to) != 0) answer(s, n->id, NATIVE);
    else sends(s, n, &to);
}

static void prepared(struct supervisor *s, const struct call *call) {
    s->sent[s->next_sent++ % MOST_SENT] = call->to;
    if (s->next_sent == 2 * MOST_SENT) s->next_sent = MOST_SENT;
}

static void connects(struct supervisor *s, const struct seccomp_notif *n) {
    struct sockaddr_in6 to;
    if (s->agent < 0 || dialled(s, n, 1, &to) != 0) {
        answer(s, n->id, NATIVE);
        return;
    }
    int socket = own_socket(n);
    if (socket >= 0 && number(socket, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM) {
        close(socket);
        sends(s, n, &to);
        return;
    }
    int flags = socket < 0 ? -1 : fcntl(socket, F_GETFL);
    // One that connects already gets from the kernel what it is due: EALREADY, EISCONN, 0.
    int ours = flags >= 0 && is_tcp(socket) && is_fresh(socket);
    if (socket >= 0) close(socket);
    struct call *call = ours ? find(s, 0) : NULL;
    if (!call) {
        answer(s, n->id, ours ? EAGAIN : NATIVE);
        return;
    }
    call->id = n->id;
    call->to = to;
    call->flags = flags;
    call->process = n->pid;
    call->descriptor = n->data.args[0];
    struct message message = {.kind = CONNECTS, .nonblocking = (flags & O_NONBLOCK) != 0, .value = (int) n->pid, .id = n->id};
    tell(s, &message, &to); // where that fails, all calls were answered
}

// The program takes connections or datagrams there.
static void takes(struct supervisor *s, const struct seccomp_notif *n, uint8_t kind, const struct sockaddr_in6 *at) {
    unsigned i = 0;
    while (i < s->listening && !(s->listens[i].kind == kind && same(&s->listens[i].at, at))) i++;
    if (i == s->listening) {
        if (i == MOST_LISTENS) i = 0; // the oldest is least likely to be there still
        s->listens[i] = (struct place) {*at, kind};
        if (s->listening < MOST_LISTENS) s->listening++;
    }
    // It hears that it listens when other nodes can reach it, and not before.
    prepares(s, n, kind, at);
}

// The kernel is asked first, so that nobody is refused meanwhile; the program's own call, later,
// does the same once more.
static void listens(struct supervisor *s, const struct seccomp_notif *n) {
    struct sockaddr_in6 at;
    int socket = own_socket(n);
    int ours = socket >= 0 && takes_tcp(socket) && listen(socket, (int) n->data.args[1]) == 0
               && local_address(socket, &at) == 0 && at.sin6_port;
    if (socket >= 0) close(socket);
    if (ours) takes(s, n, LISTENS, &at);
    else answer(s, n->id, NATIVE);
}

static void binds(struct supervisor *s, const struct seccomp_notif *n) {
    struct sockaddr_in6 at;
    int socket = dialled(s, n, 1, &at) == 0 && at.sin6_port ? own_socket(n) : -1;
    int ours = socket >= 0 && number(socket, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM
               && number(socket, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_UDP;
    if (socket >= 0) close(socket);
    if (ours) takes(s, n, BINDS, &at);
    else answer(s, n->id, NATIVE);
}

static void names_peer(struct supervisor *s, const struct seccomp_notif *n) {
    int socket = s->next_peer ? own_socket(n) : -1;
    uint64_t which = socket < 0 ? 0 : cookie(socket);
    struct peer *peer = NULL;
    for (unsigned i = 0; which && i < MOST_PEERS && i < s->next_peer; i++) {
        if (s->peers[i].cookie == which) peer = s->peers + i;
    }
    uint32_t room;
    if (peer && moved(s, n, &room, n->data.args[2], sizeof room, 0) == 0) {
        struct sockaddr_storage to;
        uint32_t length = unmapped(&peer->to, number(socket, SOL_SOCKET, SO_DOMAIN), &to);
        if (moved(s, n, &to, n->data.args[1], room < length ? room : length, 1) == 0
            && moved(s, n, &length, n->data.args[2], sizeof length, 1) == 0) {
            answer(s, n->id, 0);
            close(socket);
            return;
        }
    }
    if (socket >= 0) close(socket);
    answer(s, n->id, NATIVE);
}

void supervisor_notified(struct supervisor *s) {
    // A newer kernel may say more than is known here.
    static union { struct seccomp_notif n; uint8_t room[1024]; } one;
    memset(&one, 0, sizeof one);
    if (ioctl(s->notify, SECCOMP_IOCTL_NOTIF_RECV, &one) != 0) return;
    switch (one.n.data.nr) {
        case SYS_connect: connects(s, &one.n); break;
        case SYS_listen: listens(s, &one.n); break;
        case SYS_bind: binds(s, &one.n); break;
        case SYS_sendto: sends_to(s, &one.n); break;
        case SYS_getpeername: names_peer(s, &one.n); break;
        default: answer(s, one.n.id, NATIVE);
    }
}

// ---- what the agent wants ----

// A listener at this address that drops what comes.
static int gate(struct sockaddr_in6 *at, int family) {
    struct sockaddr_storage bound;
    struct sock_filter none[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
    struct sock_fprog drop = {1, none};
    int one = 1, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (bind(fd, (void *) &bound, unmapped(at, family, &bound)) != 0) {
        at->sin6_port = 0; // somebody listens on that port of all addresses
        if (bind(fd, (void *) &bound, unmapped(at, family, &bound)) != 0) goto failed;
    }
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &drop, sizeof drop) != 0) goto failed;
    if (listen(fd, 1) == 0 && local_address(fd, at) == 0) return fd;
failed:
    close(fd);
    return -1;
}

static int connect_held(struct call *call, struct sockaddr_in6 *at) {
    struct sockaddr_storage to;
    int family = number(call->socket, SOL_SOCKET, SO_DOMAIN), off = 0;
    if (family == AF_INET6) setsockopt(call->socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    call->gate = gate(at, AF_INET);
    if (call->gate < 0) return errno;
    fcntl(call->socket, F_SETFL, call->flags | O_NONBLOCK);
    if (connect(call->socket, (void *) &to, unmapped(at, family, &to)) != 0 && errno != EINPROGRESS) return errno;
    return 0;
}

static void remember(struct supervisor *s, const struct call *call, const struct sockaddr_in6 *at) {
    if (same(&call->to, at)) return;
    s->peers[s->next_peer++ % MOST_PEERS] = (struct peer) {cookie(call->socket), call->to};
    if (s->next_peer == 2 * MOST_PEERS) s->next_peer = MOST_PEERS;
}

static void hold(struct supervisor *s, struct call *call, const struct message *how) {
    struct seccomp_notif n = {.pid = call->process, .data.args[0] = call->descriptor};
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_port = htons(how->port)}, from = at;
    memcpy(&at.sin6_addr, how->address, 16);
    call->socket = own_socket(&n);
    if (call->socket < 0 || !still_valid(s, call->id)) { // who called is gone
        tell(s, &(struct message) {.kind = HELD, .value = -ESRCH, .id = call->id}, NULL);
        forget(call);
        return;
    }
    int error = connect_held(call, &at);
    if (error || local_address(call->socket, &from) != 0) {
        undo(call);
        answer(s, call->id, error ? error : ENETUNREACH);
        tell(s, &(struct message) {.kind = HELD, .value = -(error ? error : ENETUNREACH), .id = call->id}, NULL);
        forget(call);
        return;
    }
    remember(s, call, &at);
    call->answered = (call->flags & O_NONBLOCK) != 0;
    if (call->answered) answer(s, call->id, EINPROGRESS);
    tell(s, &(struct message) {.kind = HELD, .value = ntohs(at.sin6_port), .id = call->id}, &from);
}

// The other program is on this machine: the socket itself goes there, from the address of its own
// rank. A call that waits goes on as the kernel's: of a socket that connects it awaits the end.
static void direct(struct supervisor *s, struct call *call, const struct message *how) {
    struct seccomp_notif n = {.pid = call->process, .data.args[0] = call->descriptor};
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_port = htons(how->port)}, own;
    struct sockaddr_storage to;
    int one = 1, off = 0, error = 0;
    memcpy(&at.sin6_addr, how->address, 16);
    call->socket = own_socket(&n);
    if (call->socket < 0 || !still_valid(s, call->id)) { // who called is gone
        forget(call);
        return;
    }
    int family = number(call->socket, SOL_SOCKET, SO_DOMAIN);
    if (family == AF_INET6) setsockopt(call->socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (how->value >= 0 && how->value < 0x10000 && local_address(call->socket, &own) == 0 && !own.sin6_port) {
        uint8_t rank[] = {127, 80, (uint8_t) (how->value >> 8), (uint8_t) how->value};
        own = (struct sockaddr_in6) {.sin6_family = AF_INET6};
        own.sin6_addr.s6_addr[10] = own.sin6_addr.s6_addr[11] = 0xff;
        memcpy(own.sin6_addr.s6_addr + 12, rank, sizeof rank);
        setsockopt(call->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
        bind(call->socket, (void *) &to, unmapped(&own, family, &to)); // else it comes from elsewhere
    }
    fcntl(call->socket, F_SETFL, call->flags | O_NONBLOCK);
    if (!is_local(&at)) error = EADDRNOTAVAIL;
    else if (connect(call->socket, (void *) &to, unmapped(&at, family, &to)) != 0) error = errno;
    if (error && error != EINPROGRESS) {
        undo(call);
    } else {
        remember(s, call, &at);
        fcntl(call->socket, F_SETFL, call->flags);
    }
    answer(s, call->id, error == EINPROGRESS && !(call->flags & O_NONBLOCK) ? NATIVE : error);
    forget(call);
}

// Before those that it wakes, where this process may.
static void hurry(int on) {
    struct sched_param how = {.sched_priority = on};
    sched_setscheduler(0, on ? SCHED_RR : SCHED_OTHER, &how);
}

// The program waits for an event: an error of the kernel's own is one. Nobody listens at the gate's
// port once the gate is closed. To take the first connect back is an error already, ECONNRESET, by
// which the program wakes: the second one shall have failed before it looks.
static void refuse(struct call *call) {
    struct sockaddr_storage to;
    struct sockaddr_in6 at;
    int known = call->gate >= 0 && local_address(call->gate, &at) == 0;
    close(call->gate);
    call->gate = -1;
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    socklen_t length = known ? unmapped(&at, number(call->socket, SOL_SOCKET, SO_DOMAIN), &to) : 0;
    hurry(1);
    connect(call->socket, &none, sizeof none);
    if (known) connect(call->socket, (void *) &to, length);
    hurry(0);
}

static void done(struct supervisor *s, struct call *call, int error) {
    if (call->answered) {
        if (error) refuse(call);
    } else {
        if (call->socket >= 0) {
            if (error) undo(call);
            fcntl(call->socket, F_SETFL, call->flags);
        }
        answer(s, call->id, error);
    }
    forget(call);
}

static void obey(struct supervisor *s, const struct message *message) {
    struct call *call = message->id ? find(s, message->id) : NULL;
    if (!call) return;
    switch (message->kind) {
        case CONTINUE:
            if (call->socket < 0) {
                if (call->prepares == SENDS) prepared(s, call);
                answer(s, call->id, NATIVE);
                forget(call);
            }
            break;
        case HOLD:
            if (call->socket < 0 && !call->prepares) hold(s, call, message);
            break;
        case DIRECT:
            if (call->socket < 0 && !call->prepares) direct(s, call, message);
            break;
        case DONE:
            done(s, call, message->value > 0 && message->value < 4096 ? message->value : 0);
            break;
        default:
            break;
    }
}

void supervisor_told(struct supervisor *s) {
    ssize_t count = recv(s->agent, s->part + s->have, sizeof s->part - s->have, MSG_DONTWAIT);
    if (count <= 0) {
        if (count == 0 || (errno != EAGAIN && errno != EINTR)) lost(s);
        return;
    }
    s->have += (unsigned) count;
    if (s->have == sizeof s->part) {
        struct message message;
        memcpy(&message, s->part, sizeof message);
        s->have = 0;
        obey(s, &message);
    }
}
