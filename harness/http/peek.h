/*
 * peek: what waits in a connected socket behind an answer: bytes that nobody asked for, or its end.
 */
#ifndef HTTP_PEEK_H
#define HTTP_PEEK_H

#include <stdbool.h>

#include "base/buf.h"

enum { PEEK_BYTES = 256 };

struct peek {
	struct slice
		bytes; /* the first of them, in `kept`; none where the connection is TLS, whose records can't be told */
	bool ended; /* by FIN or RST */
	uint8_t kept[PEEK_BYTES];
};

/*
 * Takes what waits, so that it is never taken for the next answer; where there was something, the socket is shut down
 * and so not used again. Never waits.
 */
void peek_behind(int fd, bool tls, struct peek *peek);

/* The same for a connection that is idle: the bytes go to the end of *unasked, as far as it has room. */
void peek_unasked(int fd, bool tls, struct buf *unasked);

#endif
