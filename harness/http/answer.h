/*
 * answer: the bytes of one answer, from either kind of connection, to the fields of its exchange: framing.h splits them,
 * layers.h keeps them, and this puts them together and stamps the times.
 *
 *	answer_init(&answer, exchange, HTTP_KEPT_BYTES);
 *	answer_push(&answer, bytes);	as they come
 *	answer_eof(&answer, true);	where the connection ended
 *	answer_end(&answer, FAILURE_NONE, NULL);
 *	answer_release(&answer);
 */
#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

#include "http/framing.h"
#include "http/layers.h"

struct request_watch;

struct answer {
	struct exchange *exchange;
	struct framing framing;
	struct layers layers;
	const struct request_watch *watch; /* or NULL */
	bool reset;                        /* the connection was reset rather than ended */
	bool http2;                        /* set by answer_expect_http2 */
};

/* method is the request's; exchange and its arena must outlive *answer. */
void answer_init(struct answer *answer, struct exchange *exchange, const char *method,
	size_t kept_bytes, const struct request_watch *watch);
void answer_release(struct answer *answer);
/* Forgets everything: the request is sent once more, on another connection. */
void answer_restart(struct answer *answer);

/* Behind answer_init: the answer is one of HTTP/2, of which framing.h tells what is pushed. */
void answer_expect_http2(struct answer *answer);
void answer_trailer(struct answer *answer, struct slice line);
/* The stream has ended as it should. */
void answer_end_stream(struct answer *answer);

/* first_ns is when the first of the bytes was there to be read. */
void answer_push(struct answer *answer, struct slice bytes, int64_t first_ns);
/* The connection ended; clean is false where it broke off: see framing_cut. */
void answer_eof(struct answer *answer, bool clean);

/* No more bytes are wanted: the end was seen or will never be. Surplus may still be pushed. */
bool answer_over(const struct answer *answer);

/*
 * Fills the exchange and stamps its end. failure and text are what the connection reported; what the bytes themselves
 * say goes before: a complete answer is no failure, a broken one or one beyond a cap is another.
 */
void answer_end(struct answer *answer, enum failure failure, const char *text);

#endif
