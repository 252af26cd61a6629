// Rank 1 between two nodes of Java: sends to both, and hears of both. several HUB POOL
// Rank 3 is killed after it has sent: several HUB POOL doomed
#include "ibidem.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBERS = 100000, LIMIT = 60000 };

static int64_t sure(int64_t rc, const char *what) {
    if (rc >= 0) return rc;
    printf("%s: error %d, %s\n", what, (int) rc, ibidem_why());
    exit(1);
}

static struct ibidem_type type(enum ibidem_connections connections) {
    return (struct ibidem_type) {.struct_size = sizeof(struct ibidem_type), .connections = connections, .capabilities = IBIDEM_USUAL};
}

// To both, until one of them closes its port; then to the other.
static void tell(ibidem_node *node) {
    static double numbers[NUMBERS];
    struct ibidem_type to_many = type(IBIDEM_ONE_TO_MANY);
    struct ibidem_peer lost = {.struct_size = sizeof lost};
    ibidem_send_port *out;
    int32_t more = 0;
    int rc = 0;
    for (int i = 0; i < NUMBERS; i++) numbers[i] = i / 4.0;
    sure(ibidem_send_port_open(node, "out", &to_many, &out), "send port");
    sure(ibidem_connect(out, 0, "in", LIMIT), "connect");
    sure(ibidem_connect(out, 2, "in", LIMIT), "connect");
    rc = ibidem_connect(out, 2, "in", LIMIT);
    printf("%d %s\n", rc, ibidem_why());
    sure(ibidem_put_array(out, IBIDEM_DOUBLE, numbers, NUMBERS), "put");
    sure(ibidem_put_string(out, "both"), "put");
    rc = ibidem_connect(out, 2, "else", LIMIT);
    printf("%d %s\n", rc, ibidem_why());
    sure(ibidem_finish(out), "finish");
    for (rc = 0; rc == 0; more++) {
        sure(ibidem_put(out, IBIDEM_INT, &more, 1), "put");
        rc = ibidem_finish(out);
    }
    printf("%d %s\n", rc, ibidem_why());
    printf("lost %d", (int) sure(ibidem_lost_receiver(out, &lost), "lost"));
    printf(" rank %d %s\n", lost.rank, lost.port);
    printf("further %d\n", (int) sure(ibidem_lost_receiver(out, &lost), "lost"));
    more = -1;
    sure(ibidem_put(out, IBIDEM_INT, &more, 1), "put");
    sure(ibidem_finish(out), "finish");
    ibidem_send_port_close(out);
}

// What ibidem_receive has once the descriptor says so.
static int polled(ibidem_receive_port *in) {
    struct pollfd on = {.fd = ibidem_descriptor(in), .events = POLLIN};
    for (;;) {
        if (poll(&on, 1, LIMIT) != 1) return IBIDEM_TIMEOUT;
        int rc = ibidem_receive(in, 0);
        if (rc != IBIDEM_TIMEOUT) return rc;
    }
}

static int heard(ibidem_receive_port *in, struct ibidem_peer *from) {
    int32_t number = 0;
    sure(polled(in), "receive");
    sure(ibidem_sender(in, from), "sender");
    sure(ibidem_get(in, IBIDEM_INT, &number, 1), "get");
    return number;
}

static void hear(ibidem_node *node) {
    struct ibidem_type from_many = type(IBIDEM_MANY_TO_ONE);
    struct ibidem_peer from = {.struct_size = sizeof from}, of[3];
    int numbers[3] = {0};
    ibidem_receive_port *in;
    sure(ibidem_receive_port_open(node, "c", &from_many, &in), "receive port");
    int rc = ibidem_sender(in, &from);
    printf("%d %s\n", rc, ibidem_why());
    for (int i = 0; i < 2; i++) {
        int number = heard(in, &from);
        if (from.rank < 0 || from.rank > 2) exit(4);
        of[from.rank] = from;
        numbers[from.rank] = number;
    }
    printf("%d of %s, %d of %s\n", numbers[0], of[0].port, numbers[2], of[2].port);
    struct pollfd on = {.fd = ibidem_descriptor(in), .events = POLLIN};
    int number = heard(in, &from);
    printf("%d of %s at %d\n", number, from.port, from.rank);
    printf("quiet %d lost %d\n", poll(&on, 1, 0), ibidem_lost_sender(in, &from));
    fflush(stdout);
    rc = polled(in);
    printf("%d %s\n", rc, ibidem_why());
    printf("lost %d", (int) sure(ibidem_lost_sender(in, &from), "lost"));
    printf(" rank %d %s, further %d\n", from.rank, from.port, ibidem_lost_sender(in, &from));
}

static void send_and_wait(ibidem_node *node) {
    struct ibidem_type from_many = type(IBIDEM_MANY_TO_ONE);
    ibidem_send_port *out;
    const int32_t number = 30;
    sure(ibidem_send_port_open(node, "doomed", &from_many, &out), "send port");
    sure(ibidem_connect(out, 1, "c", LIMIT), "connect");
    sure(ibidem_put(out, IBIDEM_INT, &number, 1), "put");
    sure(ibidem_finish(out), "finish");
    for (;;) pause();
}

int main(int count, char **arguments) {
    ibidem_node *node;
    if (count < 3) return 2;
    struct ibidem_options options = {.struct_size = sizeof options, .hub = arguments[1], .pool = arguments[2], .rank = count > 3 ? 3 : 1};
    sure(ibidem_join(&options, &node), "join");
    if (count > 3) send_and_wait(node);
    tell(node);
    hear(node);
    ibidem_leave(node);
    puts("left");
    return 0;
}
