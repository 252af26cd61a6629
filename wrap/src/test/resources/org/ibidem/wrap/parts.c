// Sends a datagram by sendmsg, or two by one sendmmsg, and prints what comes back.
// parts one|several HOST PORT
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int main(int count, char **arguments) {
    if (count != 4) return 2;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t) atoi(arguments[3]))};
    inet_pton(AF_INET, arguments[2], &to.sin_addr);
    struct iovec parts[] = {{"by", 2}, {" parts", 6}};
    struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = parts, .msg_iovlen = 2};
    // The first goes to nobody in particular.
    struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct mmsghdr both[] = {{.msg_hdr = message}, {.msg_hdr = message}};
    both[0].msg_hdr.msg_name = &nobody;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int sent = strcmp(arguments[1], "one") == 0 ? sendmsg(fd, &message, 0) == 8 : sendmmsg(fd, both, 2, 0) == 2;
    struct pollfd on = {.fd = fd, .events = POLLIN};
    char text[100] = "";
    if (!sent || poll(&on, 1, 60000) != 1 || recv(fd, text, sizeof text - 1, 0) < 0) return 1;
    puts(text);
    return 0;
}
