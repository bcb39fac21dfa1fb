/*
 * base64: bytes as text of RFC 4648 section 4, with padding, and back.
 */
#ifndef STATS_BASE64_H
#define STATS_BASE64_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

/* Both append, and give RC_LIMIT where the buffer's cap is reached. */
enum rc base64_write(struct buf *text, struct slice bytes) MUST_USE;

/* RC_INVALID for whatever base64_write would not have written: other characters, lines, missing padding, bits behind it. */
enum rc base64_read(struct buf *bytes, struct slice text) MUST_USE;

#endif
