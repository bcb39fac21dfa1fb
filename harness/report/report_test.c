#include "report/report.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/*
 * One fixed run with all that a report has to tell, and in its texts what is hard to tell: other scripts, quotes, line
 * breaks, control bytes, broken UTF-8, markup, workflow commands.
 */
static struct finding vary_findings[] = {
	{ { "cases/compression/vary-tracks-coding.json", 14, 9, "/steps/0/expect/1/headers/Vary" },
		"GET /assets/app.css", "Accept-Encoding: gzip", "header Vary",
		"has token accept-encoding", "absent", "accept=gzip",
		"build/run/9a1f/vary-tracks-coding/accept=gzip.http",
		"onus run cases/compression/vary-tracks-coding.json --cell accept=gzip" },
	{ { "cases/compression/vary-tracks-coding.json", 18, 9, "/steps/0/expect/2/body" },
		"GET /größe%20大.txt?a=1,2:3", "", "body.decoded",
		"\"Grüße, 世界\" & <b>'bold'</b>\nsecond line | of *two*",
		"\"\x01\x1b[31m\\\xff\xe2\x82\" 100% ]]> ::error::no\r\n# SKIP `x`",
		"accept=gzip, file=größe 大.txt", NULL, NULL },
	{ { "cases/compression/vary-tracks-coding.json", 14, 9, "/steps/0/expect/1/headers/Vary" },
		"GET /assets/app.js", "Accept-Encoding: br", "header Vary",
		"has token accept-encoding", "absent", "accept=br", NULL,
		"onus run cases/compression/vary-tracks-coding.json --cell accept=br" },
};

static struct finding crash_findings[] = {
	{ { "cases/static/survives-hostile-paths.json", 5, 5, "/steps/0" }, "SUT", "", "SUT",
		"runs until the case ends", "ended by signal 11 (SIGSEGV)", "", NULL,
		"onus run cases/static/survives-hostile-paths.json" },
};

static struct problem errors[][2] = {
	{ { PROBLEM_USAGE, { "cases/static/same-as.json", 9, 17, "/steps/1/expect/body/same_as" },
		"expected a step's name, found \"frist\"; did you mean \"first\"?" } },
	{ { PROBLEM_ENVIRONMENT, { "cases/static/starts.json", 0, 0, NULL },
		"the SUT was not ready within 5 s: GET /healthz: connection refused" } },
	{ { PROBLEM_FLOOR, { "cases/static/routes.json", 3, 3, "/floor" },
		  "expected 12 routes, found 3" },
		{ PROBLEM_FLOOR, { NULL, 0, 0, NULL }, "no check was made" } },
	{ { PROBLEM_INVALID, { "cases/load/quiet.json", 4, 2, "" }, "the machine was too noisy" } },
};

static struct problem run_problems[] = {
	{ PROBLEM_FLOOR, { NULL, 0, 0, NULL }, "expected at least 12 cases, found 9: <&>, 75%" },
};

static struct figure sample_figures[] = {
	{ "/steps/0", "accept=gzip", "probe.p99", "83123.456us", NULL },
	{ "/steps/0", "accept=gzip", "probe.silence_share", "12.5%",
		"GET /list: silent for 25 ms of 200 ms" },
	{ "/steps/2", "", "routes.guarded", "17", NULL },
	{ "/steps/2", "", "sut.memory_growth", "-2357248B", NULL },
};

/* A gap, a curve without a point, values of every unit, and a name that would be markup. */
static struct chart_point answered[] = { { 1e9, 500 }, { 2e9, 512.25 }, { 3e9, 498 } };
static struct chart_point p99[] = { { 1e9, 1.5e6 }, { 2e9, (double)NAN }, { 3e9, 123456 } };
static struct chart_point used[] = { { 1e8, 12.5 }, { 2e8, 180 } };
static struct chart_point resident[] = { { 1e8, 31457280 }, { 3e9, 33554432 } };
static struct chart_point quantiles[] = { { 0, 12e3 }, { 50, 1e6 }, { 90, 2e6 }, { 99, 4e6 },
	{ 99.9, 8e6 }, { 99.995, 20e6 } };

static struct chart_series series[] = {
	{ .name = "answered", .points = answered, .count = 3 },
	{ .name = "failed" },
	{ .name = "</text><script>alert(1)</script>\xff&\"'", .points = p99, .count = 3 },
	{ .name = "all its processes", .points = used, .count = 2 },
	{ .name = "all its processes", .points = resident, .count = 2 },
	{ .name = "response time", .points = quantiles, .count = 6 },
};

