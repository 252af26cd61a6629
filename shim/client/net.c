// Connections: see net.h.
#define _GNU_SOURCE
#include "net.h"
#include "../ibidem.h"
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MILLIS = 100 };

int64_t now_millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int left_until(int64_t end) {
    int64_t left = end - now_millis();
    return left < 0 ? 0 : left > 3600000 ? 3600000 : (int) left;
}

int send_all(int fd, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    while (count) {
        ssize_t done = send(fd, at, count, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return fail_with(IBIDEM_LOST, "the connection: %s", strerror(errno));
        at += done;
        count -= (size_t) done;
    }
    return 0;
}

int is_readable(int fd, int millis) {
    struct pollfd on = {.fd = fd, .events = POLLIN};
    int rc = poll(&on, 1, millis);
    return rc > 0 || (rc < 0 && errno == EINTR && is_readable(fd, 0));
}

int receive_all(int fd, void *bytes, size_t count, int64_t end) {
    uint8_t *at = bytes;
    while (count) {
        if (!is_readable(fd, left_until(end))) return fail_with(IBIDEM_TIMEOUT, "the other end says nothing");
        ssize_t done = recv(fd, at, count, 0);
        if (done < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (done < 0) return fail_with(IBIDEM_LOST, "the connection: %s", strerror(errno));
        if (done == 0) return fail_with(IBIDEM_LOST, "the other end has closed the connection");
        at += done;
        count -= (size_t) done;
    }
    return 0;
}

// ---- addresses ----

static int dial_at(const struct sockaddr *at, socklen_t length, int64_t end) {
    int one = 1, error = 0, fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    socklen_t room = sizeof error;
    if (fd < 0 && errno == EAFNOSUPPORT) {
        return fail_with(IBIDEM_UNREACHABLE, "the kernel has no IPv6, of which that address is: boot it without ipv6.disable=1, or use an IPv4 address");
    }
    if (fd < 0) return fail_with(IBIDEM_UNREACHABLE, "no socket: %s", strerror(errno));
    if (connect(fd, at, length) != 0) {
        struct pollfd on = {.fd = fd, .events = POLLOUT};
        if (errno != EINPROGRESS) error = errno;
        else if (poll(&on, 1, left_until(end)) <= 0) error = ETIMEDOUT;
        else getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &room);
    }
    if (error) {
        close(fd);
        return fail_with(IBIDEM_UNREACHABLE, "%s", strerror(error));
    }
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static const struct address LOOPBACKS[] = {
    {.length = 4, .bytes = {127, 0, 0, 1}},
    {.length = 16, .bytes = {[15] = 1}},
};

int dial_address(const struct address *address, int64_t end) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(address->port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(address->port)};
    if (address->length == 4) {
        memcpy(&four.sin_addr, address->bytes, 4);
        return dial_at((void *) &four, sizeof four, end);
    }
    memcpy(&six.sin6_addr, address->bytes, 16);
    return dial_at((void *) &six, sizeof six, end);
}

// `localhost` is where this machine has it, as RFC 6761 says: what stands in /etc/hosts may be an
// address of a family that this machine does not have.
static int dial_localhost(const char *port, int64_t end) {
    int fd = IBIDEM_UNREACHABLE;
    for (unsigned i = 0; i < 2 && fd < 0; i++) {
        struct address at = LOOPBACKS[i];
        at.port = (uint16_t) strtoul(port, NULL, 10);
        fd = dial_address(&at, end);
    }
    return fd;
}

// Its host, without the brackets of an IPv6 address, and its port; NULL: it is not host:port.
static const char *split(const char *host_and_port, char host[256]) {
    const char *colon = strrchr(host_and_port, ':'), *from = host_and_port;
    size_t length = colon ? (size_t) (colon - from) : 0;
    if (length > 2 && from[0] == '[' && from[length - 1] == ']') {
        from++;
        length -= 2;
    }
    if (!colon || length >= 256) return NULL;
    memcpy(host, from, length);
    host[length] = 0;
    return colon + 1;
}

int dial_name(const char *host_and_port, int64_t end) {
    char host[256];
    const char *port = split(host_and_port, host);
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM};
    if (!port) return fail_with(IBIDEM_INVALID, "'%s' is not host:port", host_and_port);
    if (strcasecmp(host, "localhost") == 0) return dial_localhost(port, end);
    int rc = getaddrinfo(host, port, &hints, &found);
    if (rc != 0) return fail_with(IBIDEM_UNREACHABLE, "%s: %s", host_and_port, gai_strerror(rc));
    int fd = IBIDEM_UNREACHABLE;
    for (struct addrinfo *one = found; one && fd < 0; one = one->ai_next) fd = dial_at(one->ai_addr, one->ai_addrlen, end);
    freeaddrinfo(found);
    return fd;
}

