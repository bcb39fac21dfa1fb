/*
 * encoding: one histogram as base64 text and back: HdrHistogram's encoding V2, compressed.
 *
 * What HdrHistogram's AbstractHistogram.encodeIntoCompressedByteBuffer writes: a cookie, a length, and deflated by zlib
 * the parameters of the layout and the counts up to the highest, zigzag LEB128 of at most 9 bytes each; a negative one
 * stands for so many zeros. The lines around it are hlog's.
 *
 *	buf_init(&text, ENCODING_MAX_TEXT_BYTES);
 *	encoding_write(&text, hist);
 *	rc = encoding_read(buf_slice(&text), "all.hlog:7", hist, &exact, &err);
 */
#ifndef STATS_ENCODING_H
#define STATS_ENCODING_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "stats/hist.h"

enum {
	ENCODING_MAX_TEXT_BYTES = 1 << 20,
	ENCODING_MAX_BYTES = 4 << 20, /* of the counts, inflated */
};

/* Appends to a buffer that has room for ENCODING_MAX_TEXT_BYTES; a histogram of ours never takes half of them. */
void encoding_write(struct buf *text, const struct hist *hist);

/*
 * Sets the histogram, whatever it held, to what the text says. *exact: see hlog_interval. RC_INVALID with what was
 * expected, RC_LIMIT for one that is larger than ENCODING_MAX_BYTES; then the histogram holds nothing of use.
 */
enum rc encoding_read(struct slice text, const char *where, struct hist *hist, bool *exact,
	struct err *err) MUST_USE;

#endif
