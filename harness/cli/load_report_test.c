#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/load_report.h"

#define START_NS     (77 * NS_PER_S)
#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* Two arms: one that keeps everything, one that failed here and there and was late. */
struct bench {
	struct options options;
	struct load_job job;
	struct load_found found;
	struct cost cost;
};

static void fill(struct load_result *r, int64_t unit_ns)
{
	static const enum load_hist times[] = { LOAD_RESPONSE, LOAD_SERVICE, LOAD_FIRST_BYTE };
	for (int64_t i = 1; i <= 1000; i++)
		for (size_t k = 0; k < 3; k++)
			hist_record(r->hists[times[k]], i * unit_ns);
	hist_record_many(r->hists[LOAD_SEND_LAG], unit_ns, 1000);
	hist_record(r->hists[LOAD_CONNECT], 123456);
	r->libcurl = "8.0.0";
	r->measured_ns = 2 * NS_PER_S;
	r->ran_ns = 3 * NS_PER_S;
	r->all = (struct load_counts){ .sent = 1200, .answered = 1200, .wire_bytes = 1200000 };
	r->all.statuses[2] = 1200;
	r->measured = (struct load_counts){ .sent = 1000, .answered = 1000, .wire_bytes = 1000000 };
	r->measured.statuses[2] = 1000;
	r->connections_opened = 4;
	r->in_flight_max = 4;
	r->threads = mem_alloc(2, sizeof *r->threads);
	r->thread_count = 2;
	for (size_t i = 0; i < 2; i++)
		r->threads[i] = (struct load_cpu){ .cpu_ns = NS_PER_S,
			.measured_cpu_ns = NS_PER_S / 2,
			.measured_ns = 2 * NS_PER_S };
	r->seconds = mem_alloc(2, sizeof *r->seconds);
	r->second_count = 2;
	r->seconds[0] = (struct load_second){ .sent = 500,
		.answered = 496,
		.failed = 3,
		.wire_bytes = 500000,
		.connections = 4,
		.connections_opened = 4,
		.in_flight = 1,
		.p50_ns = 500 * unit_ns,
		.p99_ns = 990 * unit_ns,
		.first_byte_mean_ns = 500 * unit_ns,
		.measured = true };
	r->seconds[1] = (struct load_second){ .at_s = 1, .connections = 4 };
}

static void fail_some(struct load_result *r)
{
	r->all.answered = 1180;
	r->all.statuses[2] = 1100;
	r->all.statuses[5] = 80;
	r->all.unexpected_statuses = 80;
	r->all.failed[LOAD_RESET] = 14;
	r->all.failed[LOAD_TIMEOUT_HEAD] = 5;
	r->all.unanswered = 1;
	r->measured = r->all;
	r->measured.coded = 590;
	r->connections_ended_by_server = 14;
	r->censored = 5;
}

/* Of a SUT that uses half a core and more and more memory, of the first arm alone. */
static void sample(struct bench *b)
{
	cost_init(&b->cost, 64);
	for (int64_t i = 0; i <= 30; i++)
		cost_add(&b->cost, &(struct cost_row){ .at_ns = START_NS + i * NS_PER_S / 10,
					   .cpu_ns = i * NS_PER_S / 20,
					   .memory_bytes = 30000000 + i * 100000,
					   .descriptors = 12 + i,
					   .threads = COST_ABSENT,
					   .pss_bytes = 20000000,
					   .anonymous_bytes = 15000000,
					   .socket_bytes = COST_ABSENT,
					   .voluntary = 3 * i,
					   .involuntary = i });
	b->found.arms[0].result->start_ns = START_NS;
	load_found_add_cost(&b->found.arms[0], &b->cost, b->options.arena);
}

