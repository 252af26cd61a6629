// The calls that a program makes: which of them the agent hears of, and how seccomp tells of them.
#define _GNU_SOURCE
#include "launch.h"
#include "sockets.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void let_go_on(struct supervisor *s, const struct asked *asked) {
    answer(s, asked->id, asked->line, asked->done ? 0 : NATIVE);
}

// The call's socket, which is the caller's to close; -1: none.
static int take(struct asked *asked) {
    int socket = asked->line < 0 ? own_socket(asked->process, asked->descriptor) : asked->socket;
    asked->socket = -1;
    return socket;
}

// A place in the books for this call; NULL: there is none, or nobody to ask.
static struct call *begin(struct supervisor *s, const struct asked *asked) {
    struct call *call = s->agent < 0 ? NULL : find(s, 0);
    if (!call) return NULL;
    call->id = call->asks = asked->id;
    call->line = asked->line;
    call->process = asked->process;
    call->descriptor = asked->descriptor;
    return call;
}

// The call is the kernel's, or over, as soon as the agent has prepared for it.
static void prepares(struct supervisor *s, const struct asked *asked, uint8_t kind, const struct sockaddr_in6 *about) {
    struct call *call = begin(s, asked);
    if (!call) {
        let_go_on(s, asked);
        return;
    }
    call->to = *about;
    call->prepares = kind;
    call->done = asked->done;
    tell(s, &(struct message) {.kind = kind, .value = (int) asked->process, .id = asked->id}, about);
}

void write_down(struct addresses *all, const struct sockaddr_in6 *at) {
    all->at[all->next++ % MOST_KNOWN] = *at;
    if (all->next == 2 * MOST_KNOWN) all->next = MOST_KNOWN;
}

static int stands(const struct addresses *all, const struct sockaddr_in6 *at) {
    for (unsigned i = 0; i < MOST_KNOWN && i < all->next; i++) {
        if (same(all->at + i, at)) return 1;
    }
    return 0;
}

// Whether the agent is to hear of datagrams that go there.
static int is_news(const struct supervisor *s, const struct sockaddr_in6 *to) {
    return s->agent >= 0 && is_rank(to) && !stands(&s->sent, to);
}

// Datagrams to a rank: they go to the agent's own socket at that address, which it makes now.
static void datagrams(struct supervisor *s, const struct asked *asked, int socket) {
    const struct sockaddr_in6 *to = &asked->about;
    int ours = is_news(s, to) && number(socket, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM;
    if (socket >= 0) close(socket);
    if (ours) prepares(s, asked, SENDS, to);
    else let_go_on(s, asked);
}

// With which a socket of TCP connects as it sends: a kernel that has that switched off says this, and
// programs connect first then.
static int opens_fast(const struct seccomp_notif *n, struct asked *asked) {
    if (!(n->data.args[3] & MSG_FASTOPEN) || !is_rank(&asked->about)) return 0;
    int socket = take(asked), is = socket >= 0 && number(socket, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP && is_fresh(socket);
    if (socket >= 0) close(socket);
    return is;
}

void sends(struct supervisor *s, struct asked *asked) {
    if (is_news(s, &asked->about)) datagrams(s, asked, take(asked));
    else let_go_on(s, asked);
}

// When a call that waits has waited long enough; 0: never.
static uint64_t limit(int socket) {
    struct timeval most = {0};
    socklen_t length = sizeof most;
    getsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &most, &length);
    uint64_t millis = (uint64_t) most.tv_sec * 1000 + (uint64_t) most.tv_usec / 1000;
    return most.tv_sec || most.tv_usec ? now() + millis : 0;
}

// A call that was interrupted and begins anew waits for the same. Returns whether it is one.
static int goes_on(struct supervisor *s, const struct asked *asked, int socket) {
    uint64_t which = cookie(socket);
    for (unsigned i = 0; which && i < MOST_HELD; i++) {
        struct call *call = s->calls + i;
        if (!call->id || call->socket < 0 || cookie(call->socket) != which) continue;
        int flags = fcntl(socket, F_GETFL);
        if ((flags & O_NONBLOCK) || (!call->answered && still_valid(s, call->asks, call->line))) return 0;
        if (call->line >= 0) close(call->line);
        call->asks = asked->id;
        call->line = asked->line;
        call->process = asked->process;
        call->flags = flags;
        call->until = limit(socket);
        call->answered = 0;
        call->again = 1;
        s->held = 1;
        return 1;
    }
    return 0;
}

// What the kernel has an error for, whose socket it is.
static int is_odd(const struct asked *asked, int socket) {
    int family = number(socket, SOL_SOCKET, SO_DOMAIN);
    if (asked->family && asked->family != family) return 1;
    return family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&asked->about.sin6_addr)
           && number(socket, IPPROTO_IPV6, IPV6_V6ONLY) == 1;
}

