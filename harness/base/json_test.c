#include "base/json.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *why, *text;
	unsigned flags;
	const char *printed;
} good[] = {
	{ "all kinds", "{\"a\":[1,-2.5,true,false,null,\"x\"],\"b\":{}}", JSON_STRICT,
		"{\"a\":[1,-2.5,true,false,null,\"x\"],\"b\":{}}" },
	{ "a scalar alone", " 7 ", JSON_STRICT, "7" },
	{ "every escape", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"", JSON_STRICT,
		"\"\\\"\\\\/\\b\\f\\n\\r\\tA\"" },
	{ "a surrogate pair", "\"\\ud83d\\ude00\"", JSON_STRICT, "\"\xf0\x9f\x98\x80\"" },
	{ "UTF-8 as it is", "\"\xc3\xa9\xe2\x82\xac\"", JSON_STRICT, "\"\xc3\xa9\xe2\x82\xac\"" },
	{ "an exponent", "[1e3,1E-2,1.5e+1]", JSON_STRICT, "[1000,0.01,15]" },
	{ "2^53", "9007199254740992", JSON_STRICT, "9007199254740992" },
	{ "more where allowed", "9007199254740993", JSON_BIG_NUMBERS, "9007199254740992" },
	{ "a comment to the end of the line", "[1, // one, \"[\n2]", JSON_RELAXED, "[1,2]" },
	{ "a comment between", "{/*a*/\"a\"/*b*/:/*c*/1/***/}", JSON_RELAXED, "{\"a\":1}" },
	{ "comments around", "// a\n/* b\n */ 1 // c", JSON_RELAXED, "1" },
	{ "no comment inside a string", "[\"// /* */\"]", JSON_RELAXED, "[\"// /* */\"]" },
	{ "trailing commas", "{\"a\":[1,2 , ],\n}", JSON_RELAXED, "{\"a\":[1,2]}" },
	{ "a comment behind the trailing comma", "[1, /* x */ ]", JSON_RELAXED, "[1]" },
	{ "equal keys in other objects", "[{\"a\":1},{\"a\":{\"a\":2}}]", JSON_STRICT,
		"[{\"a\":1},{\"a\":{\"a\":2}}]" },
	{ "keys that differ in case", "{\"a\":1,\"A\":2}", JSON_STRICT, "{\"a\":1,\"A\":2}" },
	{ "line ends of both kinds", "[\r\n1,\n2]", JSON_STRICT, "[1,2]" },
};

START_TEST(reads)
{
	struct errors errors = { 0 };
	struct json *json;
	enum rc rc = json_read(slice_of(good[_i].text), "a.json", good[_i].flags, &json, &errors);
	ck_assert_msg(rc == RC_OK, "%s: %s", good[_i].why, rc ? errors.list[0].text : "");
	char *text = json_print(json_root(json));
	ck_assert_str_eq(text, good[_i].printed);
	free(text);
	json_free(json);
	errors_release(&errors);
}
END_TEST

#define VALUE "an object, a list, a string in double quotes, a number, true, false or null"

