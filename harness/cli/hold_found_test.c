#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/hold_columns.h"
#include "cli/hold_report.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* A hold of 100 streams that has gone as the test wants it. */
struct bench {
	struct arena *arena;
	struct load_job load;
	struct hold_job job;
	struct hold_found found;
	struct hold_point points[5];
	struct hold_threshold threshold;
};

static void open_bench(struct bench *b)
{
	*b = (struct bench){ .arena = arena_new() };
	b->load = (struct load_job){ .arena = b->arena, .url = "http://127.0.0.1:8080" };
	b->job = (struct hold_job){ .load = &b->load, .up_to = 100, .add = 25, .enough = 100 };
	b->found = (struct hold_found){ .job = &b->job,
		.version = "0.1.0",
		.libcurl = "8.0.0",
		.command = "onus load",
		.started = "2026-11-30T12:11:02Z",
		.points = b->points,
		.counts = { .opened = 100, .open = 100, .heard = 100, .bytes = 6400 },
		.held = 100 };
}

static void close_bench(struct bench *b)
{
	arena_free(b->arena);
}

/* Four rounds of 25 streams that cost 8 KiB each, and a point behind them that no slope may use. */
static void take_points(struct bench *b)
{
	for (size_t i = 0; i < 5; i++)
		b->points[i] = (struct hold_point){ .at_ns = (int64_t)i * NS_PER_S,
			.round = i < 4 ? i + 1 : 0,
			.counts = { .opened = 25 * (i + 1), .open = 25 * (i + 1) },
			.own_bytes = (int64_t)(5000000 + 307200L * i),
			.sut_bytes = (int64_t)(9000000 + 204800L * i),
			.descriptors = COST_ABSENT,
			.cap_bytes = COST_ABSENT,
			.kernel_bytes = COST_ABSENT,
			.buffer_bytes = 4096 };
	b->points[4].sut_bytes = 99999999;
	b->found.point_count = 5;
}

/* How it went, and what onus makes of it: the README's table of exit codes. */
static const struct {
	const char *why;
	enum hold_end end;
	size_t held, open, enough;
	bool until_oom;
	const char *threshold;
	int exit;
	const char *problem; /* a part; NULL: none */
} rows[] = {
	{ "all are held", HOLD_REACHED, 100, 100, 100, .exit = EXIT_HELD },
	{ "enough are", HOLD_BROKEN, 75, 75, 50, .exit = EXIT_HELD },
	{ "too few are", HOLD_BROKEN, 75, 75, 76, .exit = EXIT_BROKEN },
	{ "none ever was", HOLD_BROKEN, 0, 0, 100, .exit = EXIT_ENVIRONMENT,
		.problem = "http://127.0.0.1:8080: " },
	{ "some of the first round are", HOLD_BROKEN, 0, 3, 100, .exit = EXIT_BROKEN },
	{ "one did not hear", HOLD_UNHEARD, 75, 100, 100, .exit = EXIT_BROKEN },
	{ "the SUT has ended", HOLD_ENDED, 75, 0, 100, .exit = EXIT_BROKEN },
	{ "the SUT was killed", HOLD_KILLED, 75, 0, 100, .exit = EXIT_BROKEN },
	{ "the SUT was killed, and enough were held", HOLD_KILLED, 75, 0, 50, .exit = EXIT_HELD },
	{ "a signal", HOLD_STOPPED, 75, 75, 50, .exit = EXIT_ENVIRONMENT,
		.problem = "interrupted" },
	{ "killed, as it should be", HOLD_KILLED, 75, 0, 100, .until_oom = true,
		.exit = EXIT_HELD },
	{ "not killed", HOLD_REACHED, 100, 100, 100, .until_oom = true, .exit = EXIT_ENVIRONMENT,
		.problem = "the memory cap was not full" },
	{ "broken instead", HOLD_BROKEN, 75, 75, 100, .until_oom = true, .exit = EXIT_ENVIRONMENT,
		.problem = "and the memory cap was not full" },
	{ "ended instead", HOLD_ENDED, 75, 75, 100, .until_oom = true, .exit = EXIT_BROKEN },
	{ "a bound that holds", HOLD_REACHED, 100, 100, 100, .threshold = "streams.held >= 100",
		.exit = EXIT_HELD },
	{ "a bound that does not", HOLD_REACHED, 100, 100, 100, .threshold = "streams.held > 100",
		.exit = EXIT_BROKEN },
	{ "a bound on what is absent", HOLD_REACHED, 100, 100, 100,
		.threshold = "sut.memory <= 1GiB", .exit = EXIT_INVALID },
	{ "a broken contract comes first", HOLD_BROKEN, 75, 75, 100,
		.threshold = "sut.memory <= 1GiB", .exit = EXIT_BROKEN },
};