void connects(struct supervisor *s, struct asked *asked) {
    if (stands(&s->elsewhere, &asked->about)) {
        let_go_on(s, asked);
        return;
    }
    int socket = s->agent < 0 ? -1 : take(asked);
    int protocol = socket < 0 ? -1 : number(socket, SOL_SOCKET, SO_PROTOCOL);
    if (protocol == IPPROTO_UDP) {
        datagrams(s, asked, socket);
        return;
    }
    // One that connects already gets from the kernel what it is due: EALREADY, EISCONN, 0.
    int fresh = protocol == IPPROTO_TCP && is_fresh(socket), ours = fresh && !is_odd(asked, socket);
    if (protocol == IPPROTO_TCP && !fresh && goes_on(s, asked, socket)) {
        close(socket);
        return;
    }
    int flags = ours ? fcntl(socket, F_GETFL) : 0;
    struct call *call = ours ? begin(s, asked) : NULL;
    if (call && !(flags & O_NONBLOCK)) call->until = limit(socket);
    const struct message *how = call ? said_lately(s, &asked->about) : NULL;
    if (socket >= 0 && !how && !(call && call->line >= 0)) { // it is asked for again when it is held
        close(socket);
        socket = -1;
    }
    if (!call) {
        answer(s, asked->id, asked->line, ours ? EAGAIN : NATIVE);
        return;
    }
    call->given = socket;
    call->to = asked->about;
    call->flags = flags;
    if (how) {
        direct(s, call, how);
        return;
    }
    struct message message = {.kind = CONNECTS, .nonblocking = (flags & O_NONBLOCK) != 0,
                              .value = (int) asked->process, .id = asked->id};
    tell(s, &message, &asked->about); // where that fails, all calls were answered
}

// The program takes connections or datagrams there.
static void takes(struct supervisor *s, const struct asked *asked, uint8_t kind, const struct sockaddr_in6 *at) {
    note_place(s, kind, at, asked->process);
    // It hears that it listens when other nodes can reach it, and not before.
    prepares(s, asked, kind, at);
}

// The kernel is asked first, so that nobody is refused meanwhile; the program's own call, later,
// does the same once more.
void listens(struct supervisor *s, struct asked *asked) {
    struct sockaddr_in6 at;
    int socket = take(asked);
    int ours = socket >= 0 && takes_tcp(socket) && listen(socket, asked->backlog) == 0
               && local_address(socket, &at) == 0 && at.sin6_port;
    if (socket >= 0) close(socket);
    if (ours) takes(s, asked, LISTENS, &at);
    else let_go_on(s, asked);
}

// A rank's address with a port that the kernel shall choose: the program will tell others of it. It is
// known when the socket is bound, so that is done here.
static int bind_here(struct asked *asked, int socket) {
    struct sockaddr_storage at;
    socklen_t length = unmapped(&asked->about, number(socket, SOL_SOCKET, SO_DOMAIN), &at);
    asked->done = bind(socket, (void *) &at, length) == 0;
    return asked->done && local_address(socket, &asked->about) == 0;
}

// Ports below it are a right, which this process may have and the program may not.
enum { UNPRIVILEGED = 1024 };

