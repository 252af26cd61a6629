#ifndef IBIDEM_SOCKETS_H
#define IBIDEM_SOCKETS_H

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

// The socket that a thread's process has under this number; -1: none.
int own_socket(uint32_t thread, uint64_t descriptor);
// An option that is a number; -1: it has none.
int number(int socket, int level, int option);
// The same for every descriptor of a socket; 0: not known.
uint64_t cookie(int socket);
// In which state of TCP it is (TCP_CLOSE, ...); -1: it is none of TCP.
int state(int socket);
int takes_tcp(int socket);
// Whether it was never connected.
int is_fresh(int socket);
// All addresses are as of IPv6, those of IPv4 as ::ffff:a.b.c.d. 0: it is one of them.
int mapped(const struct sockaddr_storage *from, socklen_t length, struct sockaddr_in6 *to);
// As a socket of this family wants it.
// Returns its length.
socklen_t unmapped(const struct sockaddr_in6 *from, int family, struct sockaddr_storage *to);
// 0: it has one.
int local_address(int socket, struct sockaddr_in6 *to);
// The same, and returns of which family it is; -1: it has none.
int family_and_address(int socket, struct sockaddr_in6 *to);
// Whether it stands for a node.
int is_rank(const struct sockaddr_in6 *at);
// Whether it is all addresses of either family.
int is_any(const struct sockaddr_in6 *at);
int same(const struct sockaddr_in6 *one, const struct sockaddr_in6 *other);
// Whether it is one of this machine's, of IPv4.
int is_local(const struct sockaddr_in6 *at);

#endif
