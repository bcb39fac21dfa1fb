#include "sse/utf8.h"

#include <stdint.h>
#include <string.h>

#define HIGH_BITS UINT64_C(0x8080808080808080)

/* RFC 3629 section 4: after these first bytes, the second lies between low and high, all others in 80..BF. */
static const struct {
	uint8_t first, last, low, high;
	size_t length;
} forms[] = {
	{ 0x00, 0x7f, 0, 0, 1 },
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

/* The length of the sequence at the start of text, which isn't empty; 0 where there is none. */
static size_t sequence(struct slice text)
{
	size_t i = 0;
	while (i < sizeof forms / sizeof *forms &&
		(text.ptr[0] < forms[i].first || text.ptr[0] > forms[i].last))
		i++;
	if (i == sizeof forms / sizeof *forms || forms[i].length > text.len)
		return 0;
	if (forms[i].length > 1 && (text.ptr[1] < forms[i].low || text.ptr[1] > forms[i].high))
		return 0;
	for (size_t j = 2; j < forms[i].length; j++)
		if ((text.ptr[j] & 0xc0) != 0x80)
			return 0;
	return forms[i].length;
}

/* How many bytes from `at` on are ASCII, in steps of a word. */
static size_t ascii_words(struct slice text, size_t at)
{
	size_t start = at;
	uint64_t word;
	for (; text.len - at >= sizeof word; at += sizeof word) {
		memcpy(&word, text.ptr + at, sizeof word);
		if (word & HIGH_BITS)
			break;
	}
	return at - start;
}

size_t utf8_find_wrong(struct slice text)
{
	for (size_t at = ascii_words(text, 0), length; at < text.len; at += length) {
		length = sequence(slice_part(text, at, SIZE_MAX));
		if (!length)
			return at;
		length += ascii_words(text, at + length);
	}
	return SIZE_MAX;
}
