#include "base/slice.h"

#include <string.h>
#include <strings.h>

struct slice slice_of(const char *text)
{
	return slice_from(text, text ? strlen(text) : 0);
}

struct slice slice_from(const void *bytes, size_t len)
{
	return (struct slice){ .ptr = bytes, .len = len };
}

struct slice slice_part(struct slice s, size_t start, size_t len)
{
	if (start > s.len)
		start = s.len;
	if (len > s.len - start)
		len = s.len - start;
	return slice_from(s.ptr ? s.ptr + start : NULL, len);
}

bool slice_equal(struct slice a, struct slice b)
{
	if (a.len != b.len)
		return false;
	return a.len == 0 || (a.ptr && b.ptr && memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool slice_is(struct slice s, const char *text)
{
	return slice_equal(s, slice_of(text));
}

static uint8_t lower(uint8_t byte)
{
	return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

bool slice_equal_nocase(struct slice a, struct slice b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (lower(a.ptr[i]) != lower(b.ptr[i]))
			return false;
	return true;
}

bool slice_is_nocase(struct slice s, const char *text)
{
	return slice_equal_nocase(s, slice_of(text));
}

bool slice_starts(struct slice s, const char *prefix)
{
	struct slice p = slice_of(prefix);
	return s.len >= p.len && slice_equal(slice_part(s, 0, p.len), p);
}

size_t slice_find(struct slice s, struct slice what)
{
	if (what.len == 0)
		return 0;
	if (s.len < what.len)
		return SIZE_MAX;
	const uint8_t *at = memmem(s.ptr, s.len, what.ptr, what.len);
	return at ? (size_t)(at - s.ptr) : SIZE_MAX;
}

size_t slice_find_byte(struct slice s, uint8_t byte)
{
	const uint8_t *at = s.len ? memchr(s.ptr, byte, s.len) : NULL;
	return at ? (size_t)(at - s.ptr) : SIZE_MAX;
}

struct slice slice_trim(struct slice s)
{
	while (s.len && (s.ptr[0] == ' ' || s.ptr[0] == '\t'))
		s = slice_part(s, 1, SIZE_MAX);
	while (s.len && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t'))
		s.len--;
	return s;
}

bool slice_next(struct slice *rest, uint8_t byte, struct slice *part)
{
	if (!rest->ptr)
		return false;
	size_t at = slice_find_byte(*rest, byte);
	if (at == SIZE_MAX) {
		*part = *rest;
		bool any = rest->len > 0;
		*rest = slice_from(NULL, 0);
		return any;
	}
	*part = slice_part(*rest, 0, at);
	*rest = slice_part(*rest, at + 1, SIZE_MAX);
	return true;
}

bool slice_number(struct slice s, uint64_t max, uint64_t *number)
{
	uint64_t n = 0;
	if (!s.len)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
		uint64_t digit = s.ptr[i] - '0';
		if (n > (max - digit) / 10 || digit > max)
			return false;
		n = n * 10 + digit;
	}
	*number = n;
	return true;
}
