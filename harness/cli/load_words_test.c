#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/load_words.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const struct {
	const char *text, *why;
	bool seconds;
	int64_t ns; /* -1: refused */
} times[] = {
	{ "500ms", "with a unit", false, 500 * NS_PER_MS },
	{ "1.5min", "with a unit", true, 90 * NS_PER_S },
	{ "10", "as wrk and h1load have it", true, 10 * NS_PER_S },
	{ "0.5", "a part of a second", true, NS_PER_S / 2 },
	{ "10", "no unit where none is meant", false, -1 },
	{ "0", "nothing needs no unit", false, 0 },
	{ "10kB", "a size", true, -1 },
	{ "", "nothing at all", true, -1 },
	{ "-1s", "less than nothing", true, -1 },
	{ "99999999999", "so long that it doesn't fit", true, -1 },
	{ "soon", "a word", true, -1 },
};

START_TEST(time_words)
{
	struct err err = { 0 };
	int64_t ns = -1;
	enum rc rc = load_word_time("think", times[_i].text, times[_i].seconds, &ns, &err);
	ck_assert_msg((rc == RC_OK) == (times[_i].ns >= 0), "%s: %s", times[_i].text, err.text);
	ck_assert_msg(rc != RC_OK || ns == times[_i].ns, "%s", times[_i].why);
	if (rc != RC_OK) {
		ck_assert_str_eq(err.where, "--think");
		ck_assert_ptr_nonnull(strstr(err.text, "expected a time such as 500ms or 10s"));
	}
}
END_TEST

static const struct {
	const char *text, *why;
	uint64_t least, most, value;
	bool refused;
} counts[] = {
	{ "7", "between", 1, 10, 7, false },
	{ "1", "the least", 1, 10, 1, false },
	{ "10", "the most", 1, 10, 10, false },
	{ "0", "below", 1, 10, 0, true },
	{ "11", "above", 1, 10, 0, true },
	{ "1k", "a unit", 1, 10000, 0, true },
	{ "-1", "a sign", 1, 10, 0, true },
	{ "1.5", "a part", 1, 10, 0, true },
	{ "", "nothing", 0, 10, 0, true },
	{ NULL, "not given: left alone", 1, 10, 99, false },
};

START_TEST(count_words)
{
	struct err err = { 0 };
	uint64_t value = 99;
	enum rc rc = load_word_count(
		"users", counts[_i].text, counts[_i].least, counts[_i].most, &value, &err);
	ck_assert_msg((rc != RC_OK) == counts[_i].refused, "%s", counts[_i].why);
	ck_assert_msg(counts[_i].refused || value == counts[_i].value, "%s", counts[_i].why);
}
END_TEST

static const struct {
	const char *text;
	double per_s; /* 0: refused */
} rates[] = { { "2000", 2000 }, { "2000/s", 2000 }, { "0.5", 0.5 }, { "0", 0 }, { "x", 0 },
	{ "2000ms", 0 }, { "-3", 0 }, { "1e99", 0 }, { "", 0 } };

START_TEST(rate_words)
{
	struct err err = { 0 };
	double per_s = 0;
	enum rc rc = load_word_rate("rate", rates[_i].text, &per_s, &err);
	ck_assert_msg((rc == RC_OK) == (rates[_i].per_s > 0), "%s", rates[_i].text);
	ck_assert_msg(rc != RC_OK || per_s == rates[_i].per_s, "%s: %g", rates[_i].text, per_s);
}
END_TEST

START_TEST(choices)
{
	static const char *const words[] = { "none", "gzip", "both" };
	struct err err = { 0 };
	size_t index = 0;
	ck_assert(load_word_choice("accept", "both", words, 3, &index, &err) == RC_OK);
	ck_assert_uint_eq(index, 2);
	ck_assert(load_word_choice("accept", "br", words, 3, &index, &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "expected none, gzip or both, found \"br\"");
	ck_assert_uint_eq(index, 2);
}
END_TEST

static const struct {
	const char *text, *name, *value, *why; /* name NULL: refused */
} headers[] = {
	{ "Accept: text/html", "Accept", "text/html", "as curl has it" },
	{ "accept:text/html", "accept", "text/html", "without the space" },
	{ "X:  a b \t", "X", "a b", "spaces around the value are no part of it" },
	{ "X: a: b", "X", "a: b", "the first colon" },
	{ "X:", "X", "", "sent empty" },
	{ "X: \xc3\xa9", "X", "\xc3\xa9", "obs-text of RFC 9110 section 5.5" },
	{ "X-!#$%&'*+.^_`|~9: a", "X-!#$%&'*+.^_`|~9", "a", "every tchar" },
	{ "X", NULL, NULL, "no colon" },
	{ ": a", NULL, NULL, "no name" },
	{ "X : a", NULL, NULL, "a space before the colon: RFC 9112 section 5.1" },
	{ "X: a\r\nY: b", NULL, NULL, "a second line" },
	{ "X: a\nb", NULL, NULL, "a bare line feed" },
	{ "X: \x7f", NULL, NULL, "DEL" },
	{ "\xc3\xa9: a", NULL, NULL, "no token" },
	{ "content-length: 3", NULL, NULL, "of the framing" },
	{ "Transfer-Encoding: chunked", NULL, NULL, "of the framing" },
};

START_TEST(header_words)
{
	struct arena *arena = arena_new();
	struct request_header header;
	struct err err = { 0 };
	enum rc rc = load_word_header(headers[_i].text, arena, &header, &err);
	ck_assert_msg((rc == RC_OK) == (headers[_i].name != NULL), "%s", headers[_i].why);
	if (rc == RC_OK) {
		ck_assert_str_eq(header.name, headers[_i].name);
		ck_assert_str_eq(header.value, headers[_i].value);
	} else {
		ck_assert_str_eq(err.where, "--header");
	}
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_words");
	tcase_add_loop_test(tests, time_words, 0, COUNT(times));
	tcase_add_loop_test(tests, count_words, 0, COUNT(counts));
	tcase_add_loop_test(tests, rate_words, 0, COUNT(rates));
	tcase_add_test(tests, choices);
	tcase_add_loop_test(tests, header_words, 0, COUNT(headers));
	Suite *suite = suite_create("cli/load_words");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