static struct chart_panel over_time[] = {
	{ .y = { "requests a second", UNIT_PER_S, CHART_LINEAR },
		.series = series,
		.series_count = 2 },
	{ .y = { "response time", UNIT_NS, CHART_LOG }, .series = &series[2], .series_count = 1 },
	{ .y = { "CPU", UNIT_PERCENT, CHART_LINEAR }, .series = &series[3], .series_count = 1 },
	{ .y = { "memory", UNIT_BYTES, CHART_LINEAR }, .series = &series[4], .series_count = 1 },
};
static struct chart_panel by_percentile[] = {
	{ .y = { "time at most", UNIT_NS, CHART_LOG }, .series = &series[5], .series_count = 1 },
};
static struct chart_mark sample_marks[] = { { 5e8, "measuring begins" },
	{ 2.5e9, "killed: <its memory cap> was full" } };

static struct chart sample_charts[] = {
	{ .step = "/steps/0",
		.cell = "accept=gzip",
		.title = "Rate over time · load of GET /a?b=<c>&d",
		.description = "What was answered.",
		.x = { "time since the start", UNIT_NS, CHART_LINEAR },
		.panels = over_time,
		.panel_count = 4,
		.marks = sample_marks,
		.mark_count = 2 },
	{ .step = "/steps/0",
		.cell = "accept=gzip",
		.title = "Latency by percentile",
		.description = "How long they took.",
		.x = { "percentile", UNIT_PERCENT, CHART_PERCENT },
		.panels = by_percentile,
		.panel_count = 1 },
};

static struct case_result sample_cases[] = {
	{ .id = "compression/media-untouched",
		.file = "cases/compression/media-untouched.json",
		.title = "Media go out as they are",
		.cells = 12,
		.checks = 48,
		.requests = 12,
		.duration_ns = 83 * NS_PER_MS,
		.figures = sample_figures,
		.figure_count = 4,
		.charts = sample_charts,
		.chart_count = 2 },
	{ .id = "compression/vary-tracks-coding",
		.file = "cases/compression/vary-tracks-coding.json",
		.title = "Vary names what the answer depends on",
		.why = "A cache gave <gzip> to who can't read it",
		.outcome = OUTCOME_FAILED,
		.cells = 8,
		.checks = 31,
		.requests = 8,
		.duration_ns = 41 * NS_PER_MS,
		.findings = vary_findings,
		.finding_count = 3,
		.output = "this is shown only where it helps\n",
		.run_dir = "build/run/9a1f/vary-tracks-coding" },
	{ .id = "peers/haproxy-front",
		.file = "cases/peers/haproxy-front.json",
		.title = "The same through HAProxy",
		.outcome = OUTCOME_SKIPPED,
		.skip_reason = "haproxy not found in PATH" },
	{ .id = "static/survives-hostile-paths",
		.file = "cases/static/survives-hostile-paths.json",
		.title = "Hostile paths",
		.outcome = OUTCOME_FAILED,
		.cells = 1,
		.checks = 1,
		.requests = 1,
		.duration_ns = 12345 * NS_PER_MS,
		.findings = crash_findings,
		.finding_count = 1,
		.output =
			"listening\n::error::not ours\nAddressSanitizer: SEGV on \x1b[1munknown\n\n",
		.run_dir = "build/run/9a1f/survives-hostile-paths" },
	{ .id = "static/same-as",
		.file = "cases/static/same-as.json",
		.outcome = OUTCOME_ERROR,
		.problems = errors[0],
		.problem_count = 1 },
	{ .id = "static/starts",
		.file = "cases/static/starts.json",
		.outcome = OUTCOME_ERROR,
		.duration_ns = 5 * NS_PER_S,
		.problems = errors[1],
		.problem_count = 1,
		.output = "bind: address already in use\n",
		.run_dir = "build/run/9a1f/starts" },
	{ .id = "static/a-name-of-many-words-that-is-longer-than-the-column-has-room-for",
		.file = "cases/static/routes.json",
		.outcome = OUTCOME_ERROR,
		.cells = 1,
		.requests = 1,
		.duration_ns = 1499999,
		.findings = crash_findings,
		.finding_count = 1,
		.problems = errors[2],
		.problem_count = 2 },
	{ .id = "load/quiet",
		.file = "cases/load/quiet.json",
		.outcome = OUTCOME_ERROR,
		.cells = 1,
		.checks = 3,
		.requests = 20000,
		.duration_ns = 9999499999,
		.problems = errors[3],
		.problem_count = 1 },
	{ .id = "größe",
		.file = "cases/größe.json",
		.title = "",
		.cells = 1,
		.checks = 1,
		.requests = 1,
		.duration_ns = 499999 },
};