// By both families, or by one. -1: there is no such socket.
static int listen_by(int family, uint16_t *port) {
    struct sockaddr_in6 at = {.sin6_family = (sa_family_t) family};
    socklen_t length = family == AF_INET6 ? sizeof at : sizeof(struct sockaddr_in);
    int off = 0, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (fd >= 0 && bind(fd, (void *) &at, length) == 0 && listen(fd, 64) == 0
        && getsockname(fd, (void *) &at, &length) == 0) {
        *port = ntohs(at.sin6_port); // which is where that of IPv4 is, too
        return fd;
    }
    int error = errno;
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

int listen_anywhere(uint16_t *port) {
    int fd = listen_by(AF_INET6, port);
    if (fd < 0) fd = listen_by(AF_INET, port); // the kernel has no IPv6
    return fd < 0 ? fail_with(IBIDEM_INVALID, "cannot listen: %s", strerror(errno)) : fd;
}

// Those of this family, of the loopback or of the others, that mean the same to a peer.
static unsigned add_addresses(struct ifaddrs *all, int family, unsigned loopback, struct address *addresses, unsigned most) {
    unsigned count = 0;
    for (struct ifaddrs *one = all; one && count < most; one = one->ifa_next) {
        if (!one->ifa_addr || one->ifa_addr->sa_family != family || !(one->ifa_flags & IFF_UP)) continue;
        if ((one->ifa_flags & IFF_LOOPBACK) != loopback) continue;
        struct sockaddr_in *four = (void *) one->ifa_addr;
        struct sockaddr_in6 *six = (void *) one->ifa_addr;
        if (family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)) continue;
        struct address *next = addresses + count++;
        *next = (struct address) {.length = family == AF_INET ? 4 : 16};
        memcpy(next->bytes, family == AF_INET ? (void *) &four->sin_addr : (void *) &six->sin6_addr, next->length);
    }
    return count;
}

unsigned own_addresses(struct address *addresses, unsigned most, uint16_t port) {
    struct ifaddrs *all = NULL;
    unsigned count = 0;
    most--; // for the wildcard
    if (getifaddrs(&all) != 0) all = NULL;
    for (unsigned i = 0; i < 4 && !(i == 2 && count); i++) {
        count += add_addresses(all, i % 2 ? AF_INET6 : AF_INET, i < 2 ? 0 : IFF_LOOPBACK, addresses + count, most - count);
    }
    if (all) freeifaddrs(all);
    addresses[count++] = (struct address) {.length = 4};
    for (unsigned i = 0; i < count; i++) addresses[i].port = port;
    return count;
}

// ---- handshakes ----

// What begins like a HELLO or a REPLY, whole. Returns its length.
static int receive_greeting(int fd, uint8_t *bytes, size_t most, int64_t end) {
    int rc = receive_all(fd, bytes, 10, end);
    if (rc < 0) return rc;
    size_t length = bytes[8] | (size_t) bytes[9] << 8;
    if (memcmp(bytes, "IBDM", 4) != 0 || 10 + length > most) return fail_with(IBIDEM_LOST, "it does not speak Ibidem, or another version");
    rc = receive_all(fd, bytes + 10, length, end);
    return rc < 0 ? rc : (int) (10 + length);
}

int shake_hands(int fd, struct identity *self, struct hello *hello, uint8_t peer[ID], int64_t end) {
    static const uint8_t anybody[ID];
    uint8_t said[LARGEST_HELLO], heard[LARGEST_REPLY], proof[SIGNATURE], id[ID];
    struct out asked = {.bytes = said, .size = sizeof said}, answer = {.bytes = heard};
    struct reply reply;
    struct job job = self->job;
    int64_t limit = now_millis() + HANDSHAKE_MILLIS;
    memcpy(hello->key, self->public_key, KEY);
    memcpy(hello->wanted, peer, ID);
    int rc = random_bytes(hello->nonce, NONCE);
    if (hello->purpose == BOOTSTRAP) {
        job_of(fd, &job);
        snprintf(hello->token, sizeof hello->token, "%s", job.name);
    }
    encode_hello(&asked, hello);
    if (rc == 0) rc = send_all(fd, said, asked.length);
    if (rc == 0) rc = receive_greeting(fd, heard, sizeof heard, end < limit ? end : limit);
    if (rc < 0) return rc;
    if (decode_reply(heard, (size_t) rc, &reply) != 0) return fail_with(IBIDEM_LOST, "a reply that does not obey its format");
    answer.length = (size_t) rc - SIGNATURE;
    struct said signed_ = {BY_RESPONDER, &asked, &answer, reply.status ? NULL : &job};
    if (verify_parts(reply.key, &signed_, heard + answer.length) != 0) return IBIDEM_REFUSED;
    id_of(reply.key, id);
    if (memcmp(peer, anybody, ID) != 0 && memcmp(peer, id, ID) != 0) return fail_with(IBIDEM_UNREACHABLE, "another node answers there");
    if (reply.status == JOB) return fail_with(IBIDEM_REFUSED, "refused (%d): %s (here %s)", reply.status, reply.reason, job.why);
    if (reply.status) return fail_with(IBIDEM_REFUSED, "refused (%d): %s", reply.status, reply.reason);
    answer.length += SIGNATURE;
    signed_.what = BY_INITIATOR;
    rc = sign_parts(self, &signed_, proof);
    if (rc == 0) rc = send_all(fd, proof, sizeof proof);
    memcpy(peer, id, ID);
    if (hello->purpose == BOOTSTRAP) self->job = job; // all others that the hub lets in have it, too
    return rc;
}

