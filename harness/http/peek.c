#include "http/peek.h"

#include <errno.h>
#include <sys/socket.h>

enum { DRAIN_BYTES = 64 * 1024, DRAIN_ROUNDS = 64 };

static void drain(int fd)
{
	uint8_t bytes[DRAIN_BYTES];
	for (int i = 0; i < DRAIN_ROUNDS; i++)
		if (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) <= 0)
			break;
	shutdown(fd, SHUT_RDWR);
}

void peek_behind(int fd, bool tls, struct peek *peek)
{
	ssize_t n = recv(fd, peek->kept, sizeof peek->kept, MSG_PEEK | MSG_DONTWAIT);
	peek->ended =
		n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
	peek->bytes = slice_from(peek->kept, n > 0 && !tls ? (size_t)n : 0);
	if (peek->bytes.len)
		drain(fd);
}

void peek_unasked(int fd, bool tls, struct buf *unasked)
{
	struct peek peek;
	peek_behind(fd, tls, &peek);
	size_t room = unasked->max - unasked->len;
	if (buf_append(unasked, slice_part(peek.bytes, 0, room)) != RC_OK)
		BUG("a buffer has less room than it says");
}
