// The key of the job that a program was started in: docs/wire/handshake.md, "The key of a job".
#include "net.h"
#include "../ibidem.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { LONGEST_LINE = 256 };

// The port at this machine's loopback to which a socket is connected; 0: it is not.
static unsigned loopback_port(int fd) {
    struct sockaddr_in6 at;
    struct sockaddr_in four;
    socklen_t length = sizeof at;
    if (getpeername(fd, (void *) &at, &length) != 0) return 0;
    if (at.sin6_family == AF_INET) {
        memcpy(&four, &at, sizeof four);
        return ntohl(four.sin_addr.s_addr) >> 24 == 127 ? ntohs(four.sin_port) : 0;
    }
    int ours = IN6_IS_ADDR_LOOPBACK(&at.sin6_addr) || (IN6_IS_ADDR_V4MAPPED(&at.sin6_addr) && at.sin6_addr.s6_addr[12] == 127);
    return at.sin6_family == AF_INET6 && ours ? ntohs(at.sin6_port) : 0;
}

static int read_hex(const char *text, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned one;
        if (sscanf(text + 2 * i, "%2x", &one) != 1) return 0;
        bytes[i] = (uint8_t) one;
    }
    return 1;
}

void job_named(struct job *job) {
    static const char NAME[] = "ibidem job 1 name\n";
    uint8_t mac[MAC];
    HMAC(EVP_sha256(), job->secret, sizeof job->secret, (const uint8_t *) NAME, sizeof NAME - 1, mac, NULL);
    for (int i = 0; i < 16; i++) snprintf(job->name + 2 * i, 3, "%02x", mac[i]);
}

void job_mac(const struct job *job, const char *what, const struct out *hello, const struct out *reply, uint8_t mac[MAC]) {
    uint8_t all[64 + LARGEST_HELLO + LARGEST_REPLY];
    struct out out = {.bytes = all, .size = sizeof all};
    put(&out, what, strlen(what));
    put(&out, hello->bytes, hello->length);
    put(&out, reply->bytes, reply->length);
    HMAC(EVP_sha256(), job->secret, sizeof job->secret, all, out.length, mac, NULL);
}

void job_of(int fd, struct job *job) {
    const char *path = getenv("IBIDEM_JOB");
    unsigned port = loopback_port(fd), at = 0;
    char line[LONGEST_LINE];
    int good = 0;
    *job = (struct job) {.name = ""};
    if (!path || !path[strspn(path, " \t")]) {
        snprintf(job->why, sizeof job->why, "IBIDEM_JOB names no key of a job");
        return;
    }
    FILE *file = fopen(path, "re");
    if (!file) {
        snprintf(job->why, sizeof job->why, "IBIDEM_JOB names %.150s, %s", path,
                 errno == ENOENT ? "which was removed, or the job ended" : strerror(errno));
        return;
    }
    int head = fgets(line, sizeof line, file) && strcmp(line, "ibidem job 1\n") == 0;
    while (head && fgets(line, sizeof line, file)) {
        if (strncmp(line, "key ", 4) == 0) good = read_hex(line + 4, job->secret, sizeof job->secret);
        if (strncmp(line, "port ", 5) == 0) at = (unsigned) strtoul(line + 5, NULL, 10);
    }
    fclose(file);
    if (!good) snprintf(job->why, sizeof job->why, "IBIDEM_JOB names %.150s, which is no key of a job", path);
    else if (!port || at != port) snprintf(job->why, sizeof job->why, "IBIDEM_JOB names the key of the hub at port %u", at);
    else job_named(job);
}
