#include "report/axis.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axis of 0 to 100 px over what is between two values, settled on round ends or not. */
static const struct {
	enum chart_scale scale;
	enum unit unit;
	double low, high;
	bool round;
	size_t most;
	const char *labels; /* of the ticks that have one */
	const char *why;
} ticks[] = {
	{ CHART_LINEAR, UNIT_COUNT, 3, 9, true, 6, "0 2 4 6 8 10 ", "from 0 on, up to a tick" },
	{ CHART_LINEAR, UNIT_COUNT, 1, 2, true, 6, "0 1 2 ", "no half of a thing" },
	{ CHART_LINEAR, UNIT_COUNT, -30, 70, true, 6, "-50 0 50 100 ", "below 0 too" },
	{ CHART_LINEAR, UNIT_PERCENT, 0, 37.3, true, 6, "0 10% 20% 30% 40% ", "percents" },
	{ CHART_LINEAR, UNIT_BYTES, 1, 33554432, true, 6, "0 10 MB 20 MB 30 MB 40 MB ", "bytes" },
	{ CHART_LINEAR, UNIT_PER_S, 0, 0, true, 6, "0 0.2/s 0.4/s 0.6/s 0.8/s 1/s ", "all 0" },
	{ CHART_LINEAR, UNIT_NS, 0, 4.8e9, false, 8, "0 1 s 2 s 3 s 4 s ", "an end as it is" },
	{ CHART_LINEAR, UNIT_NS, 0, 90e9, false, 8, "0 15 s 30 s 45 s 60 s 75 s 90 s ", "a clock" },
	{ CHART_LINEAR, UNIT_NS, 0, 3600e9, false, 8,
		"0 10 min 20 min 30 min 40 min 50 min 60 min ", "an hour" },
	{ CHART_LINEAR, UNIT_NS, 0, 86400e9 * 30, false, 4, "0 14400 min 28800 min 43200 min ",
		"a month" },
	{ CHART_LOG, UNIT_NS, 1.2e6, 3e6, true, 6, "1 ms 2 ms 5 ms ", "below a decade" },
	{ CHART_LOG, UNIT_NS, 2e6, 2e6, true, 6, "2 ms 5 ms 10 ms 20 ms ", "one value" },
	{ CHART_LOG, UNIT_NS, 5e4, 17e6, true, 6, "100 us 1 ms 10 ms ", "powers of ten alone" },
	{ CHART_LOG, UNIT_COUNT, 1e-3, 1e15, true, 4, "0.001 100 10000000 1000000000000 ",
		"some of them" },
	{ CHART_LOG, UNIT_NS, 0, -1, true, 6, "0.001 us 0.002 us 0.005 us 0.01 us ",
		"nothing to show" },
	{ CHART_PERCENT, UNIT_PERCENT, 0, 50, false, 8, "0 50% 90% ", "a few" },
	{ CHART_PERCENT, UNIT_PERCENT, 0, 99.995, false, 8, "0 50% 90% 99% 99.9% 99.99% ",
		"nines" },
	{ CHART_PERCENT, UNIT_PERCENT, 10, 99.995, false, 4, "0 90% 99.9% ", "a narrow one" },
};

START_TEST(tick_labels)
{
	const struct chart_axis of = { "t", ticks[_i].unit, ticks[_i].scale };
	struct axis_tick found[AXIS_TICKS_MOST];
	struct axis axis;
	char labels[512] = "";
	axis_init(&axis, &of, 0, 100);
	axis_reach(&axis, ticks[_i].low);
	axis_reach(&axis, ticks[_i].high);
	axis_settle(&axis, ticks[_i].round);
	size_t count = axis_ticks(&axis, ticks[_i].most, found);
	ck_assert_uint_le(count, AXIS_TICKS_MOST);
	for (size_t i = 0; i < count; i++) {
		ck_assert(found[i].px >= 0 && found[i].px <= 100);
		ck_assert(!i || found[i].px > found[i - 1].px);
		if (!found[i].label[0])
			continue;
		strcat(labels, found[i].label);
		strcat(labels, " ");
	}
	ck_assert_msg(strcmp(labels, ticks[_i].labels) == 0, "%s: %s", ticks[_i].why, labels);
}
END_TEST

