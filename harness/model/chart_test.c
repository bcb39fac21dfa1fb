#include "model/chart.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define ABSENT ((double)NAN)

/* 100,000 points of a wave with one peak, one trough and one gap, each a single point. */
enum { MANY = 100 * 1000, PEAK = 54321, TROUGH = 12345, GAP = 77777, MOST = 300 };

START_TEST(extremes_stay)
{
	struct chart_point *points = mem_alloc(MANY, sizeof *points), out[MOST];
	bool peak = false, trough = false, gap = false;
	for (size_t i = 0; i < MANY; i++)
		points[i] = (struct chart_point){ (double)i, sin((double)i / 100) };
	points[PEAK].y = 50;
	points[TROUGH].y = -50;
	points[GAP].y = ABSENT;
	size_t count = chart_thin(points, MANY, out, MOST);
	ck_assert_uint_le(count, MOST);
	ck_assert_uint_gt(count, MOST / 3);
	for (size_t i = 0; i < count; i++) {
		ck_assert(!i || out[i].x > out[i - 1].x);
		peak = peak || out[i].y == 50;
		trough = trough || out[i].y == -50;
		gap = gap || isnan(out[i].y);
	}
	ck_assert(peak && trough && gap);
	ck_assert_double_eq(out[0].x, 0);
	ck_assert_double_eq(out[count - 1].x, MANY - 1);
	free(points);
}
END_TEST

static const struct {
	size_t count, most, kept;
	const char *why;
} sizes[] = {
	{ 0, 5, 0, "none" },
	{ 1, 5, 1, "one" },
	{ 5, 5, 5, "as many as fit" },
	{ 6, 5, 4, "a group of four keeps two, beside the ends" },
	{ 1000, 5, 4, "one group of a thousand" },
	{ 1000, 8, 6, "two groups" },
};

START_TEST(sizes_kept)
{
	struct chart_point points[1000], out[8];
	for (size_t i = 0; i < 1000; i++)
		points[i] = (struct chart_point){ (double)i, (double)i };
	size_t kept = chart_thin(points, sizes[_i].count, out, sizes[_i].most);
	ck_assert_msg(kept == sizes[_i].kept, "%s: %zu", sizes[_i].why, kept);
}
END_TEST

static const struct {
	double x, y;
	size_t count;
	bool there;
} values[] = {
	{ 1, 2, 1, true },
	{ -CHART_MOST, CHART_MOST, 1, true },
	{ 1, (double)INFINITY, 1, false },
	{ 1, 1.1 * CHART_MOST, 1, false },
	{ 1, (double)NAN, 1, false },
	{ (double)NAN, 1, 0, false },
	{ -(double)INFINITY, 1, 0, false },
};

START_TEST(values_kept)
{
	struct arena *arena = arena_new();
	struct chart *chart = chart_new(arena, "t", "d");
	struct chart_panel *panel =
		chart_panel(chart, (struct chart_axis){ "y", UNIT_COUNT, CHART_LINEAR });
	struct chart_series *series = chart_series(chart, panel, "s");
	chart_point(chart, series, values[_i].x, values[_i].y);
	chart_mark(chart, values[_i].x, "m");
	ck_assert_uint_eq(series->count, values[_i].count);
	ck_assert_uint_eq(chart->mark_count, values[_i].count);
	if (series->count)
		ck_assert_int_eq(!isnan(series->points[0].y), values[_i].there);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("chart");
	tcase_add_test(tests, extremes_stay);
	tcase_add_loop_test(tests, sizes_kept, 0, sizeof sizes / sizeof *sizes);
	tcase_add_loop_test(tests, values_kept, 0, sizeof values / sizeof *values);
	Suite *suite = suite_create("model/chart");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
