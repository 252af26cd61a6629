// libibidem-wrap.so: stands in front of a program's own library of C (LD_PRELOAD), where seccomp
// cannot tell of its calls, or shall not. connect, listen, bind, sendto, sendmsg, sendmmsg, getpeername
// and getsockopt ask the supervisor (launch.c) first, which gets the program's own socket and does with it
// what it does under seccomp. No descriptor changes, so that what watches it (epoll) goes on watching.
//
// It fails open: whatever goes wrong, the call is the kernel's, as if this were not here. It keeps no
// state but where to ask, so it has nothing that forks, threads, signals or exec could break.
#define _GNU_SOURCE
#include "../message.h"
#include "../sockets.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))

enum { NATIVE = -1 };

// The calls as they are without this library.
static struct {
    int (*connect)(int, const struct sockaddr *, socklen_t);
    int (*listen)(int, int);
    int (*bind)(int, const struct sockaddr *, socklen_t);
    ssize_t (*sendto)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    ssize_t (*sendmsg)(int, const struct msghdr *, int);
    int (*sendmmsg)(int, struct mmsghdr *, unsigned, int);
    int (*getpeername)(int, struct sockaddr *, socklen_t *);
    int (*getsockopt)(int, int, int, void *, socklen_t *);
} own;

// Copied, as programs that show what they do where their arguments were write over the environment.
static struct sockaddr_un at = {.sun_family = AF_UNIX};
static socklen_t at_length; // 0: there is nobody to ask
static uid_t user;
static int begun;

// Also done by the first call, which may be one of another library that begins before this one. Twice
// is as good as once.
__attribute__((constructor)) static void begin(void) {
    if (__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) return;
    own.connect = (__typeof__(own.connect)) dlsym(RTLD_NEXT, "connect");
    own.listen = (__typeof__(own.listen)) dlsym(RTLD_NEXT, "listen");
    own.bind = (__typeof__(own.bind)) dlsym(RTLD_NEXT, "bind");
    own.sendto = (__typeof__(own.sendto)) dlsym(RTLD_NEXT, "sendto");
    own.sendmsg = (__typeof__(own.sendmsg)) dlsym(RTLD_NEXT, "sendmsg");
    own.sendmmsg = (__typeof__(own.sendmmsg)) dlsym(RTLD_NEXT, "sendmmsg");
    own.getpeername = (__typeof__(own.getpeername)) dlsym(RTLD_NEXT, "getpeername");
    own.getsockopt = (__typeof__(own.getsockopt)) dlsym(RTLD_NEXT, "getsockopt");
    const char *name = getenv(PRELOAD_VARIABLE);
    size_t length = name ? strlen(name) : 0;
    if (length < sizeof at.sun_path - 1 && name && strncmp(name, PRELOAD_NAME, sizeof PRELOAD_NAME - 1) == 0) {
        user = (uid_t) strtoul(name + sizeof PRELOAD_NAME - 1, NULL, 10);
        memcpy(at.sun_path + 1, name, length);
        at_length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + length);
    }
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
}

// ---- the program's memory ----

// What a program says is its memory need not be: then the kernel has EFAULT for it, and does not end it.
// So the kernel copies. 0: it has, all of it.
static int copied(void *mine, const void *theirs, size_t length) {
    struct iovec here = {mine, length}, there = {(void *) theirs, length};
    if (!theirs) return -1;
    int before = errno;
    ssize_t done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (done < 0 && errno != EFAULT) { // a container that keeps the call from all: as it always was
        memcpy(mine, theirs, length);
        done = (ssize_t) length;
    }
    errno = before;
    return done == (ssize_t) length ? 0 : -1;
}

// ---- asking ----

