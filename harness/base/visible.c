#include "base/visible.h"

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

bool point_next(const char **text, struct point *point)
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
bool point_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

/* One point as people read it; returns its columns. */
size_t visible_point(FILE *out, const struct point *point, const char *bytes)
{
	static const char letters[] = "\n\t\r";
	const char *letter = point->code < 0x20 ? strchr(letters, (int)point->code) : NULL;
	if (point->valid && !point_is_control(point->code)) {
		fwrite(bytes, 1, point->bytes, out);
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

size_t visible_line(FILE *out, const char *text)
{
	struct point point;
	size_t columns = 0;
	for (const char *at = text; point_next(&text, &point); at = text)
		columns += visible_point(out, &point, at);
	return columns;
}

void visible_column(FILE *out, const char *text, size_t columns)
{
	size_t printed = visible_line(out, text);
	for (; printed < columns; printed++)
		fputc(' ', out);
}