static void open_bench(struct bench *b, const char *accept)
{
	static const char *words[] = { "load", "-r", "500", "--threshold", "response.p99 <= 1s",
		"--threshold", "errors == 0", "--threshold", "tls.max < 1s", "--accept", NULL,
		"http://127.0.0.1:8080/", NULL };
	char *argv[16] = { NULL };
	struct err err = { 0 };
	*b = (struct bench){ .options = { .arena = arena_new() } };
	for (size_t i = 0; i < sizeof words / sizeof *words - 1; i++)
		argv[i] = arena_text(b->options.arena, words[i] ? words[i] : accept);
	ck_assert_msg(
		options_parse(12, argv, OPTIONS_LOAD, &b->options, &err) == RC_OK, "%s", err.text);
	ck_assert_msg(
		load_job_read(&b->options, 0x9a1f, (struct slice){ 0 }, &b->job, &err) == RC_OK,
		"%s", err.text);
	b->found = (struct load_found){ .job = &b->job,
		.version = "0.1.0",
		.libraries = "libcurl 8.0.0",
		.libcurl = "8.0.0",
		.command = "onus load http://127.0.0.1:8080/",
		.started = "2026-11-30T12:11:02Z",
		.started_s = 1796040662,
		.seed = 0x9a1f,
		.null = { .driven = true, .ceiling_per_s = 20000, .floor_ns = 25600 },
		.arm_count = b->job.arm_count };
	for (size_t i = 0; i < b->job.arm_count; i++) {
		b->found.arms[i].arm = &b->job.arms[i];
		b->found.arms[i].result = load_result_new();
		fill(b->found.arms[i].result, i ? 3 * NS_PER_MS : 20 * NS_PER_US);
	}
	sample(b);
	if (b->job.arm_count > 1)
		fail_some(b->found.arms[1].result);
}

static void close_bench(struct bench *b)
{
	for (size_t i = 0; i < b->found.arm_count; i++)
		load_result_free(b->found.arms[i].result);
	cost_release(&b->cost);
	arena_free(b->options.arena);
}

static const struct {
	const char *golden, *report, *accept;
	bool color;
} rows[] = {
	{ "console", "console", "none", false },
	{ "console-both", "console", "both", false },
	{ "console-color", "console", "both", true },
	{ "json", "json", "both", false },
	{ "csv", "csv", "both", false },
	{ "prometheus", "prometheus", "both", false },
	{ "html", "html", "both", false },
};

static const struct load_report *find(const char *name)
{
	size_t i = 0;
	while (load_report_at(i) && strcmp(load_report_at(i)->name, name) != 0)
		i++;
	ck_assert_ptr_nonnull(load_report_at(i));
	return load_report_at(i);
}

static char *read_golden(const char *path)
{
	char *bytes = calloc(1, 1 << 20);
	FILE *in = fopen(path, "rb");
	ck_assert_msg(in && bytes, "%s: %s", path, strerror(errno));
	ck_assert_uint_lt(fread(bytes, 1, 1 << 20, in), 1 << 20);
	fclose(in);
	return bytes;
}

START_TEST(golden)
{
	struct bench b;
	char path[128], *text = NULL;
	size_t size;
	open_bench(&b, rows[_i].accept);
	load_found_judge(&b.found);
	snprintf(path, sizeof path, "harness/cli/golden/load-%s.txt", rows[_i].golden);
	FILE *out = open_memstream(&text, &size);
	find(rows[_i].report)->print(&b.found, rows[_i].color, out);
	fclose(out);
	if (getenv("GOLDEN_WRITE")) {
		out = fopen(path, "wb");
		ck_assert_msg(
			out && fwrite(text, 1, size, out) == size && !fclose(out), "%s", path);
	}
	char *expected = read_golden(path);
	ck_assert_msg(strcmp(text, expected) == 0,
		"%s differs; if it is meant: make golden, and look at the diff", path);
	free(expected);
	free(text);
	close_bench(&b);
}
END_TEST

START_TEST(table)
{
	for (size_t i = 0; load_report_at(i); i++) {
		size_t row = 0;
		while (row < sizeof rows / sizeof *rows &&
			strcmp(rows[row].report, load_report_at(i)->name) != 0)
			row++;
		ck_assert_msg(row < sizeof rows / sizeof *rows, "%s has no golden",
			load_report_at(i)->name);
		ck_assert(load_report_at(i)->help[0]);
	}
}
END_TEST