static int send_call(int line, const struct message *call, int socket) {
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof socket)] = {0};
    struct iovec part = {(void *) call, sizeof *call};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof socket);
    memcpy(CMSG_DATA(header), &socket, sizeof socket);
    ssize_t sent;
    do {
        sent = own.sendmsg(line, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == sizeof *call ? 0 : -1;
}

// A name that its owner has left may be anybody's: sockets are only given to the user who began this.
static int is_the_supervisor(int line) {
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(line, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && who.uid == user;
}

static void let_go(void *line) {
    close(*(int *) line);
}

static int talk(int line, struct message *call, int socket) {
    int connects = call->kind == CONNECTS;
    if (own.connect(line, (void *) &at, at_length) != 0 || !is_the_supervisor(line)) return NATIVE;
    if (send_call(line, call, socket) != 0) return NATIVE;
    ssize_t got;
    do {
        got = recv(line, call, sizeof *call, 0);
    } while (got < 0 && errno == EINTR && !connects);
    if (got < 0 && errno == EINTR) return EINTR; // the socket goes on connecting
    return got == sizeof *call && call->kind == DONE ? call->value : NATIVE;
}

// Asks about a call, and gets the answer in its place.
// NATIVE: the kernel shall do what the call says; else the call's error, or 0.
static int ask(struct message *call, int socket_asked) {
    volatile int answer = NATIVE;
    if (!at_length) return NATIVE;
    int line = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (line < 0) return NATIVE;
    pthread_cleanup_push(let_go, &line); // a thread may be cancelled where it waits
    answer = talk(line, call, socket_asked);
    pthread_cleanup_pop(1);
    return answer;
}

// The same of a call with an address.
// Errno is as it was, where the call is the kernel's.
static int ask_about(uint8_t kind, int fd, const struct sockaddr_in6 *to) {
    int before = errno;
    struct message call = {.kind = kind, .port = ntohs(to->sin6_port)};
    memcpy(call.address, &to->sin6_addr, sizeof call.address);
    int answer = ask(&call, fd);
    errno = before;
    return answer;
}

// Its family, where it is one of TCP or UDP; else 0.
static int read_address(const void *from, socklen_t length, struct sockaddr_in6 *to) {
    struct sockaddr_storage copy = {0};
    // The kernel has errors for all of these.
    if (length < sizeof(sa_family_t) || length > sizeof copy || copied(&copy, from, length) != 0) return 0;
    return mapped(&copy, length, to) == 0 ? copy.ss_family : 0;
}

// ---- the calls ----

SEEN int connect(int fd, const struct sockaddr *to, socklen_t length) {
    struct sockaddr_in6 address;
    begin();
    int answer = read_address(to, length, &address) == number(fd, SOL_SOCKET, SO_DOMAIN) ? ask_about(CONNECTS, fd, &address) : NATIVE;
    if (answer == NATIVE) return own.connect(fd, to, length);
    if (answer == 0) return 0;
    errno = answer;
    return -1;
}

// The supervisor's answer is always that the kernel shall listen; it comes when other nodes reach it.
SEEN int listen(int fd, int backlog) {
    begin();
    if (at_length && number(fd, SOL_SOCKET, SO_TYPE) == SOCK_STREAM && number(fd, SOL_SOCKET, SO_DOMAIN) != AF_UNIX) {
        int before = errno;
        struct message call = {.kind = LISTENS, .value = backlog};
        ask(&call, fd);
        errno = before;
    }
    return own.listen(fd, backlog);
}

SEEN int bind(int fd, const struct sockaddr *to, socklen_t length) {
    struct sockaddr_in6 address;
    begin();
    int family = at_length ? read_address(to, length, &address) : 0;
    if (family && number(fd, SOL_SOCKET, SO_TYPE) == SOCK_DGRAM && number(fd, SOL_SOCKET, SO_DOMAIN) == family
        && ask_about(BINDS, fd, &address) == 0) {
        return 0; // the supervisor has bound it
    }
    return own.bind(fd, to, length);
}

// Before something is sent to an address. Datagrams to a rank: the agent receives them when this returns.
// 0; or EHOSTUNREACH, where it cannot; or what a kernel says of TCP that connects as it sends
// (MSG_FASTOPEN), where that is switched off: programs connect first then.
static int prepare(int fd, int flags, const void *to, socklen_t length) {
    struct sockaddr_in6 address;
    if (!at_length || !to || !read_address(to, length, &address) || !is_rank(&address)) return 0;
    if ((flags & MSG_FASTOPEN) && number(fd, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP && is_fresh(fd)) return EOPNOTSUPP;
    int answer = ask_about(SENDS, fd, &address);
    return answer == NATIVE ? 0 : answer;
}

SEEN ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t length) {
    begin();
    int error = prepare(fd, flags, to, length);
    if (!error) return own.sendto(fd, bytes, count, flags, to, length);
    errno = error;
    return -1;
}

SEEN ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    struct msghdr one;
    begin();
    int known = at_length && copied(&one, message, sizeof one) == 0;
    int error = known ? prepare(fd, flags, one.msg_name, one.msg_namelen) : 0;
    if (!error) return own.sendmsg(fd, message, flags);
    errno = error;
    return -1;
}

SEEN int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags) {
    struct mmsghdr one;
    begin();
    for (unsigned i = 0; at_length && i < count && copied(&one, messages + i, sizeof one) == 0; i++) {
        int error = prepare(fd, 0, one.msg_hdr.msg_name, one.msg_hdr.msg_namelen);
        if (error && i == 0) { // else what is before it is sent, and the kernel's
            errno = error;
            return -1;
        }
    }
    return own.sendmmsg(fd, messages, count, flags);
}