static int may_bind(const struct asked *asked) {
    char path[64];
    struct stat owner;
    if (ntohs(asked->about.sin6_port) >= UNPRIVILEGED) return 1;
    snprintf(path, sizeof path, "/proc/%u", asked->process);
    return geteuid() == 0 && stat(path, &owner) == 0 && owner.st_uid == 0;
}

// All addresses, of which those of ranks are the agent's: it receives there beside the program what goes
// to the same port elsewhere. The kernel lets two share a port if both reuse it (SO_REUSEADDR), and looks
// at that when the later one is bound. So it is bound here: before as the program says, after so that the
// agent's can come; and a second program is told that the port is taken, as ever.
static void bind_beside_ranks(struct asked *asked, int socket) {
    struct sockaddr_storage at;
    socklen_t length = unmapped(&asked->about, number(socket, SOL_SOCKET, SO_DOMAIN), &at);
    int one = 1, before = number(socket, SOL_SOCKET, SO_REUSEADDR);
    asked->done = bind(socket, (void *) &at, length) == 0;
    int taken = !asked->done && errno == EADDRINUSE && only_ranks_receive(ntohs(asked->about.sin6_port));
    if (asked->done || taken) setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (taken) asked->done = bind(socket, (void *) &at, length) == 0;
    if (taken && !asked->done) setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &before, sizeof before);
}