static const struct {
	const char *why, *text, *printed; /* all that errors_print says, relaxed */
} bad[] = {
	{ "nothing", "", "a:1:1: expected " VALUE ", found the end of the text\n" },
	{ "no comma", "[1 2]", "a:1:4: expected a comma or \"]\", found \"2\"\n" },
	{ "no comma between members", "{\"a\": 1 \"b\": 2}",
		"a:1:9: expected a comma or \"}\", found a string\n" },
	{ "never closed", "{\"a\": [1",
		"a:1:9: /a: expected a comma or \"]\", found the end of the text\n" },
	{ "closed by the other kind", "[1}", "a:1:3: expected a comma or \"]\", found \"}\"\n" },
	{ "no colon", "{\"a\" 1}", "a:1:6: expected a colon behind the key, found \"1\"\n" },
	{ "a key without quotes", "{a: 1}",
		"a:1:2: expected a key in double quotes or \"}\", found \"a\"\n" },
	{ "single quotes", "['a']", "a:1:2: /0: expected " VALUE ", found \"'\"\n" },
	{ "two commas", "[1,,2]", "a:1:4: /1: expected " VALUE ", found \",\"\n" },
	{ "a comma alone", "[,]", "a:1:2: /0: expected " VALUE ", found \",\"\n" },
	{ "two values", "{}\n{}", "a:2:1: expected the end of the text, found \"{\"\n" },
	{ "a string over two lines", "[\"a\nb\"]",
		"a:1:2: /0: expected a closing quote for the string that starts here, found the end of "
		"the line\n" },
	{ "a string to the end", "[\"a\\\"",
		"a:1:2: /0: expected a closing quote for the string that starts here, found the end of "
		"the text\n" },
	{ "a comment to the end", "[1,\n /* *",
		"a:2:2: expected */ to close the comment that starts here, found the end of the text\n" },
	{ "half a comment", "[1] /", "a:1:5: expected the end of the text, found \"/\"\n" },
	{ "a byte order mark", "\xef\xbb\xbf{}",
		"a:1:1: expected UTF-8 without a byte order mark, found one (EF BB BF)\n" },
	{ "a duplicate key, told with both places", "{\"a\": 1,\n \"\\u0061\": 2}",
		"a:2:2: /a: expected each key once, found \"a\" again (also at line 1, column 2)\n" },
	{ "columns are code points", "{\"\xc3\xa9\": \"\xf0\x9f\x98\x80\" 1}",
		"a:1:11: expected a comma or \"}\", found \"1\"\n" },
	{ "a comment keeps the columns behind it", "[/* \xc3\xa9 */ 1 2]",
		"a:1:12: expected a comma or \"]\", found \"2\"\n" },
	{ "faults without broken structure, all at once",
		"[01, \"\\q\", NaN, 9007199254740993,\n 1.]",
		"a:1:2: /0: expected a number such as 10 or 0.5, found 01\n"
		"a:1:7: /1: expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found \\q\n"
		"a:1:12: /2: expected " VALUE ", found \"NaN\"\n"
		"a:1:17: /3: expected a whole number up to 2^53 (9007199254740992), found 9007199254740993\n"
		"a:2:2: /4: expected a number such as 10 or 0.5, found 1.\n" },
	{ "past 2^53 below zero", "-9007199254740993",
		"a:1:1: expected a whole number up to 2^53 (9007199254740992), found -9007199254740993\n" },
	{ "past every double", "[1e309]",
		"a:1:2: /0: expected a number up to 1.7e308, found 1e309\n" },
	{ "a plus", "[+1]", "a:1:2: /0: expected a number such as 10 or 0.5, found +1\n" },
	{ "no digit before the point", "[.5]",
		"a:1:2: /0: expected a number such as 10 or 0.5, found .5\n" },
	{ "hexadecimal", "[0x1F]", "a:1:2: /0: expected a number such as 10 or 0.5, found 0x1F\n" },
	{ "no exponent behind the e", "[1e]",
		"a:1:2: /0: expected a number such as 10 or 0.5, found 1e\n" },
	{ "longer than cJSON reads",
		"0.12345678901234567890123456789012345678901234567890123456789012",
		"a:1:1: expected a number of at most 63 characters, found 64\n" },
	{ "NUL by an escape", "[\"a\\u0000\"]",
		"a:1:4: /0: expected text without \\u0000, found \\u0000\n" },
	{ "half a surrogate pair", "[\"\\ud800x\"]",
		"a:1:3: /0: expected both halves of a surrogate pair, found \\ud800\n" },
	{ "the second half first", "[\"\\udc00\\ud800\"]",
		"a:1:3: /0: expected both halves of a surrogate pair, found \\udc00\n"
		"a:1:9: /0: expected both halves of a surrogate pair, found \\ud800\n" },
	{ "too few digits", "[\"\\u12g4\"]",
		"a:1:3: /0: expected four hexadecimal digits behind \\u, found \\u\n" },
	{ "a tab in a string", "[\"a\tb\"]",
		"a:1:4: /0: expected an escape instead of a control character, found byte 0x09\n" },
	{ "bytes that are not UTF-8", "[\"\xff\xfe\", \"\xc3\"]",
		"a:1:3: expected UTF-8, found byte 0xff\n"
		"a:1:9: expected UTF-8, found byte 0xc3\n" },
	{ "an overlong form", "\"\xc0\xaf\"", "a:1:2: expected UTF-8, found byte 0xc0\n" },
	{ "a surrogate in UTF-8", "\"\xed\xa0\x80\"", "a:1:2: expected UTF-8, found byte 0xed\n" },
	{ "past U+10FFFF", "\"\xf4\x90\x80\x80\"", "a:1:2: expected UTF-8, found byte 0xf4\n" },
	{ "the pointer escapes its names", "{\"a/b~\": [01]}",
		"a:1:11: /a~1b~0/0: expected a number such as 10 or 0.5, found 01\n" },
};

