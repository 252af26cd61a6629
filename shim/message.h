// What launchers and agents tell each other (docs/wire/wrap.md), and the preloaded library asks.
#ifndef IBIDEM_MESSAGE_H
#define IBIDEM_MESSAGE_H

#include <stdint.h>

enum kind {
    HELLO = 1, CONNECTS, LISTENS, HELD, SENDS, BINDS, // from the launcher
    NAMES,                            // from the preloaded library alone: who is the socket's peer?
    CONTINUE = 16, HOLD, DONE, DIRECT // from the agent
};

struct message {
    uint8_t kind;
    uint8_t nonblocking;
    uint16_t port;
    int32_t value;
    uint64_t id;
    uint8_t address[16];
};

// Of the supervisor that the preloaded library asks: "ibidem-wrap-USER-RANDOM", an abstract address
// of Unix sockets, in this variable.
#define PRELOAD_VARIABLE "IBIDEM_WRAP"
#define PRELOAD_NAME "ibidem-wrap-"

#endif
