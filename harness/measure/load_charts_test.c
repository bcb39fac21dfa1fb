#include "measure/load_charts.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A load of 10 s of which the middle was measured, and the rows of a SUT that used half a core. */
enum { SECONDS = 10, ROWS_A_SECOND = 10, ROW_COUNT = SECONDS * ROWS_A_SECOND + 20 };
#define START_NS (100 * NS_PER_S)

struct bench {
	struct arena *arena;
	struct load_plan plan;
	struct load_result *result;
	struct cost cost;
	struct load_charted one;
};

static void add_rows(struct bench *b)
{
	/* From a second before the load to a second behind it. */
	for (int64_t i = 0; i < ROW_COUNT; i++)
		cost_add(&b->cost, &(struct cost_row){ .at_ns = START_NS - NS_PER_S +
								i * NS_PER_S / ROWS_A_SECOND,
					   .cpu_ns = i * NS_PER_S / ROWS_A_SECOND / 2,
					   .memory_bytes = 1000 + i });
}

static void open_bench(struct bench *b, enum load_model model)
{
	*b = (struct bench){ .arena = arena_new(),
		.plan = { .model = model, .warm_up_ns = 2 * NS_PER_S },
		.result = load_result_new() };
	struct load_result *r = b->result;
	r->start_ns = START_NS;
	r->measured_ns = 6 * NS_PER_S;
	r->ran_ns = SECONDS * NS_PER_S - 600 * NS_PER_MS;
	r->seconds = mem_alloc(SECONDS, sizeof *r->seconds);
	r->second_count = SECONDS;
	for (int i = 0; i < SECONDS; i++)
		r->seconds[i] = (struct load_second){ .at_s = i,
			.answered = 100,
			.p50_ns = i == 4 ? 0 : NS_PER_MS,
			.p99_ns = 3 * NS_PER_MS };
	for (int64_t i = 1; i <= 1000; i++)
		hist_record(r->hists[LOAD_SERVICE], i * NS_PER_MS);
	cost_init(&b->cost, COST_ROWS);
	add_rows(b);
	b->one = (struct load_charted){ "", &b->plan, r, &b->cost };
}

static void close_bench(struct bench *b)
{
	load_result_free(b->result);
	cost_release(&b->cost);
	arena_free(b->arena);
}

/* Uniform from 1 ms to 1 s: at percentile p it is p% of a second, to the histogram's 3 digits and the next millisecond. */
START_TEST(curve)
{
	struct bench b;
	open_bench(&b, LOAD_CLOSED);
	const struct chart *chart = load_charts_latency(&b.one, 1, b.arena);
	ck_assert_uint_eq(chart->panel_count, 1);
	ck_assert_uint_eq(chart->panels[0].series_count, 1);
	const struct chart_series *series = &chart->panels[0].series[0];
	ck_assert_str_eq(series->name, "service time");
	/* 1000 is nearly ten halvings of five points. */
	ck_assert_uint_ge(series->count, 50);
	ck_assert_uint_le(series->count, 53);
	for (size_t i = 1; i < series->count; i++) {
		const struct chart_point *point = &series->points[i];
		double expected = point->x / 100 * (double)NS_PER_S;
		ck_assert(point->x > series->points[i - 1].x && point->x < 100);
		ck_assert_msg(fabs(point->y - expected) <= 0.001 * expected + 1.1e6, "%g%%: %g",
			point->x, point->y);
	}
	ck_assert_double_eq(series->points[0].y, 1e6);
	ck_assert_double_eq(series->points[series->count - 1].y, 1e9);
	close_bench(&b);
}
END_TEST

