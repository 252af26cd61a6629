// Connections of the library: bytes, handshakes, control links.
#ifndef IBIDEM_NET_H
#define IBIDEM_NET_H

#include "wire.h"
#include <pthread.h>

enum { HANDSHAKE_MILLIS = 10000, PING_MILLIS = 5000, SILENT_MILLIS = 15000 };

int64_t now_millis(void);
// What is left until then; 0: nothing.
int left_until(int64_t end);

// All or an error, whatever the time.
int send_all(int fd, const void *bytes, size_t count);
int receive_all(int fd, void *bytes, size_t count, int64_t end);
// 1: readable; 0: the time is over.
int is_readable(int fd, int millis);

int dial_name(const char *host_and_port, int64_t end);
int dial_address(const struct address *address, int64_t end);
// Listens on a port of its own, of all addresses of both families that there are.
int listen_anywhere(uint16_t *port);
// This machine's addresses, those of the loopback only where there are no others, then the wildcard;
// IPv4 before IPv6. Returns how many.
unsigned own_addresses(struct address *addresses, unsigned most, uint16_t port);

// The key of the job whose hub a socket is connected to: of the file that IBIDEM_JOB names, or that
// lies where launchers put it.
void job_of(int fd, struct job *job);

// As initiator: says HELLO, and `peer` is who answers; all zero before: anybody.
int shake_hands(int fd, struct identity *self, struct hello *hello, uint8_t peer[ID], int64_t end);
// As responder. What `judge` says is the status of the REPLY, its reason in reply->reason.
typedef int judge(void *whom, const struct hello *hello, struct reply *reply);
int shake_hands_back(int fd, const struct identity *self, struct hello *hello, judge *judge, void *whom);

// ---- docs/wire/control.md ----

enum frame_kind { MESSAGE, PING, PONG, GOODBYE };

struct line {
    int fd;
    pthread_mutex_t writing;
};

void line_begin(struct line *line, int fd);
int line_send(struct line *line, int kind, const void *bytes, size_t count);
// Waits for a MESSAGE, and answers what comes between.
// `tick`, if there is one, is called every tenth of a second at least.
int64_t line_receive(struct line *line, uint8_t *bytes, size_t most, void (*tick)(void *whom), void *whom);
void line_end(struct line *line, const char *goodbye);

#endif
