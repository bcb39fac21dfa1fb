#include "stats/slope.h"

#include <check.h>
#include <math.h>

/* The right values are worked out by hand, or by exact fractions where `why` says so. */
static const struct {
	const char *why;
	double points[8][2];
	size_t count;
	bool known;
	double each;
} rows[] = {
	{ "nothing", { { 0 } }, 0, false, 0 },
	{ "two points are any line", { { 1, 1 }, { 2, 2 } }, 2, false, 0 },
	{ "one count only", { { 5, 1 }, { 5, 2 }, { 5, 3 } }, 3, false, 0 },
	{ "a line, with what is there from the start",
		{ { 200, 11e6 }, { 400, 13e6 }, { 600, 15e6 } }, 3, true, 1e4 },
	{ "flat", { { 1, 7 }, { 2, 7 }, { 3, 7 } }, 3, true, 0 },
	{ "going down", { { 1, 9 }, { 2, 7 }, { 3, 5 } }, 3, true, -2 },
	{ "in any order", { { 3, 5 }, { 1, 9 }, { 2, 7 } }, 3, true, -2 },
	{ "off the line, by fractions", { { 1, 2 }, { 2, 3 }, { 3, 7 }, { 4, 8 } }, 4, true, 2.2 },
	{ "uneven steps, by fractions", { { 1, 1 }, { 2, 2 }, { 10, 30 } }, 3, true,
		3.3287671232876712 },
	{ "small steps on a large total",
		{ { 1, 1e15 + 8 }, { 2, 1e15 + 16 }, { 3, 1e15 + 24 }, { 4, 1e15 + 32 } }, 4, true,
		8 },
};

START_TEST(slopes)
{
	struct slope slope = { 0 };
	double each = 0;
	for (size_t i = 0; i < rows[_i].count; i++)
		slope_add(&slope, rows[_i].points[i][0], rows[_i].points[i][1]);
	ck_assert_msg(slope_take(&slope, &each) == rows[_i].known, "%s", rows[_i].why);
	ck_assert_msg(fabs(each - rows[_i].each) < 1e-6, "%s: %.17g", rows[_i].why, each);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("slope");
	TCase *tests = tcase_create("slope");
	tcase_add_loop_test(tests, slopes, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