static struct run_result sample = {
	.version = "0.1.0",
	.libraries = "libcurl 7.88.1 · zlib 1.2.13",
	.libcurl = "7.88.1",
	.started = "2026-11-30T12:11:02Z",
	.command = "onus run --fault vary-missing cases/",
	.fault = "vary-missing",
	.run_dir = "build/run/9a1f",
	.seed = 0x9a1f,
	.duration_ns = 2149 * NS_PER_MS,
	.planned = 12,
	.id_width = 71,
	.cases = sample_cases,
	.case_count = sizeof sample_cases / sizeof *sample_cases,
	.problems = run_problems,
	.problem_count = 1,
};

static struct run_result green = {
	.version = "0.1.0",
	.libcurl = "7.88.1",
	.seed = UINT64_MAX,
	.duration_ns = 50 * NS_PER_MS,
	.planned = 1,
	.id_width = 27,
	.cases = sample_cases,
	.case_count = 1,
};

static const struct {
	const char *golden, *report;
	const struct run_result *result;
	struct report_style style;
} rows[] = {
	{ "console", "console", &sample, { 0 } },
	{ "console-color", "console", &sample, { .color = true } },
	{ "console-verbose", "console", &sample, { .verbose = true } },
	{ "console-green", "console", &green, { .color = true } },
	{ "tap", "tap", &sample, { 0 } },
	{ "junit", "junit", &sample, { 0 } },
	{ "json", "json", &sample, { 0 } },
	{ "ndjson", "ndjson", &sample, { 0 } },
	{ "markdown", "markdown", &sample, { 0 } },
	{ "markdown-green", "markdown", &green, { 0 } },
	{ "github", "github", &sample, { 0 } },
	{ "github-green", "github", &green, { 0 } },
	{ "html", "html", &sample, { 0 } },
};

enum { ROWS = sizeof rows / sizeof *rows };

static char *printed(size_t row, size_t *size)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);
	ck_assert_ptr_nonnull(out);
	const struct report *report = report_find(rows[row].report);
	ck_assert_ptr_nonnull(report);
	report_print(report, rows[row].result, &rows[row].style, out);
	ck_assert_int_eq(fclose(out), 0);
	return bytes;
}

static char *read_golden(const char *path, size_t *size)
{
	FILE *in = fopen(path, "rb");
	ck_assert_msg(in, "%s: %s", path, strerror(errno));
	char *bytes = calloc(1, 1 << 20);
	ck_assert_ptr_nonnull(bytes);
	*size = fread(bytes, 1, 1 << 20, in);
	fclose(in);
	return bytes;
}

static void write_golden(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "wb");
	ck_assert_msg(out, "%s: %s", path, strerror(errno));
	ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
	ck_assert_int_eq(fclose(out), 0);
}

static size_t line_of_difference(const char *a, const char *b)
{
	size_t number = 1;
	for (; *a && *a == *b; a++, b++)
		number += *a == '\n';
	return number;
}

START_TEST(golden)
{
	char path[128];
	size_t size, golden_size;
	snprintf(path, sizeof path, "harness/report/golden/%s.txt", rows[_i].golden);
	char *bytes = printed((size_t)_i, &size);
	if (getenv("GOLDEN_WRITE"))
		write_golden(path, bytes, size);
	char *expected = read_golden(path, &golden_size);
	ck_assert_msg(size == golden_size && !memcmp(bytes, expected, size),
		"%s differs from line %zu on; if it is meant: make golden, and look at the diff",
		path, line_of_difference(bytes, expected));
	free(expected);
	free(bytes);
}
END_TEST

/* A report that has no golden is not tested. */
START_TEST(table)
{
	for (size_t i = 0; report_at(i); i++) {
		const struct report *report = report_at(i);
		size_t row = 0;
		while (row < ROWS && strcmp(rows[row].report, report->name) != 0)
			row++;
		ck_assert_msg(row < ROWS, "%s has no golden", report->name);
		ck_assert_msg(report->help && report->help[0], "%s has no help", report->name);
		ck_assert(report->end);
		ck_assert_ptr_eq(report_find(report->name), report);
	}
	ck_assert_ptr_null(report_find("consol"));
}
END_TEST

/* What is known early is not held back: the bytes are there before the run ends. */
START_TEST(streams)
{
	static const char *const names[] = { "console", "tap", "ndjson" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct report *report = report_find(names[i]);
		struct report_style style = { 0 };
		char *bytes = NULL;
		size_t size = 0;
		FILE *out = open_memstream(&bytes, &size);
		report->on_case(&green, &green.cases[0], &style, out);
		ck_assert_msg(size > 0 && strstr(bytes, green.cases[0].id), "%s", names[i]);
		ck_assert_int_eq(bytes[size - 1], '\n');
		fclose(out);
		free(bytes);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("report");
	tcase_add_loop_test(tests, golden, 0, ROWS);
	tcase_add_test(tests, table);
	tcase_add_test(tests, streams);
	Suite *suite = suite_create("report");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
