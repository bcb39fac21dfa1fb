#include "sut/sanitizer.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool has(struct slice line, const char *text)
{
	return slice_find(line, slice_of(text)) != SIZE_MAX;
}

/* "==123==ERROR: AddressSanitizer: ..." of compiler-rt's sanitizer_common; valgrind's "==123== " is not it. */
static bool process_report(struct slice line)
{
	size_t digits = 2;
	while (digits < line.len && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
		digits++;
	struct slice rest = slice_part(line, digits, SIZE_MAX);
	return slice_starts(line, "==") && digits > 2 &&
	       (slice_starts(rest, "==ERROR: ") || slice_starts(rest, "==WARNING: ")) &&
	       has(rest, "Sanitizer");
}

/* "FILE:LINE:COL: runtime error: ..." of UBSan; Go's "panic: runtime error: ..." has no place before it. */
static bool behaviour_report(struct slice line)
{
	size_t at = slice_find(line, slice_of(": runtime error: "));
	if (at == SIZE_MAX || at == 0)
		return false;
	uint8_t before = line.ptr[at - 1];
	return (before >= '0' && before <= '9') || before == '>';
}

bool sanitizer_report(struct slice line)
{
	return process_report(line) || behaviour_report(line) ||
	       slice_starts(line, "WARNING: ThreadSanitizer: ") ||
	       has(line, "Sanitizer:DEADLYSIGNAL");
}

static void look(struct sanitizer_search *search, struct slice line)
{
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	if (sanitizer_report(line))
		snprintf(search->found, sizeof search->found, "%.*s", SLICE_PRINT(line));
}

/* Whole lines of which none can be a report are passed over at once: a flood may have very short ones. */
static size_t innocent(struct slice bytes)
{
	const uint8_t *last = bytes.len ? memrchr(bytes.ptr, '\n', bytes.len) : NULL;
	struct slice lines = slice_part(bytes, 0, last ? (size_t)(last - bytes.ptr) + 1 : 0);
	return has(lines, "Sanitizer") || has(lines, ": runtime error: ") ? 0 : lines.len;
}

/* What may still be in the line's room; the rest of a line that is longer is not looked at. */
static void collect(struct sanitizer_search *search, struct slice part)
{
	part = slice_part(part, 0, sizeof search->line - search->len);
	if (part.len)
		memcpy(search->line + search->len, part.ptr, part.len);
	search->len += part.len;
}

void sanitizer_push(struct sanitizer_search *search, struct slice bytes)
{
	while (bytes.len && !search->found[0]) {
		if (!search->len)
			bytes = slice_part(bytes, innocent(bytes), SIZE_MAX);
		size_t end = slice_find_byte(bytes, '\n');
		bool whole = end != SIZE_MAX;
		collect(search, slice_part(bytes, 0, whole ? end : bytes.len));
		bytes = slice_part(bytes, whole ? end + 1 : bytes.len, SIZE_MAX);
		if (!whole)
			continue;
		look(search, slice_from(search->line, search->len));
		search->len = 0;
	}
}

void sanitizer_tell(const struct sanitizer_search *search, char *text, size_t size)
{
	struct slice rest = slice_from(search->line, search->len);
	text[0] = 0;
	if (search->found[0])
		snprintf(text, size, "%s", search->found);
	else if (sanitizer_report(rest))
		snprintf(text, size, "%.*s", SLICE_PRINT(rest));
}