int shake_hands_back(int fd, const struct identity *self, struct hello *hello, judge *judge, void *whom) {
    uint8_t heard[LARGEST_HELLO], said[LARGEST_REPLY], proof[SIGNATURE];
    struct out asked = {.bytes = heard}, answer = {.bytes = said, .size = sizeof said};
    struct reply reply = {.reason = ""};
    int64_t end = now_millis() + HANDSHAKE_MILLIS;
    int rc = receive_greeting(fd, heard, sizeof heard, end);
    if (rc < 0) return rc;
    asked.length = (size_t) rc;
    if (decode_hello(heard, asked.length, hello) != 0) return fail_with(IBIDEM_LOST, "what connects does not say HELLO");
    memcpy(reply.key, self->public_key, KEY);
    if (random_bytes(reply.nonce, NONCE) < 0) return IBIDEM_INVALID;
    reply.status = judge(whom, hello, &reply);
    encode_reply(&answer, &reply);
    struct said signed_ = {BY_RESPONDER, &asked, &answer, reply.status ? NULL : &self->job};
    rc = sign_parts(self, &signed_, proof);
    if (rc < 0) return rc;
    put_bytes(&answer, proof, sizeof proof);
    rc = send_all(fd, said, answer.length);
    if (rc < 0) return rc;
    if (reply.status) {
        shutdown(fd, SHUT_WR);
        receive_all(fd, proof, 1, end); // it closes first, so that it reads why
        return fail_with(IBIDEM_REFUSED, "%s", reply.reason);
    }
    rc = receive_all(fd, proof, sizeof proof, end);
    signed_.what = BY_INITIATOR;
    return rc < 0 ? rc : verify_parts(hello->key, &signed_, proof);
}

// ---- control links ----

void line_begin(struct line *line, int fd) {
    struct timeval limit = {.tv_sec = SILENT_MILLIS / 1000};
    line->fd = fd;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    pthread_mutex_init(&line->writing, NULL);
}

int line_send(struct line *line, int kind, const void *bytes, size_t count) {
    uint8_t head[] = {(uint8_t) count, (uint8_t) (count >> 8), (uint8_t) (count >> 16), 0, (uint8_t) kind};
    pthread_mutex_lock(&line->writing);
    int rc = send_all(line->fd, head, sizeof head);
    if (rc == 0 && count) rc = send_all(line->fd, bytes, count);
    pthread_mutex_unlock(&line->writing);
    return rc;
}

// Waits until something comes, and asks for a sign of life meanwhile.
static int alive(struct line *line, void (*tick)(void *whom), void *whom) {
    int64_t began = now_millis(), asked = began;
    while (!is_readable(line->fd, tick ? TICK_MILLIS : PING_MILLIS)) {
        int64_t now = now_millis();
        if (tick) tick(whom);
        if (now - began > SILENT_MILLIS) return fail_with(IBIDEM_LOST, "nothing has come for %d s", SILENT_MILLIS / 1000);
        if (now - asked > PING_MILLIS) {
            asked = now;
            if (line_send(line, PING, NULL, 0) < 0) return IBIDEM_LOST;
        }
    }
    if (tick) tick(whom);
    return 0;
}

int64_t line_receive(struct line *line, uint8_t *bytes, size_t most, void (*tick)(void *whom), void *whom) {
    for (;;) {
        uint8_t head[5];
        if (alive(line, tick, whom) < 0) return IBIDEM_LOST;
        int64_t end = now_millis() + SILENT_MILLIS;
        if (receive_all(line->fd, head, sizeof head, end) < 0) return IBIDEM_LOST;
        uint32_t length = head[0] | (uint32_t) head[1] << 8 | (uint32_t) head[2] << 16 | (uint32_t) head[3] << 24;
        if (length > (head[4] == MESSAGE ? most : head[4] == GOODBYE ? 256 : 0) || head[4] > GOODBYE) {
            return fail_with(IBIDEM_LOST, "what came is no control frame");
        }
        if (receive_all(line->fd, bytes, length, end) < 0) return IBIDEM_LOST;
        if (head[4] == MESSAGE) return length;
        if (head[4] == GOODBYE) return fail_with(IBIDEM_LOST, "the other end has left: %.*s", (int) length, (char *) bytes);
        if (head[4] == PING && line_send(line, PONG, NULL, 0) < 0) return IBIDEM_LOST;
    }
}

void line_end(struct line *line, const char *goodbye) {
    if (goodbye && line_send(line, GOODBYE, goodbye, strlen(goodbye)) == 0) {
        shutdown(line->fd, SHUT_WR);
    } else {
        shutdown(line->fd, SHUT_RDWR);
    }
}
