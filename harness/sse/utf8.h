/*
 * utf8: where text stops being UTF-8 (RFC 3629: no surrogates, no overlong forms, nothing past U+10FFFF).
 */
#ifndef SSE_UTF8_H
#define SSE_UTF8_H

#include <stddef.h>

#include "base/slice.h"

/* The offset of the first sequence that is no whole and valid one, or SIZE_MAX. ASCII is skipped fast. */
size_t utf8_find_wrong(struct slice text);

#endif