static const struct {
	enum chart_scale scale;
	double low, high, value;
	double px; /* of 200 to 100; NAN: it has no place */
	const char *why;
} places[] = {
	{ CHART_LINEAR, 0, 10, 0, 200, "at the beginning" },
	{ CHART_LINEAR, 0, 10, 10, 100, "at the end" },
	{ CHART_LINEAR, 0, 10, 2.5, 175, "a quarter" },
	{ CHART_LINEAR, 0, 10, -3, 200, "below: on the end" },
	{ CHART_LINEAR, 0, 10, 1e17, 100, "above: on the end" },
	{ CHART_LINEAR, 0, 10, (double)NAN, (double)NAN, "nothing" },
	{ CHART_LINEAR, 0, 10, (double)INFINITY, (double)NAN, "without end" },
	{ CHART_LOG, 1, 1e4, 100, 150, "half of the decades" },
	{ CHART_LOG, 1, 1e4, 0, (double)NAN, "0 has no logarithm" },
	{ CHART_LOG, 1, 1e4, -5, (double)NAN, "nor has -5" },
	{ CHART_PERCENT, 0, 99.99, 90, 175, "one nine of four" },
	{ CHART_PERCENT, 0, 99.99, 99, 150, "two" },
	{ CHART_PERCENT, 0, 99.99, 100, (double)NAN, "all of them are no percentile" },
	{ CHART_PERCENT, 0, 99.99, -1, (double)NAN, "nor is less than none" },
};

START_TEST(placed)
{
	const struct chart_axis of = { "t", UNIT_COUNT, places[_i].scale };
	struct axis axis;
	double px = 0;
	axis_init(&axis, &of, 200, 100);
	axis_reach(&axis, places[_i].low);
	axis_reach(&axis, places[_i].high);
	axis_settle(&axis, false);
	bool there = axis_place(&axis, places[_i].value, &px);
	ck_assert_msg(there == !isnan(places[_i].px), "%s", places[_i].why);
	if (there)
		ck_assert_msg(fabs(px - places[_i].px) < 1e-6, "%s: %g", places[_i].why, px);
}
END_TEST

/* Whatever the values are: no end, no loop without one, nothing that is no number. */
START_TEST(any_values)
{
	static const double values[] = { 0, -0.0, 5e-324, -5e-324, 1e-12, 1, 99.9999999999999,
		99.99999999999999, 100, 1e9, CHART_MOST, -CHART_MOST, (double)NAN,
		(double)INFINITY };
	enum { SCALES = 3 };
	const size_t count_of = sizeof values / sizeof *values;
	const struct chart_axis of = { "t", (enum unit)(_i / SCALES),
		(enum chart_scale)(_i % SCALES) };
	for (size_t i = 0; i < count_of * count_of; i++) {
		struct axis axis;
		struct axis_tick found[AXIS_TICKS_MOST];
		axis_init(&axis, &of, 0, 100);
		axis_reach(&axis, values[i / count_of]);
		axis_reach(&axis, values[i % count_of]);
		axis_settle(&axis, i % 2);
		size_t count = axis_ticks(&axis, 4, found);
		for (size_t k = 0; k < count; k++) {
			ck_assert(found[k].px >= 0 && found[k].px <= 100);
			ck_assert_ptr_null(strstr(found[k].label, "nan"));
			ck_assert_ptr_null(strstr(found[k].label, "inf"));
		}
	}
}
END_TEST

static const struct {
	enum unit unit;
	double value;
	const char *label;
} labels[] = {
	{ UNIT_NS, 0, "0" },
	{ UNIT_NS, 2e7, "20 ms" },
	{ UNIT_PERCENT, 99, "99%" },
	{ UNIT_PERCENT, 99.9, "99.9%" },
	{ UNIT_PERCENT, 99.9969, "99.9969%" },
	{ UNIT_PERCENT, 99.99999999, "99.99999999%" },
	{ UNIT_PERCENT, 100, "100%" },
	{ UNIT_PERCENT, 180, "180%" },
};

START_TEST(labelled)
{
	char text[AXIS_LABEL_BYTES];
	axis_label(labels[_i].unit, labels[_i].value, text, sizeof text);
	ck_assert_str_eq(text, labels[_i].label);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("axis");
	tcase_add_loop_test(tests, tick_labels, 0, sizeof ticks / sizeof *ticks);
	tcase_add_loop_test(tests, placed, 0, sizeof places / sizeof *places);
	tcase_add_loop_test(tests, any_values, 0, 15);
	tcase_add_loop_test(tests, labelled, 0, sizeof labels / sizeof *labels);
	Suite *suite = suite_create("report/axis");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
