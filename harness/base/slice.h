/*
 * slice: bytes that belong to somebody else, not ended by NUL.
 *
 * Whatever came from the wire or a file is a slice, never a C string: it may hold NUL. A slice of absent bytes has
 * ptr NULL; an empty one has len 0 and a ptr that is not NULL. It lives as long as what it points into.
 */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice {
	const uint8_t *ptr;
	size_t len;
};

#define SLICE_PRINT(s) (int)(s).len, (const char *)(s).ptr /* for "%.*s" of text without NUL */

struct slice slice_of(const char *text);
struct slice slice_from(const void *bytes, size_t len);
/* The part from `start`, at most `len` bytes; out of range gives fewer or none. */
struct slice slice_part(struct slice s, size_t start, size_t len);

bool slice_is(struct slice s, const char *text);
bool slice_equal(struct slice a, struct slice b);
/* ASCII letters compare without case, as RFC 9110 section 5.1 has field names. */
bool slice_is_nocase(struct slice s, const char *text);
bool slice_equal_nocase(struct slice a, struct slice b);
bool slice_starts(struct slice s, const char *prefix);

/* Offset of the first occurrence, or SIZE_MAX. */
size_t slice_find(struct slice s, struct slice what);
size_t slice_find_byte(struct slice s, uint8_t byte);

/* Without the spaces and tabs around it: OWS of RFC 9110 section 5.6.3. */
struct slice slice_trim(struct slice s);

/* Cuts the next part up to `byte` off *rest; false at the end. "a,,b" gives "a", "", "b"; "" gives nothing. */
bool slice_next(struct slice *rest, uint8_t byte, struct slice *part);

/* Whole decimal number without sign; false on anything else or beyond `max`. */
bool slice_number(struct slice s, uint64_t max, uint64_t *number);

#endif
