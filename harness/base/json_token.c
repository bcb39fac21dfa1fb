#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_scan.h"

enum {
	NUMBER_BYTES =
		63, /* cJSON copies a number to 64 bytes and takes what is behind for the next token */
	FOUND_BYTES = 40,
};

#define WHOLE_MAX UINT64_C(9007199254740992) /* 2^53 */

/* How many bytes the UTF-8 sequence at text takes (RFC 3629, section 4), or 0 where it is none. */
static size_t utf8_length(struct slice text)
{
	const uint8_t *b = text.ptr;
	uint8_t low = 0x80, high = 0xbf;
	size_t length = 0;
	if (b[0] < 0x80)
		return 1;
	if (b[0] >= 0xc2 && b[0] <= 0xdf)
		length = 2;
	else if (b[0] >= 0xe0 && b[0] <= 0xef)
		length = 3;
	else if (b[0] >= 0xf0 && b[0] <= 0xf4)
		length = 4;
	/* The second byte tells overlong forms, surrogates and what is past U+10FFFF apart. */
	if (b[0] == 0xe0)
		low = 0xa0;
	if (b[0] == 0xed)
		high = 0x9f;
	if (b[0] == 0xf0)
		low = 0x90;
	if (b[0] == 0xf4)
		high = 0x8f;
	if (!length || text.len < length || b[1] < low || b[1] > high)
		return 0;
	for (size_t i = 2; i < length; i++)
		if ((b[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

/* How many bytes from `at` on are plain ASCII, which takes a column each and ends no line. */
static size_t plain_length(const struct json_scan *scan, size_t at)
{
	size_t start = at;
	while (at < scan->len && scan->text[at] >= ' ' && scan->text[at] < 0x80)
		at++;
	return at - start;
}

/* The same inside a string, up to what ends it or an escape. */
static size_t plain_string_length(const struct json_scan *scan, size_t at)
{
	size_t start = at;
	while (at < scan->len && scan->text[at] >= ' ' && scan->text[at] < 0x80 &&
		scan->text[at] != '"' && scan->text[at] != '\\')
		at++;
	return at - start;
}

void json_check_utf8(struct json_scan *scan)
{
	bool was_bad = false;
	while (scan->at < scan->len) {
		size_t plain = plain_length(scan, scan->at);
		if (plain) {
			scan->at += plain;
			was_bad = false;
			continue;
		}
		size_t length =
			utf8_length(slice_from(scan->text + scan->at, scan->len - scan->at));
		if (!length && !was_bad)
			json_fault(scan, json_spot(scan), "expected UTF-8, found byte 0x%02x",
				scan->text[scan->at]);
		was_bad = !length;
		json_advance(scan, length ? length : 1);
	}
}

/* Four hexadecimal digits at text, or -1. */
static int32_t hex4(struct slice text)
{
	int32_t code = 0;
	if (text.len < 4)
		return -1;
	for (size_t i = 0; i < 4; i++) {
		uint8_t c = text.ptr[i];
		uint8_t letter = c | 0x20;
		if (c >= '0' && c <= '9')
			code = code * 16 + (c - '0');
		else if (letter >= 'a' && letter <= 'f')
			code = code * 16 + (letter - 'a' + 10);
		else
			return -1;
	}
	return code;
}

static void put_utf8(struct json_char *c, int32_t code)
{
	uint8_t *to = c->utf8;
	if (code < 0x80) {
		to[c->length++] = (uint8_t)code;
		return;
	}
	if (code < 0x800) {
		to[c->length++] = (uint8_t)(0xc0 | code >> 6);
	} else if (code < 0x10000) {
		to[c->length++] = (uint8_t)(0xe0 | code >> 12);
		to[c->length++] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
	} else {
		to[c->length++] = (uint8_t)(0xf0 | code >> 18);
		to[c->length++] = (uint8_t)(0x80 | (code >> 12 & 0x3f));
		to[c->length++] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
	}
	to[c->length++] = (uint8_t)(0x80 | (code & 0x3f));
}

/* raw starts with "\u". RFC 8259, section 7. */
static struct json_char unicode_escape(struct slice raw)
{
	struct json_char c = { .written = 2 };
	int32_t code = hex4(slice_part(raw, 2, 4));
	if (code < 0) {
		c.expected = "expected four hexadecimal digits behind \\u";
		return c;
	}
	c.written = 6;
	bool pair = slice_starts(slice_part(raw, 6, 2), "\\u");
	int32_t low = pair ? hex4(slice_part(raw, 8, 4)) : -1;
	if (code == 0) {
		c.expected = "expected text without \\u0000";
	} else if (code >= 0xd800 && code <= 0xdbff && low >= 0xdc00 && low <= 0xdfff) {
		c.written = 12;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code >= 0xd800 && code <= 0xdfff) {
		c.expected = "expected both halves of a surrogate pair";
	}
	if (!c.expected)
		put_utf8(&c, code);
	return c;
}

static struct json_char escape(struct slice raw)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	struct json_char c = { .written = 1 };
	uint8_t letter = raw.len > 1 ? raw.ptr[1] : 0;
	if (letter == 'u')
		return unicode_escape(raw);
	const char *known = letter ? strchr(letters, letter) : NULL;
	if (known) {
		c.written = 2;
		c.utf8[c.length++] = (uint8_t)bytes[known - letters];
		return c;
	}
	c.expected = "expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX";
	if (letter >= ' ') {
		size_t length = utf8_length(slice_part(raw, 1, SIZE_MAX));
		c.written = 1 + (length ? length : 1);
	}
	return c;
}

struct json_char json_char_at(struct slice raw)
{
	if (raw.ptr[0] == '\\')
		return escape(raw);
	size_t length = utf8_length(raw);
	struct json_char c = { .written = length ? length : 1 };
	c.length = c.written;
	memcpy(c.utf8, raw.ptr, c.length);
	if (raw.ptr[0] < ' ')
		c.expected = "expected an escape instead of a control character";
	return c;
}

char *json_decode(struct arena *arena, struct slice raw)
{
	/* No escape is shorter than what it stands for. */
	char *text = arena_alloc(arena, raw.len + 1, 1);
	size_t length = 0;
	while (raw.len) {
		struct json_char c = json_char_at(raw);
		memcpy(text + length, c.utf8, c.length);
		length += c.length;
		raw = slice_part(raw, c.written, SIZE_MAX);
	}
	return text;
}

bool json_take_string(struct json_scan *scan)
{
	struct json_spot start = json_spot(scan);
	json_advance(scan, 1);
	for (;;) {
		scan->at += plain_string_length(scan, scan->at);
		if (scan->at == scan->len || scan->text[scan->at] == '\n')
			break;
		uint8_t byte = scan->text[scan->at];
		if (byte == '"') {
			json_advance(scan, 1);
			return true;
		}
		struct slice rest = slice_from(scan->text + scan->at, scan->len - scan->at);
		struct json_char c = json_char_at(rest);
		if (c.expected && byte < ' ')
			json_fault(
				scan, json_spot(scan), "%s, found byte 0x%02x", c.expected, byte);
		else if (c.expected)
			json_fault(scan, json_spot(scan), "%s, found %.*s", c.expected,
				SLICE_PRINT(slice_part(rest, 0, c.written)));
		json_advance(scan, c.written);
	}
	json_fault(scan, start,
		"expected a closing quote for the string that starts here, found the end of the %s",
		scan->at < scan->len ? "line" : "text");
	return false;
}

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Whether text is a number of RFC 8259, section 6; *whole where it has neither fraction nor exponent. */
static bool number_form(const char *text, bool *whole)
{
	if (*text == '-')
		text++;
	size_t count = digits(text);
	if (!count || (count > 1 && *text == '0'))
		return false;
	text += count;
	*whole = !*text;
	if (*text == '.') {
		count = digits(++text);
		if (!count)
			return false;
		text += count;
	}
	if (*text == 'e' || *text == 'E') {
		text++;
		if (*text == '+' || *text == '-')
			text++;
		count = digits(text);
		if (!count)
			return false;
		text += count;
	}
	return !*text;
}

static bool in_number(uint8_t c)
{
	return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == '_' ||
	       (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void json_take_number(struct json_scan *scan)
{
	struct json_spot spot = json_spot(scan);
	size_t start = scan->at;
	while (scan->at < scan->len && in_number(scan->text[scan->at]))
		json_advance(scan, 1);
	struct slice token = slice_from(scan->text + start, scan->at - start);
	char number[NUMBER_BYTES + 1];
	bool whole = false;
	if (token.len > NUMBER_BYTES) {
		json_fault(scan, spot, "expected a number of at most %d characters, found %zu",
			NUMBER_BYTES, token.len);
		return;
	}
	snprintf(number, sizeof number, "%.*s", SLICE_PRINT(token));
	if (!number_form(number, &whole)) {
		json_fault(scan, spot, "expected a number such as 10 or 0.5, found %.*s",
			FOUND_BYTES, number);
		return;
	}
	uint64_t value;
	struct slice unsigned_part = slice_of(number[0] == '-' ? number + 1 : number);
	bool small = slice_number(unsigned_part, WHOLE_MAX, &value);
	if (whole && !small && !(scan->flags & JSON_BIG_NUMBERS))
		json_fault(scan, spot,
			"expected a whole number up to 2^53 (9007199254740992), found %s", number);
	else if (!isfinite(strtod(number, NULL)))
		json_fault(scan, spot, "expected a number up to 1.7e308, found %s", number);
}