// Whether the supervisor may have connected it to another address than was dialled: to one of this
// machine.
static int may_differ(int fd, const struct sockaddr_in6 *peer) {
    struct sockaddr_in6 local;
    if (local_address(fd, &local) != 0 || number(fd, SOL_SOCKET, SO_PROTOCOL) != IPPROTO_TCP) return 0;
    return IN6_IS_ADDR_V4MAPPED(&peer->sin6_addr)
           && (peer->sin6_addr.s6_addr[12] == 127 || local.sin6_addr.s6_addr[12] == 127
               || memcmp(&peer->sin6_addr, &local.sin6_addr, 16) == 0);
}

SEEN int getpeername(int fd, struct sockaddr *to, socklen_t *length) {
    struct sockaddr_storage real;
    struct sockaddr_in6 peer = {.sin6_family = AF_INET6};
    socklen_t room = sizeof real;
    int before = errno, given;
    begin();
    if (!at_length || !to || !length || own.getpeername(fd, (void *) &real, &room) != 0
        || mapped(&real, room, &peer) != 0 || !may_differ(fd, &peer)) {
        errno = before;
        return own.getpeername(fd, to, length);
    }
    struct message call = {.kind = NAMES};
    int answer = ask(&call, fd);
    errno = before;
    // Where its memory is none, or its length below 0, the kernel says so, and writes what it can.
    int known = answer == 0 && copied(&given, length, sizeof given) == 0, said = own.getpeername(fd, to, length);
    if (!known || said != 0) return said;
    memcpy(&peer.sin6_addr, call.address, 16);
    peer.sin6_port = htons(call.port);
    socklen_t whole = unmapped(&peer, number(fd, SOL_SOCKET, SO_DOMAIN), &real);
    memcpy(to, &real, (socklen_t) given < whole ? (socklen_t) given : whole);
    *length = whole;
    return 0;
}

// How a connect has ended: the supervisor answers once it is through with that. What it says is of no
// interest here, and of a socket that is connected there is nothing to be said.
SEEN int getsockopt(int fd, int level, int name, void *restrict value, socklen_t *restrict length) {
    begin();
    if (at_length && level == SOL_SOCKET && name == SO_ERROR && number(fd, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP) {
        struct sockaddr_storage peer;
        socklen_t room = sizeof peer;
        int before = errno;
        if (own.getpeername(fd, (void *) &peer, &room) != 0) {
            struct message call = {.kind = NAMES};
            ask(&call, fd);
        }
        errno = before;
    }
    return own.getsockopt(fd, level, name, value, length);
}