START_TEST(how_it_ends)
{
	struct bench b;
	struct err err = { 0 };
	const char *why = rows[_i].why;
	open_bench(&b);
	b.found.end = rows[_i].end;
	b.found.held = rows[_i].held;
	b.found.counts.open = rows[_i].open;
	b.found.counts.failed[LOAD_RESET] = 100 - rows[_i].open;
	b.found.counts.heard = rows[_i].end == HOLD_UNHEARD ? rows[_i].open - 1 : rows[_i].open;
	b.job.enough = rows[_i].enough;
	b.job.until_oom = rows[_i].until_oom;
	if (rows[_i].threshold) {
		ck_assert(hold_threshold_parse(rows[_i].threshold, &b.threshold, &err) == RC_OK);
		b.job.thresholds = &b.threshold;
		b.job.threshold_count = 1;
	}
	hold_found_judge(&b.found);
	ck_assert_msg(b.found.exit == rows[_i].exit, "%s: %d", why, b.found.exit);
	ck_assert_msg((b.found.problem != NULL) == (rows[_i].problem != NULL), "%s", why);
	if (rows[_i].problem)
		ck_assert_msg(strstr(b.found.problem, rows[_i].problem) != NULL, "%s: %s", why,
			b.found.problem);
	close_bench(&b);
}
END_TEST

static double value_of(const struct bench *b, const char *name)
{
	const struct measure *one = measures_find(&b->found.numbers, name);
	return one ? one->quantity.value : (double)NAN;
}

START_TEST(slopes_are_of_the_rounds)
{
	struct bench b;
	open_bench(&b);
	take_points(&b);
	hold_found_judge(&b.found);
	ck_assert(fabs(value_of(&b, "streams.memory_each") - 8192) < 1e-6);
	ck_assert(fabs(value_of(&b, "streams.onus_each") - 12288) < 1e-6);
	ck_assert(fabs(value_of(&b, "streams.buffers_each")) < 1e-6);
	ck_assert(isnan(value_of(&b, "streams.cap_each")));
	ck_assert(isnan(value_of(&b, "sut.memory")));
	close_bench(&b);
}
END_TEST

/* What is absent is not printed as 0. */
static const struct {
	void (*print)(const struct hold_found *found, bool color, FILE *out);
	const char *has[3], *lacks;
} prints[] = {
	{ hold_console_print,
		{ "streams.memory_each        8.0 KiB", "  ok       streams.held >= 100",
			"in the end: all of 100 streams are held" },
		"cap_each" },
	{ hold_json_print, { "\"streams.memory_each\":", "\"8192B\"", "\"end\":" }, "cap_bytes" },
	{ hold_csv_print,
		{ "at_ns,round,opened,open,heard,bytes,onus_bytes,sut_bytes",
			"0,1,25,25,0,0,5000000,9000000,,,,4096\r\n",
			"4000000000,,125,125,0,0,6228800,99999999,,,,4096\r\n" },
		"-1" },
	{ hold_prometheus_print,
		{ "# TYPE onus_hold_streams_held gauge\nonus_hold_streams_held{url=\"http://127.0.0.1:8080\"} 100\n",
			"onus_hold_streams_memory_each_bytes{url=\"http://127.0.0.1:8080\"} 8192\n",
			"onus_hold_exit_status 0\n" },
		"cap_each" },
	{ hold_html_print, { "every threshold held</h1>", "<svg", "<td>streams.memory_each</td>" },
		"cap_each" },
};

