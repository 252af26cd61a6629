// Where programs take connections or datagrams, so that the next agent is told of it; and the kernel's
// tables of sockets (/proc/net), which say what is there still.
#define _GNU_SOURCE
#include "launch.h"
#include "sockets.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { ANY_STATE = 0, LISTENING = 0x0a, PORTS = 0x10000 };

// Ports at which somebody is, and at which somebody is with an address that stands for no rank.
struct ports {
    uint8_t all[PORTS / 8];
    uint8_t others[PORTS / 8];
};

static int has(const uint8_t *ports, unsigned port) {
    return ports[port / 8] >> port % 8 & 1;
}

static void read_table(const char *path, unsigned wanted, struct ports *to) {
    char line[512], address[33];
    FILE *table = fopen(path, "re");
    if (!table) return;
    while (fgets(line, sizeof line, table)) {
        unsigned port, state;
        if (sscanf(line, " %*d: %32[0-9A-F]:%4x %*32[0-9A-F]:%*4x %2x", address, &port, &state) != 3) continue;
        if (wanted != ANY_STATE && state != wanted) continue;
        uint32_t four = (uint32_t) strtoul(address, NULL, 16); // as it lies in memory
        uint8_t bytes[sizeof four];
        memcpy(bytes, &four, sizeof four);
        to->all[port / 8] |= (uint8_t) (1 << port % 8);
        int rank = strlen(address) == 8 && bytes[0] == 127 && bytes[1] == 80;
        if (!rank) to->others[port / 8] |= (uint8_t) (1 << port % 8);
    }
    fclose(table);
}

static const struct ports *ports(uint8_t kind) {
    static struct ports now;
    memset(&now, 0, sizeof now);
    read_table(kind == LISTENS ? "/proc/net/tcp" : "/proc/net/udp", kind == LISTENS ? LISTENING : ANY_STATE, &now);
    read_table(kind == LISTENS ? "/proc/net/tcp6" : "/proc/net/udp6", kind == LISTENS ? LISTENING : ANY_STATE, &now);
    return &now;
}

int only_ranks_receive(uint16_t port) {
    const struct ports *now = ports(BINDS);
    return has(now->all, port) && !has(now->others, port);
}

// Forgets what is closed, of both kinds.
static void forget_closed(struct supervisor *s) {
    static const uint8_t kinds[] = {LISTENS, BINDS};
    for (unsigned k = 0; k < sizeof kinds; k++) {
        uint8_t kind = kinds[k];
        const struct ports *now = ports(kind);
        unsigned left = 0;
        for (unsigned i = 0; i < s->listening; i++) {
            struct place place = s->listens[i];
            if (place.kind != kind || has(now->all, ntohs(place.at.sin6_port))) s->listens[left++] = place;
        }
        s->listening = left;
    }
}

void note_place(struct supervisor *s, uint8_t kind, const struct sockaddr_in6 *at, uint32_t process) {
    static int said;
    for (unsigned i = 0; i < s->listening; i++) {
        if (s->listens[i].kind == kind && same(&s->listens[i].at, at)) return;
    }
    if (s->listening == MOST_LISTENS) forget_closed(s);
    if (s->listening < MOST_LISTENS) {
        s->listens[s->listening++] = (struct place) {*at, kind};
    } else {
        say_of(s, process, &said, "receives at more than 4096 addresses: when another agent begins, nobody reaches what is beyond");
    }
}

// All at once: a message by itself takes much more of the line's room.
int tell_places(struct supervisor *s) {
    static struct message all[MOST_LISTENS];
    forget_closed(s);
    for (unsigned i = 0; i < s->listening; i++) {
        const struct sockaddr_in6 *at = &s->listens[i].at;
        all[i] = (struct message) {.kind = s->listens[i].kind, .port = ntohs(at->sin6_port)};
        memcpy(all[i].address, &at->sin6_addr, sizeof all[i].address);
    }
    size_t length = s->listening * sizeof *all;
    return !length || send(s->agent, all, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t) length ? 0 : -1;
}
