// The program's sockets, as their supervisor has them, and addresses: see sockets.h.
#define _GNU_SOURCE
#include "sockets.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Descriptors belong to the whole process, of which the caller may be any thread.
static int leader(int thread) {
    char path[64], line[128];
    int id = thread;
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    FILE *status = fopen(path, "re");
    if (!status) return thread;
    while (fgets(line, sizeof line, status) && sscanf(line, "Tgid: %d", &id) != 1) {}
    fclose(status);
    return id;
}

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL // Linux 6.9; before, only of leaders
#endif

enum { MOST_THREADS = 16 };

// Who has asked lately. Such a descriptor is of that thread, also when its number is another's.
static struct known {
    uint32_t thread;
    int pidfd;
} known[MOST_THREADS];

static int get(int pidfd, uint64_t descriptor) {
    return (int) syscall(SYS_pidfd_getfd, pidfd, (int) descriptor, 0);
}

int own_socket(uint32_t thread, uint64_t descriptor) {
    struct known *last = known + thread % MOST_THREADS;
    if (last->thread == thread && thread) {
        int socket = get(last->pidfd, descriptor);
        if (socket >= 0 || errno != ESRCH) return socket;
    }
    int pidfd = (int) syscall(SYS_pidfd_open, thread, PIDFD_THREAD);
    if (pidfd < 0) pidfd = (int) syscall(SYS_pidfd_open, thread, 0);
    if (pidfd >= 0) {
        if (last->thread) close(last->pidfd);
        *last = (struct known) {thread, pidfd};
        return get(pidfd, descriptor);
    }
    pidfd = (int) syscall(SYS_pidfd_open, leader((int) thread), 0);
    if (pidfd < 0) return -1;
    int socket = get(pidfd, descriptor);
    close(pidfd);
    return socket;
}

int number(int socket, int level, int option) {
    int value = -1;
    socklen_t length = sizeof value;
    return getsockopt(socket, level, option, &value, &length) == 0 ? value : -1;
}

uint64_t cookie(int socket) {
    uint64_t value = 0;
    socklen_t length = sizeof value;
    return getsockopt(socket, SOL_SOCKET, SO_COOKIE, &value, &length) == 0 ? value : 0;
}

static int is_tcp(int socket) {
    return number(socket, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP
           && number(socket, SOL_SOCKET, SO_TYPE) == SOCK_STREAM;
}

// Whoever listens by multipath TCP, as programs in Go do, takes connections of plain TCP, too.
int takes_tcp(int socket) {
    return is_tcp(socket)
           || (number(socket, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_MPTCP
               && number(socket, SOL_SOCKET, SO_TYPE) == SOCK_STREAM);
}

int state(int socket) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? info.tcpi_state : -1;
}

int is_fresh(int socket) {
    return state(socket) == TCP_CLOSE;
}

int mapped(const struct sockaddr_storage *from, socklen_t length, struct sockaddr_in6 *to) {
    memset(to, 0, sizeof *to);
    to->sin6_family = AF_INET6;
    if (from->ss_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *four = (const void *) from;
        to->sin6_port = four->sin_port;
        to->sin6_addr.s6_addr[10] = to->sin6_addr.s6_addr[11] = 0xff;
        memcpy(to->sin6_addr.s6_addr + 12, &four->sin_addr, 4);
        return 0;
    }
    if (from->ss_family == AF_INET6 && length >= 24) { // older programs know no scope
        memcpy(to, from, length < sizeof *to ? length : sizeof *to);
        return 0;
    }
    return -1;
}

socklen_t unmapped(const struct sockaddr_in6 *from, int family, struct sockaddr_storage *to) {
    memset(to, 0, sizeof *to);
    if (family == AF_INET6) {
        memcpy(to, from, sizeof *from);
        return sizeof *from;
    }
    struct sockaddr_in *four = (void *) to;
    four->sin_family = AF_INET;
    four->sin_port = from->sin6_port;
    memcpy(&four->sin_addr, from->sin6_addr.s6_addr + 12, 4);
    return sizeof *four;
}

int local_address(int socket, struct sockaddr_in6 *to) {
    return family_and_address(socket, to) < 0 ? -1 : 0;
}

int family_and_address(int socket, struct sockaddr_in6 *to) {
    struct sockaddr_storage at;
    socklen_t length = sizeof at;
    int known = getsockname(socket, (void *) &at, &length) == 0 && mapped(&at, length, to) == 0;
    return known ? at.ss_family : -1;
}

int is_rank(const struct sockaddr_in6 *at) {
    const uint8_t *bytes = at->sin6_addr.s6_addr;
    return IN6_IS_ADDR_V4MAPPED(&at->sin6_addr) && bytes[12] == 127 && bytes[13] == 80;
}

int is_any(const struct sockaddr_in6 *at) {
    static const uint8_t none[4];
    return IN6_IS_ADDR_UNSPECIFIED(&at->sin6_addr)
           || (IN6_IS_ADDR_V4MAPPED(&at->sin6_addr) && memcmp(at->sin6_addr.s6_addr + 12, none, sizeof none) == 0);
}

int same(const struct sockaddr_in6 *one, const struct sockaddr_in6 *other) {
    return memcmp(&one->sin6_addr, &other->sin6_addr, 16) == 0 && one->sin6_port == other->sin6_port;
}

int is_local(const struct sockaddr_in6 *at) {
    struct sockaddr_in6 any = *at;
    struct sockaddr_storage four;
    if (IN6_IS_ADDR_V4MAPPED(&at->sin6_addr) && at->sin6_addr.s6_addr[12] == 127) return 1;
    any.sin6_port = 0;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int bound = IN6_IS_ADDR_V4MAPPED(&at->sin6_addr) && fd >= 0
                && bind(fd, (void *) &four, unmapped(&any, AF_INET, &four)) == 0;
    if (fd >= 0) close(fd);
    return bound;
}