static void keep(struct bench *b)
{
	b->job.threshold_count = 2; /* the third finds no TLS */
}
static void nothing_to_take(struct bench *b)
{
	(void)b;
}
static void break_one(struct bench *b)
{
	b->found.arms[0].result->measured.failed[LOAD_RESET] = 1;
}
static void spoil(struct bench *b)
{
	keep(b);
	hist_record_many(b->found.arms[0].result->hists[LOAD_SEND_LAG], NS_PER_S, 100);
}
static void answer_nothing(struct bench *b)
{
	b->found.arms[0].result->all =
		(struct load_counts){ .sent = 9, .failed = { [LOAD_REFUSED] = 7, [LOAD_TLS] = 2 } };
}
static void still_in_flight(struct bench *b)
{
	b->found.arms[0].result->all = (struct load_counts){ .sent = 9, .unanswered = 9 };
}
static void interrupt(struct bench *b)
{
	keep(b);
	b->found.arms[0].result->partial = true;
}

static const struct {
	void (*change)(struct bench *b);
	int exit;
	const char *problem, *why;
} ends[] = {
	{ keep, EXIT_HELD, NULL, "all held" },
	{ nothing_to_take, EXIT_INVALID, NULL, "a threshold on what wasn't there" },
	{ break_one, EXIT_BROKEN, NULL, "broken comes before invalid" },
	{ spoil, EXIT_INVALID, NULL, "sent late" },
	{ answer_nothing, EXIT_ENVIRONMENT,
		"http://127.0.0.1:8080: nothing was answered: of 9 requests 7 met SC: the connection was refused",
		"nobody there" },
	{ still_in_flight, EXIT_ENVIRONMENT,
		"http://127.0.0.1:8080: nothing was answered: 9 requests were in flight until the end",
		"nobody answers" },
	{ interrupt, EXIT_ENVIRONMENT, NULL, "partial" },
};

START_TEST(exits)
{
	struct bench b;
	open_bench(&b, "none");
	ends[_i].change(&b);
	load_found_judge(&b.found);
	ck_assert_msg(b.found.exit == ends[_i].exit, "%s: %d", ends[_i].why, b.found.exit);
	ck_assert_str_eq(
		b.found.problem ? b.found.problem : "", ends[_i].problem ? ends[_i].problem : "");
	close_bench(&b);
}
END_TEST

static const struct {
	const char *reports, *hlog, *text;
} errors[] = {
	{ "jsn", NULL, "unknown report \"jsn\"; did you mean \"json\"?" },
	{ "junit", NULL, "unknown report \"junit\"; `onus load --help` names them" },
	{ "json=", NULL, "expected a file behind \"json=\", or - for standard output" },
	{ "json", "-", "two reports go to standard output; give one a file: KIND=FILE" },
	{ "json=/tmp/x", "/tmp/x", "two reports go to /tmp/x; give one a file: KIND=FILE" },
	{ "json=/no/such/x", NULL, "cannot be opened for writing: No such file or directory" },
};

START_TEST(refused)
{
	const char *list[] = { errors[_i].reports, NULL };
	struct options options = { .arena = arena_new(),
		.reports = { .list = list, .count = 1 },
		.load = { .hlog = errors[_i].hlog } };
	struct load_reports *reports;
	struct err err = { 0 };
	ck_assert(load_reports_open(&options, &reports, &err) != RC_OK);
	ck_assert_str_eq(err.text, errors[_i].text);
	arena_free(options.arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_report");
	tcase_add_loop_test(tests, golden, 0, COUNT(rows));
	tcase_add_test(tests, table);
	tcase_add_loop_test(tests, exits, 0, COUNT(ends));
	tcase_add_loop_test(tests, refused, 0, COUNT(errors));
	Suite *suite = suite_create("cli/load_report");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
