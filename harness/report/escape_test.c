#include "report/escape.h"

#include <check.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define FFFD "\xef\xbf\xbd"

/*
 * How bytes fall into points: v a valid one, x one replacement. Expected from Python's decode("utf-8", "replace"), from
 * Unicode 15 tables 3-8 to 3-11 and from M. Kuhn's UTF-8 stress test.
 */
static const struct {
	const char *why, *text, *points;
} points[] = {
	{ "nothing", "", "" },
	{ "no text", NULL, "" },
	{ "ASCII", "a~\x7f", "vvv" },
	{ "the least of two, three and four bytes", "\xc2\x80\xe0\xa0\x80\xf0\x90\x80\x80", "vvv" },
	{ "the last of two, three and four bytes", "\xdf\xbf\xef\xbf\xbf\xf4\x8f\xbf\xbf", "vvv" },
	{ "around the surrogates", "\xed\x9f\xbf\xee\x80\x80", "vv" },
	{ "a lone continuation", "\x80\xbf", "xx" },
	{ "over-long slash in two bytes", "\xc0\xaf", "xx" },
	{ "over-long in three bytes", "\xe0\x80\xaf", "xxx" },
	{ "over-long in four bytes", "\xf0\x80\x80\xaf", "xxxx" },
	{ "a surrogate", "\xed\xa0\x80", "xxx" },
	{ "past U+10FFFF", "\xf4\x90\x80\x80", "xxxx" },
	{ "bytes that never occur", "\xf5\xfe\xff", "xxx" },
	{ "cut at the end after one of two", "\xc3", "x" },
	{ "cut at the end after two of three is one", "\xe2\x82", "x" },
	{ "cut at the end after three of four is one", "\xf0\x9f\x98", "x" },
	{ "cut by a letter, which stays", "\xe2\x82z", "xv" },
	{ "cut by another lead byte", "\xf0\x9f\xc3\xa9", "xv" },
	{ "table 3-8: truncated sequences", "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", "xxxxv" },
	{ "table 3-10: three truncated ones in a row", "\xe0\xa0\xe1\x80\xe2\x80", "xxx" },
};

START_TEST(utf8)
{
	const char *text = points[_i].text;
	char found[32] = "";
	struct point point;
	size_t bytes = 0;
	while (point_next(&text, &point)) {
		strcat(found, point.valid ? "v" : "x");
		bytes += point.bytes;
	}
	ck_assert_msg(!strcmp(found, points[_i].points), "%s: expected %s, found %s",
		points[_i].why, points[_i].points, found);
	ck_assert_uint_eq(bytes, points[_i].text ? strlen(points[_i].text) : 0);
}
END_TEST

START_TEST(code_points)
{
	static const struct {
		const char *text;
		uint32_t code;
	} rows[] = {
		{ "\xc3\xa9", 0xe9 },
		{ "\xe2\x82\xac", 0x20ac },
		{ "\xf0\x9f\x98\x80", 0x1f600 },
		{ "\xf4\x8f\xbf\xbf", 0x10ffff },
		{ "\xff", 0xfffd },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text = rows[i].text;
		struct point point;
		ck_assert(point_next(&text, &point));
		ck_assert_uint_eq(point.code, rows[i].code);
	}
}
END_TEST

static void line(FILE *out, const char *text)
{
	escape_line(out, text);
}

static void block(FILE *out, const char *text)
{
	escape_block(out, text, "> ");
}

typedef void (*escape_function)(FILE *out, const char *text);

