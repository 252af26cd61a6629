// Connects as fast as it can. dial serve: accepts, prints its port first; dial HOST PORT COUNT:
// prints what each connect took, in nanoseconds.
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int serve(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(fd, (void *) &at, sizeof at) != 0 || listen(fd, 1024) != 0 || getsockname(fd, (void *) &at, &length) != 0) return 1;
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    for (;;) {
        int one = accept(fd, NULL, NULL);
        char byte;
        if (one < 0) return 1;
        if (read(one, &byte, 1) > 0) return 1; // until its end
        close(one);
    }
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "serve") == 0) return serve();
    if (count != 4) return 2;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t) atoi(arguments[2]))};
    inet_pton(AF_INET, arguments[1], &to.sin_addr);
    for (int i = atoi(arguments[3]); i > 0; i--) {
        struct timespec from, until;
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        clock_gettime(CLOCK_MONOTONIC, &from);
        if (connect(fd, (void *) &to, sizeof to) != 0) {
            perror("connect");
            return 1;
        }
        clock_gettime(CLOCK_MONOTONIC, &until);
        printf("%lld\n", (until.tv_sec - from.tv_sec) * 1000000000LL + (until.tv_nsec - from.tv_nsec));
        // In order, so that the next one meets no port that is closing: the server waits for this.
        shutdown(fd, SHUT_WR);
        char byte;
        if (read(fd, &byte, 1) > 0) return 1;
        close(fd);
    }
    return 0;
}