START_TEST(refuses)
{
	struct errors errors = { 0 };
	struct json *json;
	char *text = NULL;
	size_t size;
	ck_assert_msg(
		json_read(slice_of(bad[_i].text), "a", JSON_RELAXED, &json, &errors) == RC_USAGE,
		"%s", bad[_i].why);
	ck_assert_ptr_null(json);
	FILE *out = open_memstream(&text, &size);
	errors_print(&errors, out);
	fclose(out);
	ck_assert_str_eq(text, bad[_i].printed);
	free(text);
	errors_release(&errors);
}
END_TEST

/* What relaxed reading allows, and a byte of NUL, which no C string can hold. */
START_TEST(strict_refuses)
{
	static const char *const texts[] = { "[1,]", "{\"a\":1,}", "[1] // x", "/* x */ 1" };
	struct errors errors = { 0 };
	struct json *json;
	struct err err = { 0 };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ck_assert(json_read(slice_of(texts[i]), "a", JSON_STRICT, &json, &errors) ==
			  RC_USAGE);
	ck_assert_uint_eq(errors.count, sizeof texts / sizeof *texts);
	ck_assert_str_eq(errors.list[0].text, "expected a value behind the comma, found \"]\"");
	ck_assert_str_eq(errors.list[2].text,
		"expected the end of the text, found a comment, which strict JSON has not");
	errors_release(&errors);
	ck_assert_ptr_null(json_parse(slice_from("[1]\0", 4), &err));
	ck_assert_str_eq(
		err.text, "line 1, column 4: expected the end of the text, found byte 0x00");
}
END_TEST

static const struct {
	const char *why, *text;
	const char *error; /* NULL: none */
} keys[] = {
	{ "in a list of objects", "[{\"a\": 1, \"b\": {\"a\": 2}}, {\"a\": 3}]", NULL },
	{ "beside an object that had it", "{\"b\": {\"a\": 1}, \"a\": {\"a\": 2}}", NULL },
	{ "behind an object", "[{\"a\": {\"b\": [{}, {}]}, \"c\": 1, \"a\": 2}]",
		"line 1, column 33: expected each key once, found \"a\" again (also at line 1, column 3)" },
	{ "deep inside", "[[{\"x\": 1}], {\"y\": {\"k\": 1, \"l\": [1, 2, 3], \"k\": 1}}]",
		"line 1, column 45: expected each key once, found \"k\" again (also at line 1, column 21)" },
	{ "the first of two", "[{\"k\": {\"a\": 1, \"a\": 2}}, {\"b\": 1, \"b\": 2}]",
		"line 1, column 17: expected each key once, found \"a\" again (also at line 1, column 9)" },
};

/* The network's text is read without places: each object is looked at when it ends. */
START_TEST(keys_once)
{
	struct err err = { .text = "" };
	cJSON *tree = json_parse(slice_of(keys[_i].text), &err);
	ck_assert_msg(!tree == !!keys[_i].error, "%s: %s", keys[_i].why, err.text);
	ck_assert_str_eq(err.text, keys[_i].error ? keys[_i].error : "");
	cJSON_Delete(tree);
}
END_TEST

static void nested(char *text, size_t levels)
{
	memset(text, '[', levels);
	memset(text + levels, ']', levels);
	text[2 * levels] = 0;
}

START_TEST(depth)
{
	char text[2 * JSON_DEPTH + 3];
	struct err err = { 0 };
	nested(text, JSON_DEPTH);
	cJSON *tree = json_parse(slice_of(text), &err);
	ck_assert_ptr_nonnull(tree);
	cJSON_Delete(tree);
	nested(text, JSON_DEPTH + 1);
	ck_assert_ptr_null(json_parse(slice_of(text), &err));
	ck_assert_str_eq(err.text, "line 1, column 201: expected at most 200 levels");
}
END_TEST

static const char document[] = "// Comments and \xc3\xa9 move nothing.\n"
			       "{\n"
			       "\t\"name\": \"x\", /* \xc3\xa9 */ \"list\": [10, [20],\n"
			       "\t\t{\"a/b\": null}],\n"
			       "\t\"\xc3\xa9\": \"\xe2\x82\xac\\u20ac\\ud83d\\ude00\\n${x}\",\n"
			       "}\n";

