// The gate: what keeps the SYN of a program's socket unanswered until the agent's meets it (supervise.c).
#define _GNU_SOURCE
#include "launch.h"
#include "sockets.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

// Ports that the kernel gives to nobody, as the agent has them (SourcePorts).
#define FIRST_OWN 61000
#define LAST_OWN 65535
#define MOST_TRIES 64

// Takes the one place that a listener's queue has, so that the kernel drops what else comes.
static int fill(struct call *call, const struct sockaddr_in6 *at, int family) {
    struct sockaddr_storage to;
    call->filler = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return call->filler < 0 ? -1 : connect(call->filler, (void *) &to, unmapped(at, family, &to));
}

// The first port above those that the kernel chooses from.
static int first_own(void) {
    static int first;
    int last = 0;
    if (first) return first;
    FILE *range = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
    if (!range || fscanf(range, "%*d %d", &last) != 1) last = 0;
    if (range) fclose(range);
    return first = last < FIRST_OWN ? FIRST_OWN : last + 1;
}

// Listens at a port that nobody else listens at. The agent's sockets that have closed first keep theirs
// for a minute (TIME_WAIT), which keeps nobody from it who reuses it, too.
static int listen_alone(int fd, const struct sockaddr_in6 *address, int family, int backlog) {
    static unsigned next;
    struct sockaddr_in6 at = *address;
    struct sockaddr_storage bound;
    int one = 1, off = 0, count = LAST_OWN - first_own() + 1;
    if (!next) next = (unsigned) getpid();
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &off, sizeof off);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    for (int i = 0; i < MOST_TRIES && i < count; i++) {
        at.sin6_port = htons((uint16_t) (first_own() + (int) (next++ % (unsigned) count)));
        if (bind(fd, (void *) &bound, unmapped(&at, family, &bound)) == 0) goto bound;
    }
    at.sin6_port = 0;
    if (bind(fd, (void *) &bound, unmapped(&at, family, &bound)) != 0) return -1;
bound:
    if (listen(fd, backlog) != 0) return -1;
    return setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one); // for the agent's, beside it
}

// It drops by a filter, which newer kernels take for TCP from nobody who may not configure the network;
// else as its queue is full. Then its port is its own: what comes to a port of several is any one's.
int gate(struct call *call, struct sockaddr_in6 *at, int family) {
    static int filters = 1;
    struct sockaddr_storage bound;
    struct sock_filter none[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
    struct sock_fprog drop = {1, none};
    int one = 1, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (filters && setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &drop, sizeof drop) != 0) {
        if (errno != EPERM) goto failed;
        filters = 0;
    }
    // Somebody may listen on that port of all addresses.
    int shared = filters && at->sin6_port && bind(fd, (void *) &bound, unmapped(at, family, &bound)) == 0;
    if ((shared ? listen(fd, filters) : listen_alone(fd, at, family, filters)) == 0 && local_address(fd, at) == 0
        && (filters || fill(call, at, family) == 0)) {
        return fd;
    }
failed:
    close(fd);
    return -1;
}
