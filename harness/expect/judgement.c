#include "expect/judgement.h"

#include <stdio.h>
#include <string.h>

void judgement_init(struct judgement *j, struct arena *arena, const struct judge_world *world)
{
	*j = (struct judgement){ .arena = arena, .world = world };
}

/* Length of the UTF-8 sequence at s (RFC 3629), or 0 where there is none. */
static size_t sequence(struct slice s)
{
	static const struct {
		uint8_t lead, last, least, most; /* range of the first byte, then of the second */
		size_t length;
	} forms[] = {
		{ 0xC2, 0xDF, 0x80, 0xBF, 2 },
		{ 0xE0, 0xE0, 0xA0, 0xBF, 3 },
		{ 0xE1, 0xEC, 0x80, 0xBF, 3 },
		{ 0xED, 0xED, 0x80, 0x9F, 3 },
		{ 0xEE, 0xEF, 0x80, 0xBF, 3 },
		{ 0xF0, 0xF0, 0x90, 0xBF, 4 },
		{ 0xF1, 0xF3, 0x80, 0xBF, 4 },
		{ 0xF4, 0xF4, 0x80, 0x8F, 4 },
	};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t length = forms[i].length;
		if (s.ptr[0] < forms[i].lead || s.ptr[0] > forms[i].last || s.len < length)
			continue;
		if (s.ptr[1] < forms[i].least || s.ptr[1] > forms[i].most)
			continue;
		for (size_t k = 2; k < length; k++)
			if ((s.ptr[k] & 0xC0) != 0x80)
				return 0;
		return length;
	}
	return 0;
}

/* Texts are cut between code points, so that reports stay UTF-8. */
static const char *cut(struct arena *arena, const char *text)
{
	size_t length = strlen(text);
	if (length <= JUDGE_TEXT_BYTES)
		return arena_text(arena, text);
	size_t keep = JUDGE_TEXT_BYTES - 3;
	while (keep && ((uint8_t)text[keep] & 0xC0) == 0x80)
		keep--;
	return arena_print(arena, "%.*s...", (int)keep, text);
}

void judge_finding(struct judgement *j, const char *pointer, const char *what, const char *expected,
	const char *found)
{
	size_t count = j->broken_count;
	if ((count & (count - 1)) == 0) {
		struct broken *grown =
			arena_alloc(j->arena, count ? 2 * count : 1, sizeof *j->broken);
		if (count)
			memcpy(grown, j->broken, count * sizeof *grown);
		j->broken = grown;
	}
	j->broken[j->broken_count++] = (struct broken){
		.pointer = arena_text(j->arena, pointer),
		.what = arena_text(j->arena, what),
		.expected = cut(j->arena, expected),
		.found = cut(j->arena, found),
	};
}

void judge_check(struct judgement *j, bool holds, const char *pointer, const char *what,
	const char *expected, const char *found)
{
	j->checks++;
	if (!holds)
		judge_finding(j, pointer, what, expected, found);
}

void judge_spoiled(struct judgement *j, const char *pointer, const char *what, const char *why)
{
	if (!j->has_spoiled)
		err_set(&j->spoiled, RC_INVALID, pointer, "%s may not be judged: %s", what, why);
	j->has_spoiled = true;
}

void judge_error(struct judgement *j, const char *pointer, const char *format, ...)
{
	if (j->has_error)
		return;
	j->has_error = true;
	snprintf(j->error.where, sizeof j->error.where, "%s", pointer);
	va_list args;
	va_start(args, format);
	vsnprintf(j->error.text, sizeof j->error.text, format, args);
	va_end(args);
}

/* Writes what stands for the byte (or sequence) at the start of s to out and returns how many bytes of s it took. */
static size_t quote_one(struct slice s, char *out, size_t size)
{
	uint8_t byte = s.ptr[0];
	if (byte == '"' || byte == '\\') {
		snprintf(out, size, "\\%c", byte);
	} else if (byte == '\n' || byte == '\r' || byte == '\t') {
		snprintf(out, size, "\\%c", byte == '\n' ? 'n' : byte == '\r' ? 'r' : 't');
	} else if (byte >= 0x20 && byte < 0x7F) {
		snprintf(out, size, "%c", byte);
	} else if (byte >= 0x80 && sequence(s)) {
		snprintf(out, size, "%.*s", (int)sequence(s), (const char *)s.ptr);
		return sequence(s);
	} else {
		snprintf(out, size, "\\x%02x", byte);
	}
	return 1;
}

const char *judge_quote(struct judgement *j, struct slice bytes)
{
	if (!bytes.ptr)
		return "absent";
	char text[JUDGE_QUOTE_BYTES + 16] = "\"";
	size_t used = 1, at = 0;
	while (at < bytes.len && used < JUDGE_QUOTE_BYTES) {
		at += quote_one(slice_part(bytes, at, SIZE_MAX), text + used, sizeof text - used);
		used += strlen(text + used);
	}
	if (at == bytes.len)
		return arena_print(j->arena, "%s\"", text);
	return arena_print(j->arena, "%s\"... (%zu bytes)", text, bytes.len);
}