static const struct {
	const char *why;
	escape_function escape;
	const char *text, *expected;
} rows[] = {
	{ "plain text stays", line, "has token \"gzip\"", "has token \"gzip\"" },
	{ "other scripts stay", line, "Größe 大 😀", "Größe 大 😀" },
	{ "line breaks and tabs are said", line, "a\r\n\tb", "a\\r\\n\\tb" },
	{ "a terminal's sequence is said", line, "\x1b[31mred\x07", "\\x1b[31mred\\x07" },
	{ "so is its one-character form", line,
		"\xc2\x9b"
		"31m",
		"\\xc2\\x9b31m" },
	{ "DEL", line, "\x7f", "\\x7f" },
	{ "broken UTF-8 by its bytes", line, "\xff\xe2\x82", "\\xff\\xe2\\x82" },
	{ "text cannot be turned around", line,
		"\xe2\x80\xae"
		"gpj.exe",
		"\\xe2\\x80\\xaegpj.exe" },
	{ "no text", line, NULL, "" },
	{ "lines are indented", block, "a\n\tb\n", "a\n> \tb\n> " },
	{ "other controls are said", block, "a\r\x1b", "a\\r\\x1b" },

	{ "markup", escape_xml, "<a b=\"c\">&amp;]]>", "&lt;a b=&quot;c&quot;&gt;&amp;amp;]]&gt;" },
	{ "what XML 1.0 cannot hold", escape_xml, "a\x01\x1b\xef\xbf\xbe\xff",
		"a" FFFD FFFD FFFD FFFD },
	{ "nor does XML turn text around or hide it", escape_xml,
		"\x7f\xc2\x80\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9",
		"\\x7f\\xc2\\x80\\xe2\\x80\\xaa\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x81\\xa9" },
	{ "in an attribute, too", escape_attribute, "\x7f\xe2\x81\xa6", "\\x7f\\xe2\\x81\\xa6" },
	{ "in Markdown, too", escape_markdown, "\x7f\xe2\x81\xa6", "\\x7f\\xe2\\x81\\xa6" },
	{ "white space stays", escape_xml, "a\n\tb", "a\n\tb" },
	{ "a carriage return by reference, else it is a line feed", escape_xml, "a\r\n",
		"a&#13;\n" },
	{ "white space by reference, else it is a space", escape_attribute, "a\n\t\rb",
		"a&#10;&#9;&#13;b" },
	{ "no way out of the quotes", escape_attribute, "\" x=\"'", "&quot; x=&quot;'" },

	{ "RFC 8259 section 7", escape_json, "\"\\/\b\f\n\r\t", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
	{ "control characters", escape_json, "\x01\x1f", "\"\\u0001\\u001f\"" },
	{ "YAML cannot print DEL and C1", escape_json, "\x7f\xc2\x80\xc2\x9f",
		"\"\\u007f\\u0080\\u009f\"" },
	{ "YAML folds line separators", escape_json, "\xe2\x80\xa8\xe2\x80\xa9",
		"\"\\u2028\\u2029\"" },
	{ "nor a byte order mark or noncharacter", escape_json,
		"\xef\xbb\xbf\xef\xbf\xbe\xef\xbf\xbf", "\"\\ufeff\\ufffe\\uffff\"" },
	{ "others stay", escape_json, "é€😀", "\"é€😀\"" },
	{ "broken UTF-8", escape_json, "a\xff", "\"a" FFFD "\"" },
	{ "no text", escape_json, NULL, "\"\"" },

	{ "a table cell", escape_markdown, "a|b\nc", "a\\|b\\nc" },
	{ "emphasis, code and links", escape_markdown, "*a* _b_ `c` [d](e) ~f~",
		"\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\~f\\~" },
	{ "HTML, mathematics and mentions", escape_markdown, "<b>&lt; $x$ @all",
		"\\<b\\>\\&lt; \\$x\\$ \\@all" },
	{ "a backslash", escape_markdown, "\\", "\\\\" },

	{ "a message holds lines", escape_message, "100%\r\nb: c, d", "100%25%0D%0Ab: c, d" },
	{ "what looks escaped is escaped", escape_message, "%0A", "%250A" },
	{ "a property ends at , and :", escape_property, "a:b,c%\n", "a%3Ab%2Cc%25%0A" },
	{ "controls are said", escape_message, "\x1b", "\\x1b" },
};

static char *escaped(escape_function escape, const char *text)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	ck_assert_ptr_nonnull(out);
	escape(out, text);
	fclose(out);
	return bytes;
}

START_TEST(escapes)
{
	char *found = escaped(rows[_i].escape, rows[_i].text);
	ck_assert_msg(!strcmp(found, rows[_i].expected), "%s: expected %s, found %s", rows[_i].why,
		rows[_i].expected, found);
	free(found);
}
END_TEST

/* What another implementation reads back is the text, with what is no UTF-8 replaced. */
START_TEST(json_reads_back)
{
	for (unsigned byte = 1; byte < 256; byte++) {
		char text[] = { 'a', (char)byte, 'z', '\0' };
		char *bytes = escaped(escape_json, text);
		cJSON *json = cJSON_Parse(bytes);
		ck_assert_msg(cJSON_IsString(json), "0x%02x: %s", byte, bytes);
		ck_assert_str_eq(json->valuestring, byte < 0x80 ? text : "a" FFFD "z");
		cJSON_Delete(json);
		free(bytes);
	}
}
END_TEST

START_TEST(columns)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	ck_assert_uint_eq(escape_line(out, "Größe\n\x1b"), 5 + 2 + 4);
	fclose(out);
	free(bytes);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("escape");
	tcase_add_loop_test(tests, utf8, 0, (int)(sizeof points / sizeof *points));
	tcase_add_test(tests, code_points);
	tcase_add_loop_test(tests, escapes, 0, (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tests, json_reads_back);
	tcase_add_test(tests, columns);
	Suite *suite = suite_create("report/escape");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
