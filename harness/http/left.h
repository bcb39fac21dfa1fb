/*
 * left: the sockets of the connections that libcurl keeps for reuse, so that the one it chooses for a request can be
 * looked at before: libcurl tells a chosen connection by its ports only.
 */
#ifndef HTTP_LEFT_H
#define HTTP_LEFT_H

#include <stddef.h>

struct left {
	int *fds;
	size_t count;
};

void left_release(struct left *left);
void left_add(struct left *left, int fd);
/* Does nothing where it is not there. */
void left_remove(struct left *left, int fd);
/* Takes out the socket bound to that port; -1 where there is none. */
int left_take(struct left *left, int local_port);

#endif
