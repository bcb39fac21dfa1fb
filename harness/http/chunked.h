/*
 * chunked: a push decoder of the chunked transfer coding, RFC 9112 section 7.1, extensions and trailers included.
 *
 * Bytes go in in any cut; it says how many of them were the coding's, hands data on as it comes, and stops behind the
 * last chunk's empty line. No I/O.
 */
#ifndef HTTP_CHUNKED_H
#define HTTP_CHUNKED_H

#include "base/buf.h"
#include "http/framing_violation.h"

enum { CHUNKED_LINE_MAX_BYTES = 16 * 1024 };

enum chunked_state {
	CHUNKED_SIZE, /* in the line with the size */
	CHUNKED_DATA,
	CHUNKED_DATA_CR, /* behind the data */
	CHUNKED_DATA_LF,
	CHUNKED_TRAILERS,
	CHUNKED_DONE,
	CHUNKED_BROKEN, /* no more can be told; a violation says why */
	CHUNKED_LIMIT,  /* a line or the trailers are too long */
};

struct chunked {
	enum chunked_state state;
	struct framing_violations *violations;
	struct buf line;     /* of the size, or all trailers so far */
	size_t line_start;   /* where in the trailers the present line begins */
	uint64_t remaining;  /* of this chunk's data */
	uint64_t data_bytes; /* before it, for the texts */
	struct headers trailers;
};

void chunked_init(
	struct chunked *chunked, struct framing_violations *violations, size_t trailers_max_bytes);
void chunked_release(struct chunked *chunked);

/*
 * Takes bytes off *rest up to the end of the coding or of the next piece of data, which *data is then (else empty).
 * Call it until *rest is empty or the state is CHUNKED_DONE or worse. data points into what was pushed.
 */
void chunked_push(struct chunked *chunked, struct slice *rest, struct slice *data);

#endif
