#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum { VALUES = 3 };

static const struct {
	const char *why, *text;
	enum unit unit;
	double yes[VALUES], no[VALUES];
	const char *printed;
} good[] = {
	{ "up to", "<= 20ms", UNIT_NS, { 0, 19e6, 20e6 }, { 20000001, 21e6, 1e9 }, "<= 20 ms" },
	{ "below", "< 20ms", UNIT_NS, { 0, 1, 19999999 }, { 20e6, 21e6, 1e9 }, "< 20 ms" },
	{ "from", ">= 3", UNIT_COUNT, { 3, 4, 1e9 }, { 2, 0, -1 }, ">= 3" },
	{ "above", ">3", UNIT_COUNT, { 4, 5, 1e9 }, { 3, 2, 0 }, "> 3" },
	{ "equal", "== 3", UNIT_COUNT, { 3, 3, 3 }, { 2, 4, 3.5 }, "== 3" },
	{ "not equal", "!= 3", UNIT_COUNT, { 2, 4, 3.5 }, { 3, 3, 3 }, "!= 3" },
	{ "bare", "0", UNIT_COUNT, { 0, 0, -0.0 }, { 1, -1, 0.5 }, "== 0" },
	{ "a bare share", "25%", UNIT_PERCENT, { 25, 25, 25 }, { 24, 26, 0 }, "== 25%" },
	{ "a range has both ends", "1..2", UNIT_COUNT, { 1, 1.5, 2 }, { 0, 2.5, 3 }, "1 .. 2" },
	{ "a range of fractions", "0.5..1.5", UNIT_COUNT, { 0.5, 1, 1.5 }, { 0, 2, 1.6 },
		"0.5 .. 1.5" },
	{ "a range with spaces", " 1 ms .. 2 ms ", UNIT_NS, { 1e6, 15e5, 2e6 }, { 0, 3e6, 9e5 },
		"1 ms .. 2 ms" },
	{ "units of one kind", "900us..1ms", UNIT_NS, { 9e5, 95e4, 1e6 }, { 0, 8e5, 2e6 },
		"900 us .. 1 ms" },
	{ "a multiple", "<= 5x 12ms", UNIT_NS, { 0, 59e6, 60e6 }, { 60000001, 61e6, 1e9 },
		"<= 60 ms" },
	{ "a multiple of a count", "== 1.5x 4", UNIT_COUNT, { 6, 6, 6 }, { 4, 5, 7 }, "== 6" },
	{ "a share", "< 50% of 1000B", UNIT_BYTES, { 0, 1, 499 }, { 500, 501, 1000 }, "< 500 B" },
	{ "a share of a share", "<= 50% of 10%", UNIT_PERCENT, { 0, 4, 5 }, { 6, 7, 10 }, "<= 5%" },
	{ "a range of shares of one thing", "98%..102% of 12kB", UNIT_BYTES,
		{ 11760, 12000, 12240 }, { 11759, 12241, 0 }, "11.76 kB .. 12.24 kB" },
	{ "a range of two shares", "50% of 10..100% of 20", UNIT_COUNT, { 5, 6, 20 }, { 4, 21, 30 },
		"5 .. 20" },
	{ "a range of multiples", "2x..3x 4B", UNIT_BYTES, { 8, 9, 12 }, { 7, 13, 4 },
		"8 B .. 12 B" },
	{ "a range of plain shares", "1%..2%", UNIT_PERCENT, { 1, 1.5, 2 }, { 0, 3, 2.1 },
		"1% .. 2%" },
};

START_TEST(holds)
{
	struct comparison c = { 0 };
	struct err err = { 0 };
	char text[64];
	ck_assert_msg(comparison_parse(good[_i].text, &c, &err) == RC_OK, "%s: %s", good[_i].why,
		err.text);
	ck_assert_msg(comparison_valid(good[_i].text, &err), "%s", good[_i].why);
	ck_assert_msg(c.unit == good[_i].unit, "%s", good[_i].why);
	for (int i = 0; i < VALUES; i++) {
		struct quantity yes = { c.unit, good[_i].yes[i] }, no = { c.unit, good[_i].no[i] };
		bool held = false;
		ck_assert(comparison_holds(&c, yes, &held, &err) == RC_OK);
		ck_assert_msg(held, "%s: %g", good[_i].why, yes.value);
		ck_assert(comparison_holds(&c, no, &held, &err) == RC_OK);
		ck_assert_msg(!held, "%s: %g", good[_i].why, no.value);
	}
	comparison_print(&c, text, sizeof text);
	ck_assert_str_eq(text, good[_i].printed);
}
END_TEST

