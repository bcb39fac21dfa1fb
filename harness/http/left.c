#include "http/left.h"

#include "http/peek.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>

void left_release(struct left *left)
{
	free(left->fds);
	*left = (struct left){ 0 };
}

void left_add(struct left *left, int fd)
{
	for (size_t i = 0; i < left->count; i++)
		if (left->fds[i] == fd)
			return;
	left->fds = mem_grow(left->fds, left->count + 1, sizeof *left->fds);
	left->fds[left->count++] = fd;
}

bool left_remove(struct left *left, int fd)
{
	for (size_t i = 0; i < left->count; i++) {
		if (left->fds[i] == fd) {
			left->fds[i] = left->fds[--left->count];
			return true;
		}
	}
	return false;
}

void left_look(const struct left *left, bool tls, struct buf *unasked)
{
	for (size_t i = 0; i < left->count; i++)
		peek_unasked(left->fds[i], tls, unasked);
}

static int port_of(int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} address = { 0 };
	socklen_t size = sizeof address;
	if (getsockname(fd, &address.any, &size) != 0)
		return -1;
	return ntohs(
		address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

void left_take(struct left *left, int local_port)
{
	for (size_t i = 0; i < left->count; i++) {
		if (port_of(left->fds[i]) == local_port) {
			left->fds[i] = left->fds[--left->count];
			return;
		}
	}
}
