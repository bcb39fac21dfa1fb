#include "base/words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

enum { NEAR_MAX = 3 };

static uint8_t lower(char c)
{
	uint8_t byte = (uint8_t)c;
	return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Fills row i of the distance table from the two rows above it. */
static void fill_row(const char *a, const char *b, size_t i, size_t *rows[3])
{
	size_t *above2 = rows[0], *above = rows[1], *row = rows[2];
	row[0] = i;
	for (size_t j = 1; b[j - 1]; j++) {
		uint8_t x = lower(a[i - 1]), y = lower(b[j - 1]);
		size_t cost = least(above[j], row[j - 1]) + 1;
		cost = least(cost, above[j - 1] + (x != y));
		bool swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]);
		row[j] = swapped ? least(cost, above2[j - 2] + 1) : cost;
	}
}

size_t words_distance(const char *a, const char *b)
{
	size_t width = strlen(b) + 1;
	size_t *memory = mem_alloc(3 * width, sizeof *memory);
	size_t *rows[3] = { memory, memory + width, memory + 2 * width };
	for (size_t j = 0; j < width; j++)
		rows[2][j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t *oldest = rows[0];
		rows[0] = rows[1];
		rows[1] = rows[2];
		rows[2] = oldest;
		fill_row(a, b, i, rows);
	}
	size_t distance = rows[2][width - 1];
	free(memory);
	return distance;
}

bool words_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

const char *words_nearest(const char *word, const char *const *names, size_t count)
{
	size_t length = strlen(word);
	size_t limit = length / 3 < 1 ? 1 : least(length / 3, NEAR_MAX);
	const char *nearest = NULL;
	for (size_t i = 0; i < count; i++) {
		size_t other = strlen(names[i]);
		/* The distance is never less than the difference of the lengths. */
		if (other > length + limit || other + limit < length)
			continue;
		size_t distance = words_distance(word, names[i]);
		if (distance <= limit && (!nearest || distance < limit)) {
			nearest = names[i];
			limit = distance;
		}
	}
	return nearest;
}

/* The end of the character that starts at text: UTF-8 continuation bytes belong to it. */
static const char *next_character(const char *text)
{
	text++;
	while (((uint8_t)*text & 0xc0) == 0x80)
		text++;
	return text;
}

/* Whether byte is in the set that starts behind `[`; *end is then behind its `]`. False for a set without end. */
static bool in_set(const char *set, char byte, const char **end)
{
	bool negated = *set == '!' || *set == '^', found = false;
	const char *at = negated ? set + 1 : set;
	do {
		uint8_t low = (uint8_t)*at, high = low, c = (uint8_t)byte;
		if (!low)
			return false;
		if (at[1] == '-' && at[2] && at[2] != ']') {
			high = (uint8_t)at[2];
			at += 2;
		}
		found = found || (c >= low && c <= high);
		at++;
	} while (*at != ']');
	*end = at + 1;
	return found != negated;
}

/* Matches one pattern element that is not `*` at *text and steps over both. */
static bool match_one(const char **pattern, const char **text)
{
	const char *end = *pattern + 1;
	bool matches = **pattern == **text;
	if (!**text)
		return false;
	if (**pattern == '[')
		matches = in_set(*pattern + 1, **text, &end);
	if (**pattern == '?') {
		*pattern = end;
		*text = next_character(*text);
		return true;
	}
	if (!matches)
		return false;
	*pattern = end;
	++*text;
	return true;
}

bool words_glob(const char *pattern, const char *text)
{
	/* Going back to the last `*` only is enough, and keeps the work at pattern times text. */
	const char *star = NULL, *retry = NULL;
	while (*text || *pattern) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
			continue;
		}
		if (match_one(&pattern, &text))
			continue;
		if (!star || !*retry)
			return false;
		pattern = star;
		text = ++retry;
	}
	return true;
}
