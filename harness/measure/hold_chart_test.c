#include "measure/hold_chart.h"

#include <check.h>
#include <stdlib.h>

/* Series of the curve by what was known and how it ended. */
static const struct {
	double capped, cap;
	bool killed;
	size_t series, marks;
	const char *last;
	const char *why;
} rows[] = {
	{ 0, 0, false, 1, 0, "resident", "a SUT without a cap" },
	{ 5e6, 0, false, 2, 0, "counted against its cap", "with one that did not fill" },
	{ 5e6, 32e6, true, 3, 1, "its memory cap", "killed" },
	{ 0, 32e6, true, 2, 1, "its memory cap", "killed before it was known" },
};

START_TEST(ends)
{
	struct arena *arena = arena_new();
	struct chart *chart = hold_chart_new(arena);
	for (int i = 1; i <= 3; i++)
		hold_chart_add(chart, 100 * i, 1e6 * i, rows[_i].capped);
	hold_chart_end(chart, 400, rows[_i].cap, rows[_i].killed);
	const struct chart_panel *panel = &chart->panels[0];
	ck_assert_msg(panel->series_count == rows[_i].series, "%s", rows[_i].why);
	ck_assert_uint_eq(chart->mark_count, rows[_i].marks);
	ck_assert_str_eq(panel->series[panel->series_count - 1].name, rows[_i].last);
	ck_assert_uint_eq(panel->series[0].count, 3);
	ck_assert_double_eq(panel->series[0].points[2].x, 300);
	ck_assert_double_eq(panel->series[0].points[2].y, 3e6);
	if (rows[_i].killed)
		ck_assert_double_eq(chart->marks[0].x, 400);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("hold_chart");
	tcase_add_loop_test(tests, ends, 0, sizeof rows / sizeof *rows);
	Suite *suite = suite_create("measure/hold_chart");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
