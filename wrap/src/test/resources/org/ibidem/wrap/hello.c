// Joins a pool, says which member it is, and leaves. hello HUB
#include <ibidem.h>
#include <stdio.h>

int main(int count, char **arguments) {
    struct ibidem_options options = {.struct_size = sizeof options, .hub = count > 1 ? arguments[1] : "localhost:8888", .pool = "hello", .rank = -1};
    ibidem_node *node;
    if (ibidem_join(&options, &node) < 0) {
        puts(ibidem_why());
        return 1;
    }
    printf("rank %d of %d\n", ibidem_rank(node), ibidem_members(node));
    ibidem_leave(node);
    return 0;
}
