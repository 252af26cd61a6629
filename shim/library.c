// Calls about which the preloaded library asks (preload/preload.c). Each has a line of its own: on it
// comes a message that says which call, with the call's socket, and goes the answer. So neither forks
// nor threads nor a program that closes what it does not know have to be thought of, and the socket
// is known by itself, not by a number that may be another's by now.
#define _GNU_SOURCE
#include "launch.h"
#include "sockets.h"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 128, MOST_ANCESTORS = 64 };

void library_name(char *name, size_t room) {
    uint64_t chance = 0;
    if (getrandom(&chance, sizeof chance, 0) != sizeof chance) chance = (uint64_t) getpid();
    snprintf(name, room, PRELOAD_NAME "%u-%016llx", geteuid(), (unsigned long long) chance);
}

// No file, so that it is there for programs that change their root or give up their rights, too, and
// only there where the network is this one's.
int library_listens(const char *name) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    memcpy(at.sun_path + 1, name, strlen(name));
    socklen_t length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    if (bind(fd, (void *) &at, length) == 0 && listen(fd, BACKLOG) == 0) return fd;
    close(fd);
    return -1;
}

static pid_t parent(pid_t process) {
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *stat = fopen(path, "re");
    if (!stat) return 0;
    int is = fgets(line, sizeof line, stat) != NULL, id = 0;
    fclose(stat);
    char *name = is ? strrchr(line, ')') : NULL; // whose name has blanks and brackets as it likes
    return name && sscanf(name, ") %*c %d", &id) == 1 ? id : 0;
}

// A program of this user, or one below this process that has become another's.
static int is_one_of_ours(int line) {
    struct ucred who;
    socklen_t length = sizeof who;
    if (getsockopt(line, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0) return 0;
    if (who.uid == geteuid()) return 1;
    pid_t process = who.pid;
    for (int i = 0; i < MOST_ANCESTORS && process > 1; i++) {
        process = parent(process);
        if (process == getpid()) return 1;
    }
    return 0;
}

void library_connects(struct supervisor *s) {
    int line = accept4(s->library, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (line < 0) return;
    if (s->waiting < MOST_LINES && is_one_of_ours(line)) s->lines[s->waiting++] = line;
    else close(line); // the call is the kernel's
}

// The first descriptor that came along; all others are closed. -1: none.
static int only(struct msghdr *message) {
    int first = -1;
    for (struct cmsghdr *each = CMSG_FIRSTHDR(message); each; each = CMSG_NXTHDR(message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(each) + i * sizeof fd, sizeof fd);
            if (first < 0) first = fd;
            else close(fd);
        }
    }
    return first;
}

static void names(struct supervisor *s, const struct asked *asked) {
    const struct peer *peer = peer_of(s, asked->socket);
    struct message said = {.kind = peer ? DONE : CONTINUE};
    if (peer) {
        memcpy(said.address, &peer->to.sin6_addr, 16);
        said.port = ntohs(peer->to.sin6_port);
    }
    send(asked->line, &said, sizeof said, MSG_NOSIGNAL | MSG_DONTWAIT); // else nobody waits any more
    close(asked->line);
}

static void ask(struct supervisor *s, struct asked *asked, uint8_t kind) {
    switch (kind) {
        case CONNECTS: connects(s, asked); break;
        case LISTENS: listens(s, asked); break;
        case SENDS: sends(s, asked); break;
        case BINDS: binds(s, asked); break;
        case NAMES: names(s, asked); break;
        default: answer(s, asked->id, asked->line, NATIVE);
    }
    if (asked->socket >= 0) close(asked->socket);
}

void library_asks(struct supervisor *s, unsigned which) {
    struct message call;
    _Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
    struct iovec part = {&call, sizeof call};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct asked asked = {.line = s->lines[which], .about = {.sin6_family = AF_INET6}};
    s->lines[which] = s->lines[--s->waiting];
    ssize_t length = recvmsg(asked.line, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    asked.socket = length >= 0 ? only(&message) : -1;
    if (length != sizeof call || (message.msg_flags & MSG_TRUNC) || asked.socket < 0) {
        if (asked.socket >= 0) close(asked.socket);
        close(asked.line);
        return;
    }
    asked.id = ++s->asked;
    asked.process = (uint32_t) s->program;
    asked.backlog = call.value;
    memcpy(&asked.about.sin6_addr, call.address, 16);
    asked.about.sin6_port = htons(call.port);
    ask(s, &asked, call.kind);
}