static const struct {
	const char *why, *pointer;
	int line, col, key_line, key_col;
} places[] = {
	{ "the root", "", 2, 1, 2, 1 },
	{ "a member", "/name", 3, 10, 3, 2 },
	{ "behind a comment", "/list", 3, 31, 3, 23 },
	{ "an item", "/list/0", 3, 32, 3, 32 },
	{ "an item of an item", "/list/1/0", 3, 37, 3, 37 },
	{ "on the next line", "/list/2", 4, 3, 4, 3 },
	{ "an escaped name", "/list/2/a~1b", 4, 11, 4, 4 },
	{ "a name of other letters", "/\xc3\xa9", 5, 7, 5, 2 },
};

static struct json *read_document(void)
{
	struct errors errors = { 0 };
	struct json *json;
	ck_assert(json_read(slice_of(document), "doc.json", JSON_RELAXED, &json, &errors) == RC_OK);
	return json;
}

START_TEST(place)
{
	struct json *json = read_document();
	bool owned;
	cJSON *value = json_pointer(json_root(json), places[_i].pointer, false, &owned);
	ck_assert_ptr_nonnull(value);
	struct place at = json_place(json, value), key = json_key_place(json, value);
	ck_assert_msg(at.line == places[_i].line && at.col == places[_i].col, "%s: %d:%d",
		places[_i].why, at.line, at.col);
	ck_assert_msg(key.line == places[_i].key_line && key.col == places[_i].key_col,
		"%s: key at %d:%d", places[_i].why, key.line, key.col);
	ck_assert_str_eq(at.pointer, places[_i].pointer);
	ck_assert_str_eq(at.file, "doc.json");
	json_free(json);
}
END_TEST

static const struct {
	const char *why;
	size_t offset;
	int col;
} inside[] = {
	{ "the first character, behind the quote", 0, 8 },
	{ "inside it: still it", 2, 8 },
	{ "an escape of three bytes", 3, 9 },
	{ "a surrogate pair", 6, 15 },
	{ "the escape of one byte", 10, 27 },
	{ "what stands for ${", 11, 29 },
	{ "the end", 15, 33 },
	{ "past the end", 99, 33 },
};

START_TEST(place_in)
{
	struct json *json = read_document();
	const cJSON *string = json_get(json_root(json), "\xc3\xa9");
	struct place at = json_place_in(json, string, inside[_i].offset);
	ck_assert_msg(at.line == 5 && at.col == inside[_i].col, "%s: %d:%d", inside[_i].why,
		at.line, at.col);
	json_free(json);
}
END_TEST

START_TEST(foreign_value_aborts)
{
	struct json *json = read_document();
	cJSON *other = cJSON_CreateNull();
	ck_assert_int_eq(json_place(json, other).line, 0);
}
END_TEST

START_TEST(files)
{
	char path[] = "/tmp/json_test.XXXXXX";
	struct errors errors = { 0 };
	struct json *json;
	int fd = mkstemp(path);
	ck_assert(fd >= 0 && write(fd, "[1,]", 4) == 4);
	close(fd);
	ck_assert(json_read_file(path, JSON_RELAXED, &json, &errors) == RC_OK);
	ck_assert_str_eq(json_place(json, json_root(json)).file, path);
	json_free(json);
	unlink(path);
	ck_assert(json_read_file(path, JSON_RELAXED, &json, &errors) == RC_USAGE);
	ck_assert_ptr_null(json);
	ck_assert_uint_eq(errors.count, 1);
	ck_assert_str_eq(errors.list[0].place.file, path);
	ck_assert_str_eq(errors.list[0].text, "cannot be opened: No such file or directory");
	errors_release(&errors);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("json");
	tcase_add_loop_test(tests, reads, 0, (int)(sizeof good / sizeof *good));
	tcase_add_loop_test(tests, refuses, 0, (int)(sizeof bad / sizeof *bad));
	tcase_add_test(tests, strict_refuses);
	tcase_add_test(tests, depth);
	tcase_add_loop_test(tests, keys_once, 0, (int)(sizeof keys / sizeof *keys));
	tcase_add_loop_test(tests, place, 0, (int)(sizeof places / sizeof *places));
	tcase_add_loop_test(tests, place_in, 0, (int)(sizeof inside / sizeof *inside));
	tcase_add_test_raise_signal(tests, foreign_value_aborts, SIGABRT);
	tcase_add_test(tests, files);
	Suite *suite = suite_create("base/json");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
