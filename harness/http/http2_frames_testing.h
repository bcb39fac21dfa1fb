/*
 * http2_frames_testing: frames of HTTP/2 in the rows of a table, after RFC 9113 section 6 and RFC 7541, and how they are
 * written to a connection.
 */
#ifndef HTTP_HTTP2_FRAMES_TESTING_H
#define HTTP_HTTP2_FRAMES_TESTING_H

#include "http/scenario_testing.h"

enum frame_type { DATA = 0, HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, PING = 6, GOAWAY = 7 };
enum { END_STREAM = 1, END_HEADERS = 4, ACK = 1 };
/* What stands in a table beside frames. */
enum { CLOSE = 256, RAW_TEXT, FRAMES_MAX = 8 };

struct frame {
	int type, flags;
	const char *bytes;
	size_t len;
};

/* Indexed field 8 of the static table, and a literal field without indexing (RFC 7541 section 6.2.2). */
#define STATUS_200 "\x88"
#define FRAME(type, flags, text)                                                                   \
	{                                                                                          \
		type, flags, text, sizeof(text) - 1                                                \
	}

static inline bool http2_read(int fd, void *bytes, size_t len)
{
	for (size_t got = 0; got < len;) {
		ssize_t n = recv(fd, (char *)bytes + got, len - got, 0);
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

static inline bool http2_write(
	int fd, int type, int flags, uint32_t stream, const char *bytes, size_t len)
{
	const unsigned char head[] = { (unsigned char)(len >> 16), (unsigned char)(len >> 8),
		(unsigned char)len, (unsigned char)type, (unsigned char)flags,
		(unsigned char)(stream >> 24), (unsigned char)(stream >> 16),
		(unsigned char)(stream >> 8), (unsigned char)stream };
	return server_write(fd, (const char *)head, sizeof head) && server_write(fd, bytes, len);
}

/* Reads frames up to the answer to a PING. */
static inline bool http2_await_pong(int fd)
{
	unsigned char head[9];
	char bytes[1 << 14];
	while (http2_read(fd, head, sizeof head)) {
		size_t len = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
		if (len > sizeof bytes || !http2_read(fd, bytes, len))
			return false;
		if (head[3] == PING)
			return true;
	}
	return false;
}

/* False where the connection is to end. */
static inline bool http2_answer(int fd, const struct frame *frames, uint32_t stream)
{
	for (size_t i = 0; i < FRAMES_MAX && frames[i].bytes; i++) {
		const struct frame *f = &frames[i];
		bool ok;
		if (f->type == CLOSE)
			return false;
		if (f->type == RAW_TEXT)
			ok = server_write(fd, f->bytes, f->len);
		else
			ok = http2_write(fd, f->type, f->flags,
				f->type == GOAWAY || f->type == PING ? 0 : stream, f->bytes,
				f->len);
		if (!ok || (f->type == PING && !http2_await_pong(fd)))
			return false;
	}
	return true;
}

#endif