START_TEST(it_is_printed)
{
	struct bench b;
	struct err err = { 0 };
	char *text = NULL;
	size_t size = 0;
	open_bench(&b);
	take_points(&b);
	ck_assert(hold_threshold_parse("streams.held >= 100", &b.threshold, &err) == RC_OK);
	b.job.thresholds = &b.threshold;
	b.job.threshold_count = 1;
	hold_found_judge(&b.found);
	FILE *out = open_memstream(&text, &size);
	prints[_i].print(&b.found, false, out);
	fclose(out);
	for (int i = 0; i < 3; i++)
		ck_assert_msg(strstr(text, prints[_i].has[i]) != NULL, "expected %s in\n%s",
			prints[_i].has[i], text);
	ck_assert_msg(strstr(text, prints[_i].lacks) == NULL, "%s", text);
	free(text);
	close_bench(&b);
}
END_TEST

START_TEST(columns_are_fixed)
{
	char text[512] = "";
	struct hold_point point = { .at_ns = 1500 * NS_PER_MS,
		.round = 2,
		.counts = { .opened = 400, .open = 390, .late = 4, .bytes = 123456 },
		.own_bytes = 10240,
		.sut_bytes = COST_ABSENT,
		.descriptors = 812,
		.cap_bytes = 2048 };
	FILE *out = fmemopen(text, sizeof text, "w");
	hold_columns_head(out);
	hold_columns_line(&point, out);
	point.round = 0;
	hold_columns_line(&point, out);
	fclose(out);
	ck_assert_str_eq(text,
		"#    time  round   opened     open   failed          bytes  onus_KiB   sut_KiB   cap_KiB  sut_fds\n"
		"      1.5      2      400      390        6         123456        10         -         2      812\n"
		"      1.5      -      400      390        6         123456        10         -         2      812\n");
}
END_TEST

/* Each row has its words, and none is there twice. */
START_TEST(numbers_are_told_apart)
{
	const struct hold_number *row, *other;
	for (size_t i = 0; (row = hold_number_at(i)); i++) {
		ck_assert(row->name[0] && row->help[0]);
		for (size_t k = 0; k < i && (other = hold_number_at(k)); k++)
			ck_assert_str_ne(row->name, other->name);
	}
}
END_TEST

static const struct {
	const char *text, *part;
} refused[] = {
	{ "streams.held", "expected a number, an operator and a bound" },
	{ "streams.held >=", "streams.held >=" },
	{ ">= 3", "expected a number, an operator and a bound" },
	{ "streams.hold >= 3", "did you mean \"streams.held\"" },
	{ "service.p99 <= 3ms", "have no number \"service.p99\"" },
	{ "streams.memory_each <= 3", "expected a size such as 24KiB, found a number" },
	{ "sut.cpu <= 3KiB", "expected a share such as 1%, found a size" },
};

START_TEST(bad_thresholds)
{
	struct hold_threshold threshold;
	struct err err = { 0 };
	ck_assert(hold_threshold_parse(refused[_i].text, &threshold, &err) == RC_USAGE);
	ck_assert_str_eq(err.where, "--threshold");
	ck_assert_msg(strstr(err.text, refused[_i].part) != NULL, "%s", err.text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("hold_found");
	tcase_add_loop_test(tests, how_it_ends, 0, COUNT(rows));
	tcase_add_test(tests, slopes_are_of_the_rounds);
	tcase_add_loop_test(tests, it_is_printed, 0, COUNT(prints));
	tcase_add_test(tests, columns_are_fixed);
	tcase_add_test(tests, numbers_are_told_apart);
	tcase_add_loop_test(tests, bad_thresholds, 0, COUNT(refused));
	Suite *suite = suite_create("cli/hold_found");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
