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
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void answer(struct supervisor *s, uint64_t id, int line, int error) {
    if (line >= 0) {
        struct message said = {.kind = error == NATIVE ? CONTINUE : DONE, .value = error == NATIVE ? 0 : error};
        send(line, &said, sizeof said, MSG_NOSIGNAL | MSG_DONTWAIT); // else nobody waits any more
        close(line);
        return;
    }
    struct seccomp_notif_resp response = {.id = id};
    if (error == NATIVE) {
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else {
        response.error = -error;
    }
    // ENOENT: who called was killed meanwhile.
    ioctl(s->notify, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

int still_valid(struct supervisor *s, uint64_t id, int line) {
    char none;
    if (line >= 0) return recv(line, &none, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
    return ioctl(s->notify, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

// ---- the agent ----

struct call *find(struct supervisor *s, uint64_t id) {
    for (unsigned i = 0; i < MOST_HELD; i++) {
        if (s->calls[i].id == id) return s->calls + i;
    }
    return NULL;
}

static const struct call NONE = {.line = -1, .given = -1, .socket = -1, .gate = -1, .filler = -1};

static void forget(struct call *call) {
    if (call->line >= 0) close(call->line);
    if (call->given >= 0) close(call->given);
    if (call->socket >= 0) close(call->socket);
    if (call->gate >= 0) close(call->gate);
    if (call->filler >= 0) close(call->filler);
    *call = NONE;
}

static void answer_call(struct supervisor *s, struct call *call, int error) {
    answer(s, call->asks, call->line, error);
    call->line = -1;
}

// The program's socket is this process's, too, until the call is forgotten.
// 0: who called is gone. Whose line is gone was interrupted: the socket goes on connecting.
static int take(struct supervisor *s, struct call *call) {
    int given = call->given >= 0;
    call->socket = given ? call->given : own_socket(call->process, call->descriptor);
    call->given = -1;
    return given || (call->socket >= 0 && still_valid(s, call->asks, call->line));
}

// A socket that got the address of its rank by from_rank has none again: from that one it would reach
// nobody outside this machine.
static void unbind(struct call *call) {
    struct sockaddr_in6 any = {.sin6_family = AF_INET6};
    struct sockaddr_storage at;
    int off = 0;
    if (!call->bound) return;
    bind(call->socket, (void *) &at, unmapped(&any, number(call->socket, SOL_SOCKET, SO_DOMAIN), &at));
    setsockopt(call->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &off, sizeof off);
    call->bound = 0;
}

// The socket is as it was before the call.
static void undo(struct call *call) {
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    connect(call->socket, &none, sizeof none);
    unbind(call);
    number(call->socket, SOL_SOCKET, SO_ERROR); // which that left there
    fcntl(call->socket, F_SETFL, call->flags);
}

static void lost(struct supervisor *s) {
    close(s->agent);
    s->agent = -1;
    s->have = 0;
    s->sent.next = s->elsewhere.next = s->next_near = 0;
    for (unsigned i = 0; i < MOST_HELD; i++) {
        struct call *call = s->calls + i;
        if (!call->id) continue;
        if (!call->answered) {
            if (call->socket >= 0) undo(call);
            answer_call(s, call, call->done ? 0 : NATIVE);
        } // else the gate is closed, and the kernel's next SYN is refused
        forget(call);
    }
}

int tell(struct supervisor *s, struct message *message, const struct sockaddr_in6 *about) {
    if (about) {
        memcpy(message->address, &about->sin6_addr, 16);
        message->port = ntohs(about->sin6_port);
    }
    if (s->agent < 0) return -1;
    if (send(s->agent, message, sizeof *message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof *message) return 0;
    lost(s);
    return -1;
}

static void hurries(int notify) {
#ifdef SECCOMP_IOCTL_NOTIF_SET_FLAGS
    // The program waits for this process, on whose core it may run best (Linux 6.6; else it is left).
    ioctl(notify, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
#else
    // Headers before Linux 6.6 do not know what a kernel may.
    ioctl(notify, SECCOMP_IOW(4, uint64_t), 1UL);
#endif
}

void supervisor_begin(struct supervisor *s, int notify, int library, const char *path, pid_t program) {
    if (notify >= 0) hurries(notify);
    s->notify = notify;
    s->library = library;
    s->agent = -1;
    s->path = path;
    s->program = program;
    for (unsigned i = 0; i < MOST_HELD; i++) s->calls[i] = NONE;
}

int supervisor_serves(const struct supervisor *s) {
    return s->notify >= 0 || s->library >= 0;
}

void supervisor_connect(struct supervisor *s) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    if (!supervisor_serves(s) || strlen(s->path) >= sizeof at.sun_path) return;
    strcpy(at.sun_path, s->path);
    int agent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (agent < 0) return;
    if (connect(agent, (void *) &at, sizeof at) != 0) {
        close(agent);
        return;
    }
    s->agent = agent;
    if (tell(s, &(struct message) {.kind = HELLO, .value = s->program}, NULL) != 0) return;
    if (tell_places(s) != 0) lost(s);
}

// ---- what the agent wants ----

// The socket comes from the address of its own rank, unless it has an address; of which port, the
// kernel chooses when it connects. Returns its family.
static int from_rank(struct call *call, int rank) {
    struct sockaddr_in6 own;
    struct sockaddr_storage at;
    int one = 1, off = 0, family = family_and_address(call->socket, &own);
    if (family == AF_INET6) setsockopt(call->socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (family < 0 || own.sin6_port || !is_any(&own) || rank < 0 || rank >= 0x10000) return family;
    uint8_t bytes[] = {0xff, 0xff, 127, 80, (uint8_t) (rank >> 8), (uint8_t) rank};
    own = (struct sockaddr_in6) {.sin6_family = AF_INET6};
    memcpy(own.sin6_addr.s6_addr + 10, bytes, sizeof bytes);
    setsockopt(call->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
    call->bound = bind(call->socket, (void *) &at, unmapped(&own, family, &at)) == 0; // else it comes from elsewhere
    return family;
}

static int connect_held(struct call *call, struct sockaddr_in6 *at, int rank) {
    struct sockaddr_storage to;
    int family = from_rank(call, rank), off = 0, error = 0;
    setsockopt(call->socket, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &off, sizeof off); // which awaits bytes to send
    call->gate = gate(call, at, AF_INET);
    if (call->gate < 0) return errno;
    fcntl(call->socket, F_SETFL, call->flags | O_NONBLOCK);
    if (connect(call->socket, (void *) &to, unmapped(at, family, &to)) != 0 && errno != EINPROGRESS) error = errno;
    fcntl(call->socket, F_SETFL, call->flags);
    return error;
}

static void remember(struct supervisor *s, const struct call *call, const struct sockaddr_in6 *at) {
    if (same(&call->to, at)) return;
    s->peers[s->next_peer++ % MOST_PEERS] = (struct peer) {cookie(call->socket), call->to};
    if (s->next_peer == 2 * MOST_PEERS) s->next_peer = MOST_PEERS;
}

uint64_t now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &at);
    return (uint64_t) at.tv_sec * 1000 + (uint64_t) at.tv_nsec / 1000000;
}

static int is_due(const struct call *call) {
    return call->until && call->until <= now();
}

static void hold(struct supervisor *s, struct call *call, const struct message *how) {
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_port = htons(how->port)}, from = at;
    memcpy(&at.sin6_addr, how->address, 16);
    if (!take(s, call)) {
        tell(s, &(struct message) {.kind = HELD, .value = -ESRCH, .id = call->id}, NULL);
        answer_call(s, call, NATIVE);
        forget(call);
        return;
    }
    int error = connect_held(call, &at, how->value);
    if (error || local_address(call->socket, &from) != 0) {
        undo(call);
        answer_call(s, call, error ? error : ENETUNREACH);
        tell(s, &(struct message) {.kind = HELD, .value = -(error ? error : ENETUNREACH), .id = call->id}, NULL);
        forget(call);
        return;
    }
    remember(s, call, &at);
    s->held = 1;
    call->from = from;
    call->answered = (call->flags & O_NONBLOCK) || is_due(call) || !still_valid(s, call->asks, call->line);
    if (call->answered) answer_call(s, call, EINPROGRESS);
    tell(s, &(struct message) {.kind = HELD, .value = ntohs(at.sin6_port), .id = call->id}, &from);
}

const struct message *said_lately(const struct supervisor *s, const struct sockaddr_in6 *to) {
    for (unsigned i = 0; i < MOST_NEAR && i < s->next_near; i++) {
        if (same(&s->near[i].to, to)) return s->near[i].until > now() ? &s->near[i].how : NULL;
    }
    return NULL;
}

// A program that connects again and again asks the agent once a second.
static void note(struct supervisor *s, const struct sockaddr_in6 *to, const struct message *how) {
    unsigned i = 0;
    while (i < MOST_NEAR && i < s->next_near && !same(&s->near[i].to, to)) i++;
    if (i == MOST_NEAR || i == s->next_near) {
        i = s->next_near++ % MOST_NEAR;
        if (s->next_near == 2 * MOST_NEAR) s->next_near = MOST_NEAR;
    }
    s->near[i] = (struct near) {*to, *how, now() + NEAR_MILLIS};
}

// Connects it, but does not wait for that.
// 0, or the error.
static int connect_now(const struct call *call, const struct sockaddr_in6 *at, int family) {
    struct sockaddr_storage to;
    int waits = !(call->flags & O_NONBLOCK), error = 0;
    if (!is_local(at)) return EADDRNOTAVAIL;
    if (waits) fcntl(call->socket, F_SETFL, call->flags | O_NONBLOCK);
    if (connect(call->socket, (void *) &to, unmapped(at, family, &to)) != 0) error = errno;
    if (waits) fcntl(call->socket, F_SETFL, call->flags);
    return error;
}

// The other program is on this machine: the socket itself goes there, from the address of its own
// rank. Where that is what the program dialled, the call goes on as the kernel's, and so does one that
// waits: of a socket that connects it awaits the end.
void direct(struct supervisor *s, struct call *call, const struct message *how) {
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_port = htons(how->port)};
    int answered = NATIVE;
    memcpy(&at.sin6_addr, how->address, 16);
    if (take(s, call)) {
        int family = from_rank(call, how->value);
        if (!same(&call->to, &at)) {
            int error = connect_now(call, &at, family);
            if (error && error != EINPROGRESS) undo(call);
            else remember(s, call, &at);
            if (error != EINPROGRESS || (call->flags & O_NONBLOCK)) answered = error;
        }
    }
    answer_call(s, call, answered);
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
// A socket that the program itself has undone since, and perhaps connected elsewhere, is left alone.
static void refuse(struct call *call) {
    struct sockaddr_storage to;
    struct sockaddr_in6 at;
    if (state(call->socket) != TCP_SYN_SENT || local_address(call->socket, &at) != 0 || !same(&at, &call->from)) return;
    int known = call->gate >= 0 && local_address(call->gate, &at) == 0;
    close(call->gate);
    call->gate = -1;
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    socklen_t length = known ? unmapped(&at, number(call->socket, SOL_SOCKET, SO_DOMAIN), &to) : 0;
    hurry(1);
    connect(call->socket, &none, sizeof none);
    if (known) connect(call->socket, (void *) &to, length);
    hurry(0);
    if (state(call->socket) == TCP_CLOSE) unbind(call);
}

static void done(struct supervisor *s, struct call *call, int error) {
    int held = call->socket >= 0, goes_on = held && (call->answered || !still_valid(s, call->asks, call->line));
    if (goes_on) {
        if (error) refuse(call);
    } else {
        if (held && error) undo(call);
        // The kernel's own call, of a socket that is connected, says so, and knows it from then on.
        answer_call(s, call, held && !error ? NATIVE : error);
    }
    forget(call);
}

// ---- who waits in a connect, which only what ends it gets out of ----

// Whether a signal is there for a thread that waits: the kernel wakes it for those that end it alone.
static int is_called(uint32_t thread) {
    char path[64], line[128];
    unsigned long long pending = 0, blocked = 0, some;
    snprintf(path, sizeof path, "/proc/%u/status", thread);
    FILE *status = fopen(path, "re");
    if (!status) return 0;
    while (fgets(line, sizeof line, status)) {
        if (sscanf(line, "SigPnd: %llx", &some) == 1 || sscanf(line, "ShdPnd: %llx", &some) == 1) pending |= some;
        if (sscanf(line, "SigBlk: %llx", &some) == 1) blocked = some;
    }
    fclose(status);
    return (pending & ~blocked) != 0;
}

int supervisor_looks(struct supervisor *s) {
    int limit = -1;
    for (unsigned i = 0; s->held && i < MOST_HELD; i++) {
        struct call *call = s->calls + i;
        if (!call->id || call->socket < 0 || call->answered) continue;
        // In the kernel's own call it is interrupted, and begins anew or does not, as ever.
        int due = is_due(call), called = !due && call->line < 0 && is_called(call->process);
        call->answered = due || called;
        if (call->answered) answer_call(s, call, !due ? NATIVE : call->again ? EALREADY : EINPROGRESS);
        else limit = LOOK_MILLIS;
    }
    s->held = limit >= 0;
    return limit;
}

static void obey(struct supervisor *s, const struct message *message) {
    struct call *call = message->id ? find(s, message->id) : NULL;
    if (!call) return;
    switch (message->kind) {
        case CONTINUE:
            if (call->socket < 0) {
                if (call->prepares == SENDS) write_down(&s->sent, &call->to);
                if (!call->prepares) write_down(&s->elsewhere, &call->to);
                answer_call(s, call, call->done ? 0 : NATIVE);
                forget(call);
            }
            break;
        case HOLD:
            if (call->socket < 0 && !call->prepares) hold(s, call, message);
            break;
        case DIRECT:
            if (call->socket < 0 && !call->prepares) {
                note(s, &call->to, message);
                direct(s, call, message);
            }
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
