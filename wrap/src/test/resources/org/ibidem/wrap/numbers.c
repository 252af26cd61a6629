// Numbers of the library of C, begun near their end: prints those of requests, then of channels.
#include "client/node.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    struct ibidem_node *node = calloc(1, sizeof *node);
    struct asked asked = {.number = 1};
    struct channel channel = {.number = 1}, other = {.number = 2, .next = &channel};
    struct ibidem_receive_port port = {.name = "in", .channels = &other};
    pthread_mutex_init(&node->lock, NULL);
    node->asked = &asked;
    node->receivers = &port;
    node->last_number = node->last_channel = INT32_MAX - 1;
    for (int i = 0; i < 3; i++) printf("%d ", next_number(node));
    for (int i = 0; i < 3; i++) printf("%d ", next_channel(node));
    free(node);
    return 0;
}
