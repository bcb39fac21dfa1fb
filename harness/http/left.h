/*
 * left: the sockets of the connections that libcurl keeps for reuse. Whatever waits in one of them nobody asked for, and
 * libcurl either closes the connection without a word (8.x) or takes the bytes for the next answer (7.x).
 */
#ifndef HTTP_LEFT_H
#define HTTP_LEFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct left {
	int *fds;
	size_t count;
};

void left_release(struct left *left);
void left_add(struct left *left, int fd);
/* False where it is not there. */
bool left_remove(struct left *left, int fd);
/* Takes what waits in all of them (peek.h), the first of it to the end of *unasked. */
void left_look(const struct left *left, bool tls, struct buf *unasked);
/* Takes out the socket bound to that port, by which libcurl tells the connection that it chooses. */
void left_take(struct left *left, int local_port);

#endif