void binds(struct supervisor *s, struct asked *asked) {
    int chosen = !asked->about.sin6_port; // by the kernel
    int socket = chosen && !(s->agent >= 0 && is_rank(&asked->about)) ? -1 : take(asked);
    int ours = socket >= 0 && number(socket, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM
               && number(socket, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_UDP && (!chosen || bind_here(asked, socket));
    if (ours && !chosen && is_any(&asked->about) && !is_odd(asked, socket) && may_bind(asked)) bind_beside_ranks(asked, socket);
    if (socket >= 0) close(socket);
    if (ours) takes(s, asked, BINDS, &asked->about);
    else let_go_on(s, asked);
}

const struct peer *peer_of(const struct supervisor *s, int socket) {
    uint64_t which = s->next_peer && socket >= 0 ? cookie(socket) : 0;
    const struct peer *peer = NULL;
    for (unsigned i = 0; which && i < MOST_PEERS && i < s->next_peer; i++) {
        if (s->peers[i].cookie == which) peer = s->peers + i;
    }
    return peer;
}

// ---- what seccomp stops ----

// In the program's memory, if it is the program's still: who reads acts only on sockets that he has got
// since, and of calls that are valid then.
static int moved(struct supervisor *s, const struct seccomp_notif *n, void *mine, uint64_t theirs,
                 size_t length, int writing) {
    struct iovec here = {mine, length}, there = {(void *) (uintptr_t) theirs, length};
    if (writing && !still_valid(s, n->id, -1)) return -1;
    ssize_t done = writing ? process_vm_writev((pid_t) n->pid, &here, 1, &there, 1, 0)
                           : process_vm_readv((pid_t) n->pid, &here, 1, &there, 1, 0);
    return done == (ssize_t) length ? 0 : -1;
}

// An address that lies there.
// Its family; -1: it is none of ours.
static int address(struct supervisor *s, const struct seccomp_notif *n, uint64_t theirs, uint64_t given,
                   struct sockaddr_in6 *to) {
    struct sockaddr_storage at = {0};
    size_t length = given < sizeof at ? (size_t) given : sizeof at;
    if (!theirs || length < sizeof(sa_family_t) || moved(s, n, &at, theirs, length, 0) != 0) return -1;
    return mapped(&at, (socklen_t) length, to) == 0 ? at.ss_family : -1;
}

// The address that is an argument of a call, its length the next one.
static int dialled(struct supervisor *s, const struct seccomp_notif *n, int argument, struct asked *asked) {
    uint32_t length = (uint32_t) n->data.args[argument + 1];
    if (length > sizeof(struct sockaddr_storage)) return -1; // the kernel has an error for that
    asked->family = address(s, n, n->data.args[argument], length, &asked->about);
    return asked->family < 0 ? -1 : 0;
}

// A message, or several in one call, which lie `size` bytes apart: the first address of which the
// agent is to hear.
static int addressed(struct supervisor *s, const struct seccomp_notif *n, uint64_t count, size_t size,
                     struct sockaddr_in6 *to) {
    _Alignas(struct mmsghdr) char all[MOST_TOGETHER * sizeof(struct mmsghdr)];
    if (count > MOST_TOGETHER) count = MOST_TOGETHER;
    if (s->agent < 0 || count == 0 || moved(s, n, all, n->data.args[1], count * size, 0) != 0) return -1;
    for (uint64_t i = 0; i < count; i++) {
        struct msghdr one;
        memcpy(&one, all + i * size, sizeof one);
        if (address(s, n, (uintptr_t) one.msg_name, one.msg_namelen, to) >= 0 && is_news(s, to)) return 0;
    }
    return -1;
}

static int is_connected(int socket) {
    struct sockaddr_storage peer;
    socklen_t room = sizeof peer;
    return socket >= 0 && getpeername(socket, (void *) &peer, &room) == 0;
}

static void names_peer(struct supervisor *s, const struct seccomp_notif *n, struct asked *asked) {
    int socket = s->next_peer ? take(asked) : -1, said = 0;
    const struct peer *peer = is_connected(socket) ? peer_of(s, socket) : NULL;
    uint32_t room; // below 0 the kernel has an error for it
    if (peer && moved(s, n, &room, n->data.args[2], sizeof room, 0) == 0 && (int32_t) room >= 0) {
        struct sockaddr_storage to;
        uint32_t length = unmapped(&peer->to, number(socket, SOL_SOCKET, SO_DOMAIN), &to);
        said = moved(s, n, &to, n->data.args[1], room < length ? room : length, 1) == 0
               && moved(s, n, &length, n->data.args[2], sizeof length, 1) == 0;
    }
    if (socket >= 0) close(socket);
    answer(s, n->id, -1, said ? 0 : NATIVE);
}

void supervisor_notified(struct supervisor *s) {
    // A newer kernel may say more than is known here.
    static union { struct seccomp_notif n; uint8_t room[1024]; } one;
    memset(&one, 0, sizeof one);
    if (ioctl(s->notify, SECCOMP_IOCTL_NOTIF_RECV, &one) != 0) return;
    const struct seccomp_notif *n = &one.n;
    struct asked asked = {.id = n->id, .line = -1, .process = n->pid, .descriptor = n->data.args[0],
                          .socket = -1, .backlog = (int) n->data.args[1]};
    switch (n->data.nr) {
        case SYS_connect:
            if (s->agent >= 0 && dialled(s, n, 1, &asked) == 0) connects(s, &asked);
            else let_go_on(s, &asked);
            break;
        case SYS_sendto:
            if (s->agent < 0 || dialled(s, n, 4, &asked) != 0) let_go_on(s, &asked);
            else if (opens_fast(n, &asked)) answer(s, n->id, -1, EOPNOTSUPP);
            else sends(s, &asked);
            break;
        case SYS_sendmsg:
            if (addressed(s, n, 1, sizeof(struct msghdr), &asked.about) == 0) sends(s, &asked);
            else let_go_on(s, &asked);
            break;
        case SYS_sendmmsg:
            if (addressed(s, n, n->data.args[2], sizeof(struct mmsghdr), &asked.about) == 0) sends(s, &asked);
            else let_go_on(s, &asked);
            break;
        case SYS_bind:
            if (dialled(s, n, 1, &asked) == 0 && still_valid(s, n->id, -1)) binds(s, &asked);
            else let_go_on(s, &asked);
            break;
        case SYS_io_uring_setup:
            say_of_io_uring(s, n->pid);
            let_go_on(s, &asked);
            break;
        case SYS_listen: listens(s, &asked); break;
        case SYS_getpeername: names_peer(s, n, &asked); break;
        default: let_go_on(s, &asked);
    }
}
