// What of the interface can grow, beside a node of Java that sends strings. grows HUB POOL
#include "ibidem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 60000, LONG = 200000 };

// Those of a later version.
struct later_options {
    struct ibidem_options options;
    int more;
};

struct later_type {
    struct ibidem_type type;
    const char *more;
};

static int64_t sure(int64_t rc, const char *what) {
    if (rc >= -1) return rc;
    printf("%s: error %d, %s\n", what, (int) rc, ibidem_why());
    exit(1);
}

static void refused(int64_t rc) {
    printf("%d %s\n", (int) rc, ibidem_why());
}

static ibidem_node *joined(const char *hub, const char *pool) {
    struct later_options later = {.options = {.hub = hub, .pool = pool, .rank = -1, .struct_size = 8}, .more = 7};
    ibidem_node *node;
    refused(ibidem_join(&later.options, &node));
    later.options.struct_size = sizeof later;
    refused(ibidem_join(&later.options, &node));
    later.more = 0;
    sure(ibidem_join(&later.options, &node), "join");
    return node;
}

static ibidem_receive_port *opened(ibidem_node *node) {
    struct later_type later = {.type = {.connections = IBIDEM_MANY_TO_ONE, .capabilities = IBIDEM_USUAL, .struct_size = 8}, .more = "x"};
    ibidem_receive_port *in;
    refused(ibidem_receive_port_open(node, "strings", &later.type, &in));
    later.type.struct_size = sizeof later;
    refused(ibidem_receive_port_open(node, "strings", &later.type, &in));
    later.type.struct_size = 0; // nothing of what was added
    sure(ibidem_receive_port_open(node, "strings", &later.type, &in), "open");
    return in;
}

int main(int count, char **arguments) {
    static char text[LONG + 1];
    if (count < 3) return 2;
    printf("version %d\n", ibidem_version() == IBIDEM_VERSION);
    ibidem_node *node = joined(arguments[1], arguments[2]);
    ibidem_receive_port *in = opened(node);
    sure(ibidem_receive(in, LIMIT), "receive");
    memset(text, '!', 9);
    refused(ibidem_get_string(in, text, 5));
    printf("has %d\n", (int) ibidem_string(in));
    printf("%d", (int) sure(ibidem_get_string(in, text, 6), "get"));
    printf(" %.7s\n", text);
    printf("%d", (int) sure(ibidem_get_string(in, text, sizeof text), "get"));
    printf(" '%s'\n", text);
    printf("null %d\n", (int) sure(ibidem_get_string(in, text, sizeof text), "get"));
    // It goes over several frames.
    if (ibidem_get_string(in, text, 10) != IBIDEM_TOO_SMALL) puts("there was room");
    int length = (int) sure(ibidem_get_string(in, text, sizeof text), "get");
    printf("%d of %d\n", length, (int) strspn(text, "x"));
    // With the port it closes what is open of it.
    ibidem_leave(node);
    return 0;
}
