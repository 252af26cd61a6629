// A program whose functions are called like some inside the library of C, now or once. own HUB
#include <ibidem.h>
#include <stdio.h>
#include <stdlib.h>

static int own(const char *name) {
    printf("the library calls the program's own %s()\n", name);
    exit(3);
}

int put(void) { return own("put"); }
int get(void) { return own("get"); }
int start(void) { return own("start"); }
int put_bytes(void) { return own("put_bytes"); }
int get_bytes(void) { return own("get_bytes"); }
int start_thread(void) { return own("start_thread"); }
int send_all(void) { return own("send_all"); }
int now_millis(void) { return own("now_millis"); }

int main(int count, char **arguments) {
    struct ibidem_options options = {.struct_size = sizeof options, .hub = count > 1 ? arguments[1] : "localhost:8888", .pool = "own", .rank = -1};
    ibidem_node *node;
    if (ibidem_join(&options, &node) < 0) {
        puts(ibidem_why());
        return 1;
    }
    printf("rank %d of %d\n", ibidem_rank(node), ibidem_members(node));
    ibidem_leave(node);
    return 0;
}
