/*
 * sse: the parser of event streams: push bytes, pull events; it does no I/O and never asks the clock.
 *
 * It follows the WHATWG's HTML standard, section 9.2.6 (interpreting an event stream), to the letter: a byte order mark
 * at the start is skipped; lines end with CR LF, CR or LF, wherever the bytes are cut (behind a CR nothing is waited
 * for: an event is there with its last byte); an id that holds NUL, a retry that isn't all digits and unknown fields
 * are ignored; a block without data dispatches nothing; an event that the stream's end cuts is never dispatched.
 * Any way to cut a stream into pushes gives the same events.
 *
 *	struct sse *sse = sse_new(SSE_MAX_BYTES);
 *	while (read some bytes) {
 *		sse_push(sse, bytes);
 *		while ((rc = sse_next(sse, &event, &err)) == RC_OK)
 *			use(event, now);
 *		if (rc == RC_LIMIT)
 *			the stream is useless from here on; err says why
 *	}
 *	if (sse_in_event(sse))
 *		the stream was cut in an event
 *	sse_free(sse);
 *
 * What the standard leaves to nobody's eyes is told as well: comments, which keep a connection alive and so count as
 * activity, and bytes that aren't UTF-8. The latter are handed out as they came, not replaced by U+FFFD.
 */
#ifndef SSE_SSE_H
#define SSE_SSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/slice.h"

enum { SSE_MAX_BYTES = 1024 * 1024 }; /* a cap that no honest stream meets */

enum sse_kind {
	SSE_EVENT,
	SSE_COMMENT, /* a line that begins with a colon; only data is set, to what stands behind it */
};

/* Valid until the next sse_next, sse_push or sse_free. No slice is absent. */
struct sse_event {
	enum sse_kind kind;
	struct slice type; /* "message" where the stream names none */
	struct slice data; /* lines joined by LF, without the last LF; may be empty */
	struct slice id; /* the last event id, which may come from an earlier event; may be empty */
};

struct sse;

/* max_bytes > 0 is the most that one line, and the data of one event, may have. Memory stays within a few of it. */
struct sse *sse_new(size_t max_bytes) MUST_USE;
/* NULL is allowed. */
void sse_free(struct sse *sse);

/*
 * Hands over the next bytes of the stream, any number of them. They are borrowed: they must stay until sse_next has
 * answered something else than RC_OK, and until then nothing more may be pushed.
 */
void sse_push(struct sse *sse, struct slice bytes);

/*
 * The next event or comment. RC_OK: *event is set. RC_NOT_FOUND: all pushed bytes are used up, push more (err is left
 * alone). RC_LIMIT: a line or an event is larger than the cap; from then on every call gives the same error, and pushed
 * bytes are dropped.
 */
enum rc sse_next(struct sse *sse, struct sse_event *event, struct err *err) MUST_USE;

/*
 * The last event id as of the last empty line: what a client that comes back sends as Last-Event-ID, unless it is
 * empty. Valid as long as an event's.
 */
struct slice sse_last_id(const struct sse *sse);

/* The last valid `retry`, in milliseconds, at most INT64_MAX; -1 where there was none. */
int64_t sse_retry_ms(const struct sse *sse);

/*
 * Whether a stream that ended here would lose something: a line without end, or fields without their empty line. True
 * after RC_LIMIT.
 */
bool sse_in_event(const struct sse *sse);

/*
 * The offset in the stream, from 0, of the first byte of a whole line that can't stand there in UTF-8 (RFC 3629); -1
 * where all is well.
 */
int64_t sse_not_utf8_at(const struct sse *sse);

#endif
