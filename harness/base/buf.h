/*
 * buf: bytes that grow up to a cap given at init.
 *
 * A buffer fed by the network or a file must have its cap: reaching it is RC_LIMIT and leaves the buffer as it was.
 *
 *	struct buf b;
 *	buf_init(&b, 64 * 1024);
 *	if (buf_append(&b, bytes) != RC_OK) ...
 *	buf_release(&b);
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/err.h"
#include "base/slice.h"

struct buf {
	uint8_t *data; /* data[len] is always NUL once something was appended */
	size_t len, cap, max;
};

void buf_init(struct buf *buf, size_t max_bytes);
void buf_release(struct buf *buf);
/* Forgets the contents and keeps the memory. */
void buf_clear(struct buf *buf);

enum rc buf_append(struct buf *buf, struct slice bytes) MUST_USE;
enum rc buf_text(struct buf *buf, const char *text) MUST_USE;
enum rc buf_print(struct buf *buf, const char *format, ...) MUST_USE PRINTF(2, 3);

/* Points into the buffer: valid until the next change. */
struct slice buf_slice(const struct buf *buf);

/* Reads a whole file of at most buf's cap; *err says which file and why. */
enum rc buf_read_file(struct buf *buf, const char *path, struct err *err) MUST_USE;

#endif
