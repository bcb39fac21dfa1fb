#include "report/escape.h"

#include <string.h>

static void raw(FILE *out, const char *bytes, size_t count)
{
	fwrite(bytes, 1, count, out);
}

size_t escape_line(FILE *out, const char *text)
{
	return visible_line(out, text);
}

void escape_block(FILE *out, const char *text, const char *indent)
{
	struct point point;
	for (const char *at = text; point_next(&text, &point); at = text) {
		if (*at == '\n')
			fprintf(out, "\n%s", indent);
		else if (*at == '\t')
			fputc('\t', out);
		else
			visible_point(out, &point, at);
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
	bool kept = point->code == '\n' || point->code == '\t';
	if (point->valid && xml_takes(point->code) && point_is_control(point->code) && !kept)
		visible_point(out, point, bytes);
	else if (point->valid && xml_takes(point->code))
		raw(out, bytes, point->bytes);
	else
		fputs("\xef\xbf\xbd", out);
}

void escape_xml(FILE *out, const char *text)
{
	struct point point;
	for (const char *at = text; point_next(&text, &point); at = text)
		xml_point(out, &point, at);
}

void escape_attribute(FILE *out, const char *text)
{
	struct point point;
	for (const char *at = text; point_next(&text, &point); at = text) {
		if (*at == '\n' || *at == '\t')
			fprintf(out, "&#%d;", *at);
		else
			xml_point(out, &point, at);
	}
}

/* What YAML 1.2 section 5.1 does not call printable, and line separators, which it folds. */
static bool json_escapes(uint32_t code)
{
	return point_is_control(code) || code == 0x2028 || code == 0x2029 || code == 0xfeff ||
	       code == 0xfffe || code == 0xffff;
}

void escape_json(FILE *out, const char *text)
{
	static const char letters[] = "\"\\\b\f\n\r\t";
	struct point point;
	fputc('"', out);
	for (const char *at = text; point_next(&text, &point); at = text) {
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
	for (const char *at = text; point_next(&text, &point); at = text) {
		if (point.code < 0x80 && strchr("\\`*_[]<>|~&$@", (int)point.code))
			fputc('\\', out);
		visible_point(out, &point, at);
	}
}

static void command_text(FILE *out, const char *text, const char *reserved)
{
	struct point point;
	for (const char *at = text; point_next(&text, &point); at = text) {
		if (point.code < 0x80 && strchr(reserved, (int)point.code))
			fprintf(out, "%%%02X", (unsigned)point.code);
		else
			visible_point(out, &point, at);
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
