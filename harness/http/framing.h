/*
 * framing: a push parser of one HTTP/1.x answer after RFC 9112: bytes in any cut go in; heads, body bytes with and
 * without the transfer coding, trailers, the end, and every violation come out. No I/O, no clock.
 *
 *	struct framing f;
 *	framing_init(&f, arena, "GET", &sink);
 *	while (n = recv(...))
 *		framing_push(&f, bytes);
 *	framing_eof(&f);
 *	framing_release(&f);
 *
 * 1xx heads are counted and passed over, but for 101, which is final. What comes behind the end is surplus: it is
 * counted and judged, never taken for body.
 */
#ifndef HTTP_FRAMING_H
#define HTTP_FRAMING_H

#include "http/chunked.h"
#include "http/head.h"
#include "http/limits.h"

/* Where the body ends: RFC 9112 section 6.3. */
enum framing_rule {
	FRAMING_UNKNOWN, /* no head yet */
	FRAMING_NO_BODY, /* HEAD, 204, 304 */
	FRAMING_TUNNEL,  /* 101, or 2xx to CONNECT: what follows is not HTTP */
	FRAMING_CHUNKED,
	FRAMING_LENGTH,
	FRAMING_CLOSE,  /* at the end of the connection */
	FRAMING_STREAM, /* at the end of the stream: HTTP/2 */
};

enum framing_state {
	FRAMING_IN_HEAD,
	FRAMING_IN_BODY,
	FRAMING_DONE,
	FRAMING_BROKEN, /* not HTTP/1.x any more: the end can't be told; a violation says why */
	FRAMING_LIMIT,  /* head, trailers or a chunk's line are too long */
};

/* The parts as they come; the bytes are valid during the call only. */
struct framing_sink {
	void *self;
	void (*head)(void *self);                        /* the final head is there */
	void (*wire)(void *self, struct slice bytes);    /* of the body, as sent */
	void (*content)(void *self, struct slice bytes); /* of the body, without chunked */
};

struct framing {
	struct arena *arena;
	struct framing_sink sink;
	enum framing_state state;
	enum framing_rule rule;
	bool to_head, to_connect;
	bool http2; /* set it behind framing_init: see framing_end_stream */
	bool more_requests; /* set it where several were sent: what follows is then another answer, no surplus */

	struct slice head_bytes; /* of the final head, in the arena */
	struct head head;
	size_t interim; /* 1xx heads before it */
	struct headers trailers;
	bool has_length; /* Content-Length was a number */
	uint64_t length;
	bool chunked_last; /* chunked is the last transfer coding */

	uint64_t received_bytes; /* all there was, heads included */
	uint64_t body_bytes;     /* on the wire */
	uint64_t surplus_bytes;
	struct framing_violations violations;

	/* Of the parser. */
	struct buf pending; /* the head so far */
	size_t line_start;  /* in it */
	size_t heads_bytes; /* of the heads before it */
	uint64_t remaining; /* of a body with a length */
	struct chunked chunked;
};

/* method is the request's. Lists, texts and heads are of the arena, which must outlive *framing. */
void framing_init(struct framing *framing, struct arena *arena, const char *method,
	const struct framing_sink *sink);
void framing_release(struct framing *framing);

void framing_push(struct framing *framing, struct slice bytes);
/* More bytes followed the end, which nobody saw. */
void framing_dropped(struct framing *framing);
/* The connection ended: that completes a body without length, and truncates any other. */
void framing_eof(struct framing *framing);
/*
 * It broke off, as TLS does where no close_notify came (RFC 9112 section 9.8): nobody knows whether a body without
 * length was complete.
 */
void framing_cut(struct framing *framing);

/*
 * HTTP/2: the same from the heads as libcurl writes them out and the contents of DATA frames. Where these end only the
 * stream tells, and so does whoever reads it: framing_trailer for each line behind the body, then framing_end_stream.
 */
void framing_trailer(struct framing *framing, struct slice line);
void framing_end_stream(struct framing *framing);

#endif