static const struct {
	const char *why, *text, *says;
} bad[] = {
	{ "nothing", "", "expected a number" },
	{ "an operator alone", "<=", "expected a number" },
	{ "one equals sign", "=3", "one of the operators < <= > >= == !=" },
	{ "turned round", "=< 3", "one of the operators" },
	{ "no such operator", "~3", "one of the operators" },
	{ "negative", "< -3", "without a sign" },
	{ "a range with an operator", "== 1..2", "without operator" },
	{ "a range from high to low", "2..1", "from its lower to its higher end" },
	{ "a range of two kinds", "1ms..2", "found a time and a count" },
	{ "a unit only behind the second bound", "1..2ms", "found a count and a time" },
	{ "a range with one end", "1..", "expected a number" },
	{ "a share of a multiple", "50% of 2x 3",
		"expected a quantity behind a share or multiple" },
	{ "a multiple of nothing", "<= 5x", "expected a space behind the \"x\"" },
	{ "a multiple without what it is of", "2x..3", "what the multiple is of" },
	{ "hexadecimal", "< 0x10", "hexadecimal" },
	{ "something behind", "<= 20ms or so", "expected the end of the comparison" },
	{ "two comparisons", "> 1 < 2", "found \"< 2\"" },
	{ "a variable is not resolved here", "<= ${x}", "found \"${x}\"" },
};

START_TEST(refused)
{
	struct comparison c;
	struct err err = { 0 };
	ck_assert_msg(comparison_parse(bad[_i].text, &c, &err) == RC_INVALID, "%s", bad[_i].why);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "%s: %s", bad[_i].why, err.text);
}
END_TEST

static const struct {
	const char *why, *text;
	bool valid;
} templates[] = {
	{ "all of it", "${limit}", true },
	{ "a bound", "<= ${idle.p99}", true },
	{ "a multiple of one", "<= 5x ${idle.p99}", true },
	{ "a number of times", "<= ${n}x 12ms", true },
	{ "a number before its unit", "<= ${n}ms", true },
	{ "a share of one", "< 50% of ${bytes.decoded}", true },
	{ "any share of one", "< ${share} of ${bytes.decoded}", true },
	{ "both ends", "${low}..${high}", true },
	{ "one end, of a kind that is not known", "1ms..${high}", true },
	{ "shares of one", "98%..102% of ${page.bytes.wire}", true },
	{ "braces inside", "<= ${a.${b}}", true },
	{ "both kinds are known after all", "${n}ms..3B", false },
	{ "not closed", "<= ${x", false },
	{ "escaped", "<= $${x}", false },
	{ "something behind", "${x} ${y}", false },
};

START_TEST(with_variables)
{
	struct err err = { 0 };
	ck_assert_msg(comparison_valid(templates[_i].text, &err) == templates[_i].valid, "%s: %s",
		templates[_i].why, err.text);
	ck_assert(templates[_i].valid || err.text[0]);
}
END_TEST

START_TEST(other_kinds)
{
	struct comparison c = { 0 };
	struct err err = { 0 };
	bool held;
	ck_assert(comparison_parse("<= 20ms", &c, &err) == RC_OK);
	struct quantity size = { UNIT_BYTES, 3 };
	ck_assert(comparison_holds(&c, size, &held, &err) == RC_INVALID);
	ck_assert_str_eq(err.text, "expected a time, found a size");
}
END_TEST

static const struct {
	const char *text;
	bool of_less, of_more;
} one_way[] = {
	{ "< 20ms", true, false },
	{ "<= 20ms", true, false },
	{ "> 5/s", false, true },
	{ ">= 5/s", false, true },
	{ "== 20ms", false, false },
	{ "!= 20ms", false, false },
	{ "0ms..20ms", false, false },
	{ "5", false, false },
};

START_TEST(of_less_or_more)
{
	struct comparison c = { 0 };
	ck_assert(comparison_parse(one_way[_i].text, &c, NULL) == RC_OK);
	ck_assert_msg(comparison_holds_of_less(&c) == one_way[_i].of_less, "%s", one_way[_i].text);
	ck_assert_msg(comparison_holds_of_more(&c) == one_way[_i].of_more, "%s", one_way[_i].text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("comparison");
	tcase_add_loop_test(tests, holds, 0, (int)(sizeof good / sizeof *good));
	tcase_add_loop_test(tests, refused, 0, (int)(sizeof bad / sizeof *bad));
	tcase_add_loop_test(tests, with_variables, 0, (int)(sizeof templates / sizeof *templates));
	tcase_add_test(tests, other_kinds);
	tcase_add_loop_test(tests, of_less_or_more, 0, (int)(sizeof one_way / sizeof *one_way));
	Suite *suite = suite_create("base/comparison");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