START_TEST(curves_of_two_arms)
{
	struct bench a, b;
	open_bench(&a, LOAD_OPEN);
	open_bench(&b, LOAD_OPEN);
	hist_record(a.result->hists[LOAD_RESPONSE], NS_PER_MS);
	hist_record(b.result->hists[LOAD_SEND_LAG], NS_PER_US);
	a.one.name = "none";
	b.one.name = "gzip";
	const struct load_charted both[] = { a.one, b.one };
	const struct chart *chart = load_charts_latency(both, 2, a.arena);
	static const char *const names[] = { "response time, none", "service time, none",
		"service time, gzip", "send lag, gzip" };
	ck_assert_uint_eq(chart->panels[0].series_count, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_str_eq(chart->panels[0].series[i].name, names[i]);
	close_bench(&a);
	close_bench(&b);
}
END_TEST

START_TEST(over_time)
{
	struct bench b;
	open_bench(&b, LOAD_CLOSED);
	const struct chart *chart = load_charts_time(&b.one, b.arena);
	ck_assert_uint_eq(chart->panel_count, 4);
	const struct chart_series *rate = &chart->panels[0].series[0];
	const struct chart_series *p50 = &chart->panels[1].series[0];
	const struct chart_series *cpu = &chart->panels[2].series[0];
	const struct chart_series *memory = &chart->panels[3].series[0];
	/* The last second was 0.4 s long, so that its 100 answers are a rate of 250. */
	ck_assert_uint_eq(chart->panels[0].series_count, 1);
	ck_assert_uint_eq(rate->count, SECONDS);
	ck_assert_double_eq(rate->points[0].x, 1e9);
	ck_assert_double_eq(rate->points[0].y, 100);
	ck_assert_double_eq(rate->points[9].x, 9.4e9);
	ck_assert_double_eq_tol(rate->points[9].y, 250, 0.01);
	ck_assert(isnan(p50->points[4].y));
	ck_assert_double_eq(p50->points[5].y, 1e6);
	/* Rows of the load's time alone: 94 intervals end in it, and one more row is at its start. */
	ck_assert_uint_eq(cpu->count, 94);
	ck_assert_uint_eq(memory->count, 95);
	for (size_t i = 0; i < cpu->count; i++) {
		ck_assert_double_eq_tol(cpu->points[i].y, 50, 0.01);
		ck_assert(cpu->points[i].x >= 0 && cpu->points[i].x <= 9.4e9);
	}
	ck_assert_double_eq(memory->points[0].y, 1010);
	ck_assert_uint_eq(chart->mark_count, 2);
	ck_assert_double_eq(chart->marks[0].x, 2e9);
	ck_assert_double_eq(chart->marks[1].x, 8e9);
	close_bench(&b);
}
END_TEST

START_TEST(what_is_not_there)
{
	struct bench b;
	open_bench(&b, LOAD_CLOSED);
	b.one.cost = NULL;
	b.result->seconds[3].failed = 7;
	b.plan.warm_up_ns = 0;
	b.result->measured_ns = b.result->ran_ns;
	const struct chart *chart = load_charts_time(&b.one, b.arena);
	ck_assert_uint_eq(chart->panel_count, 2);
	ck_assert_uint_eq(chart->panels[0].series_count, 2);
	ck_assert_double_eq(chart->panels[0].series[1].points[3].y, 7);
	ck_assert_uint_eq(chart->mark_count, 0);
	/* Without rows, what the seconds have of it. */
	b.result->seconds[5].sut_memory_bytes = 4096;
	b.result->seconds[5].sut_cpu_percent = 70;
	chart = load_charts_time(&b.one, b.arena);
	ck_assert_uint_eq(chart->panel_count, 4);
	ck_assert_double_eq(chart->panels[2].series[0].points[5].y, 70);
	ck_assert_double_eq(chart->panels[3].series[0].points[5].y, 4096);
	ck_assert(isnan(chart->panels[3].series[0].points[4].y));
	b.result->ran_ns = 100 * NS_PER_MS;
	ck_assert_ptr_null(load_charts_time(&b.one, b.arena));
	hist_clear(b.result->hists[LOAD_SERVICE]);
	ck_assert_ptr_null(load_charts_latency(&b.one, 1, b.arena));
	close_bench(&b);
}
END_TEST

/* An hour and more: bounded, and the one second that stood out is there. */
START_TEST(long_runs)
{
	enum { LONG = 5000, SLOW = 3333 };
	struct bench b;
	open_bench(&b, LOAD_CLOSED);
	struct load_second *seconds = mem_alloc(LONG, sizeof *seconds);
	for (int i = 0; i < LONG; i++)
		seconds[i] = (struct load_second){
			.at_s = i, .answered = 100, .p99_ns = i == SLOW ? NS_PER_S : NS_PER_MS
		};
	free(b.result->seconds);
	b.result->seconds = seconds;
	b.result->second_count = LONG;
	b.result->ran_ns = LONG * NS_PER_S;
	const struct chart *chart = load_charts_time(&b.one, b.arena);
	const struct chart_series *p99 = &chart->panels[1].series[1];
	bool slow = false;
	ck_assert_uint_le(p99->count, LOAD_CHARTS_POINTS);
	for (size_t i = 0; i < p99->count; i++)
		slow = slow || (p99->points[i].y == 1e9 && p99->points[i].x == (SLOW + 1) * 1e9);
	ck_assert(slow);
	close_bench(&b);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_charts");
	tcase_add_test(tests, curve);
	tcase_add_test(tests, curves_of_two_arms);
	tcase_add_test(tests, over_time);
	tcase_add_test(tests, what_is_not_there);
	tcase_add_test(tests, long_runs);
	Suite *suite = suite_create("measure/load_charts");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
