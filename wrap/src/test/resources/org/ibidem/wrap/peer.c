// A node of the library of C beside one of Java: peer HUB POOL MODE.
#include "ibidem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 100000, BYTES = 300000, LIMIT = 60000 };

static const struct ibidem_type TYPE = {.struct_size = sizeof TYPE, .connections = IBIDEM_MANY_TO_ONE, .capabilities = IBIDEM_USUAL};

static int64_t sure(int64_t rc, const char *what) {
    if (rc >= 0) return rc;
    printf("%s: error %d, %s\n", what, (int) rc, ibidem_why());
    exit(1);
}

// Sends everything there is of kinds.
static void tell(ibidem_node *node, double *numbers, const int8_t *bytes) {
    ibidem_send_port *out;
    sure(ibidem_send_port_open(node, "out", &TYPE, &out), "send port");
    sure(ibidem_connect(out, 0, "java", LIMIT), "connect");
    const uint8_t yes = 1;
    const int32_t some[] = {1, -2, 3};
    const int64_t large = -5000000000;
    const float half = 0.5f;
    const uint16_t a = 'a';
    const int16_t three = -3;
    sure(ibidem_put(out, IBIDEM_BOOLEAN, &yes, 1), "put");
    sure(ibidem_put(out, IBIDEM_INT, some, 3), "put");
    sure(ibidem_put(out, IBIDEM_LONG, &large, 1), "put");
    sure(ibidem_put(out, IBIDEM_FLOAT, &half, 1), "put");
    sure(ibidem_put(out, IBIDEM_CHAR, &a, 1), "put");
    sure(ibidem_put(out, IBIDEM_SHORT, &three, 1), "put");
    sure(ibidem_put_array(out, IBIDEM_DOUBLE, numbers, NUMBERS), "put");
    sure(ibidem_put_array(out, IBIDEM_BYTE, bytes, BYTES), "put");
    sure(ibidem_put_string(out, "gr\xc3\xbc\xc3\x9f"), "put");
    sure(ibidem_put_string(out, NULL), "put");
    sure(ibidem_put_array(out, IBIDEM_INT, NULL, 0), "put");
    sure(ibidem_finish(out), "finish");
    for (int32_t i = 0; i < 1000; i++) {
        sure(ibidem_put(out, IBIDEM_INT, &i, 1), "put");
        sure(ibidem_finish(out), "finish");
    }
    ibidem_send_port_close(out);
}

// Reads the same.
static void hear(ibidem_receive_port *in, double *numbers, int8_t *bytes) {
    int32_t some[3], more;
    int64_t large;
    char text[16] = "";
    sure(ibidem_receive(in, LIMIT), "receive");
    sure(ibidem_get(in, IBIDEM_INT, some, 3), "get");
    sure(ibidem_get(in, IBIDEM_LONG, &large, 1), "get");
    printf("array of %lld\n", (long long) sure(ibidem_array(in, IBIDEM_DOUBLE), "array"));
    sure(ibidem_get_array(in, IBIDEM_DOUBLE, numbers, NUMBERS), "get");
    sure(ibidem_get_array(in, IBIDEM_BYTE, bytes, BYTES), "get");
    sure(ibidem_get_string(in, text, sizeof text), "get");
    int64_t none = ibidem_string(in);
    printf("heard %d %d %d %lld %s %d\n", some[0], some[1], some[2], (long long) large, text, (int) none);
    if (ibidem_get(in, IBIDEM_INT, &more, 1) != IBIDEM_MISMATCH) printf("it does not end\n");
    int64_t sum = 0;
    for (int i = 0; i < 1000; i++) {
        sure(ibidem_receive(in, LIMIT), "receive");
        sure(ibidem_get(in, IBIDEM_INT, &more, 1), "get");
        sum += more;
    }
    printf("sum %lld\n", (long long) sum);
    printf("then %s\n", ibidem_receive(in, 100) == IBIDEM_TIMEOUT ? "nothing" : "something");
}

// A port for rank 0 alone.
static void hear_one(ibidem_node *node) {
    ibidem_receive_port *in;
    int32_t number = 0;
    int rc = ibidem_receive_port_open_only(node, "mine", &TYPE, 99, &in);
    printf("%d %s\n", rc, ibidem_why());
    sure(ibidem_receive_port_open_only(node, "mine", &TYPE, 0, &in), "receive port for one");
    sure(ibidem_receive(in, LIMIT), "receive");
    sure(ibidem_get(in, IBIDEM_INT, &number, 1), "get");
    printf("mine %d\n", number);
    ibidem_receive_port_close(in);
}

int main(int count, char **arguments) {
    ibidem_node *node;
    ibidem_receive_port *in;
    ibidem_send_port *out;
    if (count < 3) return 2;
    struct ibidem_options options = {.struct_size = sizeof options, .hub = arguments[1], .pool = arguments[2], .rank = -1};
    double *numbers = calloc(NUMBERS, sizeof *numbers);
    int8_t *bytes = calloc(BYTES, 1);
    for (int i = 0; i < NUMBERS; i++) numbers[i] = i / 4.0;
    for (int i = 0; i < BYTES; i++) bytes[i] = (int8_t) (i * 7);
    sure(ibidem_join(&options, &node), "join");
    printf("rank %d\n", ibidem_rank(node));
    sure(ibidem_await(node, 2, LIMIT), "await");
    tell(node, numbers, bytes);
    // Java asks before this one is open, and waits.
    sure(ibidem_receive_port_open(node, "c", &TYPE, &in), "receive port");
    fflush(stdout);
    memset(numbers, 0, NUMBERS * sizeof *numbers);
    hear(in, numbers, bytes);
    int good = 1;
    for (int i = 0; i < NUMBERS; i++) good &= numbers[i] == i / 4.0;
    for (int i = 0; i < BYTES; i++) good &= bytes[i] == (int8_t) (i * 7);
    printf("arrays %s\n", good ? "good" : "bad");
    hear_one(node);
    // What does not go.
    struct ibidem_type other = TYPE;
    other.connections = IBIDEM_ONE_TO_ONE;
    sure(ibidem_send_port_open(node, "other", &other, &out), "send port");
    printf("%d %s\n", ibidem_connect(out, 0, "java", LIMIT), ibidem_why());
    ibidem_send_port_close(out);
    sure(ibidem_send_port_open(node, "none", &TYPE, &out), "send port");
    printf("%d %s\n", ibidem_connect(out, 0, "nobody", 2000), ibidem_why());
    ibidem_receive_port_close(in);
    ibidem_leave(node);
    printf("left\n");
    free(numbers);
    free(bytes);
    return 0;
}
