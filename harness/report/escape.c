#include "report/escape.h"

#include <string.h>

enum { REPLACEMENT = 0xfffd };

/* What the lead byte says: how many bytes follow, and what the first of them may be (RFC 3629 section 4). */
static int follow(uint8_t lead, uint8_t *low, uint8_t *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 1;
	if (lead >= 0xe0 && lead <= 0xef) {
		*low = lead == 0xe0 ? 0xa0 : 0x80;
		*high = lead == 0xed ? 0x9f : 0xbf;
		return 2;
	}
	if (lead >= 0xf0 && lead <= 0xf4) {
		*low = lead == 0xf0 ? 0x90 : 0x80;
		*high = lead == 0xf4 ? 0x8f : 0xbf;
		return 3;
	}
	return -1;
}

bool escape_next(const char **text, struct point *point)
{
	const uint8_t *bytes = (const uint8_t *)*text;
	if (!bytes || !bytes[0])
		return false;
	*point = (struct point){ .code = bytes[0], .bytes = 1, .valid = true };
	if (bytes[0] >= 0x80) {
		uint8_t low, high;
		int more = follow(bytes[0], &low, &high);
		uint32_t code = more > 0 ? bytes[0] & (0x3fU >> more) : 0;
		/* The NUL at the end is no continuation, so this never reads behind it. */
		for (; more > 0 && bytes[point->bytes] >= low && bytes[point->bytes] <= high;
			more--) {
			code = code << 6 | (bytes[point->bytes++] & 0x3fU);
			low = 0x80;
			high = 0xbf;
		}
		point->valid = more == 0;
		point->code = point->valid ? code : REPLACEMENT;
	}
	*text += point->bytes;
	return true;
}

/* Also C1 controls (U+009B starts a terminal's sequence) and the marks that turn the direction of text. */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static void raw(FILE *out, const char *bytes, size_t count)
{
	fwrite(bytes, 1, count, out);
}

/* One point as people read it; returns its columns. */
static size_t visible(FILE *out, const struct point *point, const char *bytes)
{
	static const char letters[] = "\n\t\r";
	const char *letter = point->code < 0x20 ? strchr(letters, (int)point->code) : NULL;
	if (point->valid && !is_control(point->code)) {
		raw(out, bytes, point->bytes);
		return 1;
	}
	if (letter) {
		fprintf(out, "\\%c", "ntr"[letter - letters]);
		return 2;
	}
	for (size_t i = 0; i < point->bytes; i++)
		fprintf(out, "\\x%02x", (uint8_t)bytes[i]);
	return 4 * point->bytes;
}

size_t escape_line(FILE *out, const char *text)
{
	struct point point;
	size_t columns = 0;
	for (const char *at = text; escape_next(&text, &point); at = text)
		columns += visible(out, &point, at);
	return columns;
}

void escape_block(FILE *out, const char *text, const char *indent)
{
	struct point point;
	for (const char *at = text; escape_next(&text, &point); at = text) {
		if (*at == '\n')
			fprintf(out, "\n%s", indent);
		else if (*at == '\t')
			fputc('\t', out);
		else
			visible(out, &point, at);
	}
}

/* XML 1.0 section 2.2, without what only a reference can keep. */
static bool xml_takes(uint32_t code)
{
	return code >= 0x20 ? code != 0xfffe && code != 0xffff : code == '\n' || code == '\t';
}

static void xml_point(FILE *out, const struct point *point, const char *bytes)
{
	switch (point->code) {
	case '&': fputs("&amp;", out); return;
	case '<': fputs("&lt;", out); return;
	case '>': fputs("&gt;", out); return;
	case '"': fputs("&quot;", out); return;
	case '\r': fputs("&#13;", out); return;
	default: break;
	}
	if (point->valid && xml_takes(point->code))
		raw(out, bytes, point->bytes);
	else
		fputs("\xef\xbf\xbd", out);
}

void escape_xml(FILE *out, const char *text)
{
	struct point point;
	for (const char *at = text; escape_next(&text, &point); at = text)
		xml_point(out, &point, at);
}

void escape_attribute(FILE *out, const char *text)
{
	struct point point;
	for (const char *at = text; escape_next(&text, &point); at = text) {
		if (*at == '\n' || *at == '\t')
			fprintf(out, "&#%d;", *at);
		else
			xml_point(out, &point, at);
	}
}

/* What YAML 1.2 section 5.1 does not call printable, and line separators, which it folds. */
static bool json_escapes(uint32_t code)
{
	return is_control(code) || code == 0x2028 || code == 0x2029 || code == 0xfeff ||
	       code == 0xfffe || code == 0xffff;
}

void escape_json(FILE *out, const char *text)
{
	static const char letters[] = "\"\\\b\f\n\r\t";
	struct point point;
	fputc('"', out);
	for (const char *at = text; escape_next(&text, &point); at = text) {
		const char *letter = point.code < 0x80 ? strchr(letters, (int)point.code) : NULL;
		if (letter)
			fprintf(out, "\\%c", "\"\\bfnrt"[letter - letters]);
		else if (json_escapes(point.code))
			fprintf(out, "\\u%04x", (unsigned)point.code);
		else if (point.valid)
			raw(out, at, point.bytes);
		else
			fputs("\xef\xbf\xbd", out);
	}
	fputc('"', out);
}

void escape_markdown(FILE *out, const char *text)
{
	struct point point;
	for (const char *at = text; escape_next(&text, &point); at = text) {
		if (point.code < 0x80 && strchr("\\`*_[]<>|~&$@", (int)point.code))
			fputc('\\', out);
		visible(out, &point, at);
	}
}

static void command_text(FILE *out, const char *text, const char *reserved)
{
	struct point point;
	for (const char *at = text; escape_next(&text, &point); at = text) {
		if (point.code < 0x80 && strchr(reserved, (int)point.code))
			fprintf(out, "%%%02X", (unsigned)point.code);
		else
			visible(out, &point, at);
	}
}

void escape_message(FILE *out, const char *text)
{
	command_text(out, text, "%\r\n");
}

void escape_property(FILE *out, const char *text)
{
	command_text(out, text, "%\r\n:,");
}
