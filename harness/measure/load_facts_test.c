#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/load_validity.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const struct load_host nothing;

static bool about(double found, double expected)
{
	return fabs(found - expected) < 1e-9 * (fabs(expected) + 1);
}

/* 4 s at 100/s behind a second of warm-up; 350 were sent in them, in 2 of the 3 whole seconds 80 and 90. */
START_TEST(an_open_loop)
{
	struct load_result *result = load_result_new();
	struct load_cpu threads[] = {
		{ .measured_cpu_ns = NS_PER_S, .measured_ns = 4 * NS_PER_S },
		{ .measured_cpu_ns = 3 * NS_PER_S, .measured_ns = 4 * NS_PER_S },
		{ .measured_cpu_ns = NS_PER_S }, /* held up: it never measured */
	};
	struct load_second seconds[] = {
		{ .sent = 1000 },
		{ .at_s = 1, .sent = 80, .measured = true },
		{ .at_s = 2, .sent = 90, .measured = true },
		{ .at_s = 3, .sent = 1000 },
	};
	const struct load_plan plan = { .model = LOAD_OPEN,
		.warm_up_ns = NS_PER_S,
		.measure_ns = 4 * NS_PER_S,
		.arrival = { .rate_per_s = 100, .length_ns = CLOCK_NEVER } };
	const struct load_host before = {
		.throttled_ns = 5, .listen_overflows = 7, .steal_ticks = 1, .all_ticks = 100
	};
	const struct load_host after = {
		.throttled_ns = 8, .listen_overflows = 9, .steal_ticks = 3, .all_ticks = 140
	};
	struct load_facts f;
	result->measured_ns = 4 * NS_PER_S;
	result->bound_hits = 11;
	result->bound_hits_own = 6;
	result->censored = 2;
	result->partial = true;
	result->all.failed[LOAD_LOCAL] = 3;
	result->measured = (struct load_counts){
		.sent = 350, .answered = 200, .coded = 150, .statuses[3] = 4
	};
	for (int i = 0; i < 100; i++) {
		hist_record(result->hists[LOAD_RESPONSE], 20 * NS_PER_MS);
		hist_record(result->hists[LOAD_SERVICE], 10 * NS_PER_MS);
		hist_record(result->hists[LOAD_SEND_LAG], i < 98 ? NS_PER_US : 5 * NS_PER_MS);
	}
	struct load_cpu *own_threads = result->threads;
	struct load_second *own_seconds = result->seconds;
	result->threads = threads;
	result->thread_count = 3;
	result->seconds = seconds;
	result->second_count = 4;
	const struct load_null null = { .driven = true, .ceiling_per_s = 9000, .floor_ns = 30000 };
	load_facts_take(&(struct load_seen){ &plan, result, &before, &after, &null }, &f);
	ck_assert(f.model == LOAD_OPEN && f.partial);
	ck_assert(about(f.sent_per_s, 85) && about(f.due_per_s, 100) && about(f.due, 200));
	/* Behind a bound the whole seconds count, and none of their requests was answered. */
	ck_assert(about(f.rate_per_s, 0));
	ck_assert(about(f.busiest_thread, 0.75) && about(f.steal_share, 0.05));
	ck_assert_uint_eq(f.bound_hits, 11);
	ck_assert_uint_eq(f.bound_hits_own, 6);
	ck_assert_uint_eq(f.measured, 100);
	ck_assert_int_eq(f.throttled_ns, 3);
	ck_assert_uint_eq(f.listen_overflows, 2);
	ck_assert_uint_eq(f.local_failures, 3);
	ck_assert_uint_eq(f.censored, 2);
	ck_assert_uint_eq(f.answered, 200);
	ck_assert_uint_eq(f.coded, 150);
	ck_assert_uint_eq(f.redirects, 4);
	/* Three significant digits. */
	ck_assert(llabs(f.response_p50_ns - 20 * NS_PER_MS) <= 20 * NS_PER_US);
	ck_assert(llabs(f.service_p50_ns - 10 * NS_PER_MS) <= 10 * NS_PER_US);
	ck_assert(llabs(f.send_lag_p99_ns - 5 * NS_PER_MS) <= 5 * NS_PER_US);
	ck_assert(f.ceiling_per_s == 9000 && f.floor_ns == 30000 && !f.asked_for_coding);
	result->threads = own_threads;
	result->seconds = own_seconds;
	load_result_free(result);
}
END_TEST

START_TEST(a_closed_loop_has_no_schedule)
{
	struct load_result *result = load_result_new();
	const struct load_plan plan = { .model = LOAD_CLOSED, .arrival.rate_per_s = 100 };
	struct load_facts f;
	result->measured_ns = 2 * NS_PER_S;
	result->measured = (struct load_counts){ .sent = 30, .answered = 20 };
	hist_record(result->hists[LOAD_SERVICE], NS_PER_MS);
	const struct load_null null = { .ceiling_per_s = 9000, .floor_ns = 30000 };
	load_facts_take(&(struct load_seen){ &plan, result, &nothing, &nothing, &null }, &f);
	/* Interrupted, it was not driven. */
	ck_assert(f.ceiling_per_s == 0 && f.floor_ns == 0);
	ck_assert(about(f.sent_per_s, 15) && about(f.rate_per_s, 10));
	ck_assert(f.due == 0 && f.due_per_s == 0 && f.measured == 0 && f.send_lag_p99_ns == 0);
	load_result_free(result);
}
END_TEST

/* 4 threads that measured for 2 s each and waited for 0.1 s each, and requests that took so long together. */
static const struct {
	int64_t service_ns, first_ns;
	double share;
	const char *why;
} waits[] = {
	{ 100 * NS_PER_S, 0, 0.4 / 8, "always in flight: of all the time" },
	{ 2 * NS_PER_S, 2 * NS_PER_S, 0.4 / 4, "a second of each thread" },
	{ 0, 0, 0, "nothing was in flight" },
};

START_TEST(time_without_a_processor)
{
	struct load_result *result = load_result_new();
	struct load_cpu threads[4], *own = result->threads;
	const struct load_plan plan = { .model = LOAD_CLOSED };
	struct load_facts f;
	for (int i = 0; i < 4; i++)
		threads[i] = (struct load_cpu){ .measured_ns = 2 * NS_PER_S,
			.measured_wait_ns = NS_PER_S / 10 };
	for (int i = 0; i < 1000; i++) {
		if (waits[_i].service_ns)
			hist_record(result->hists[LOAD_SERVICE], waits[_i].service_ns / 1000);
		if (waits[_i].first_ns)
			hist_record(result->hists[LOAD_FIRST], waits[_i].first_ns / 1000);
	}
	result->threads = threads;
	result->thread_count = 4;
	load_facts_take(&(struct load_seen){ &plan, result, &nothing, &nothing, NULL }, &f);
	ck_assert_msg(fabs(f.waiting_share - waits[_i].share) < 0.002 * waits[_i].share + 1e-9,
		"%s: %g", waits[_i].why, f.waiting_share);
	result->threads = own;
	load_result_free(result);
}
END_TEST

START_TEST(a_run_that_never_measured)
{
	struct load_result *result = load_result_new();
	const struct load_plan plan = { .model = LOAD_OPEN,
		.arrival = { .rate_per_s = 100, .length_ns = CLOCK_NEVER } };
	struct load_facts f;
	load_facts_take(&(struct load_seen){ &plan, result, &nothing, &nothing, NULL }, &f);
	ck_assert(f.sent_per_s == 0 && f.rate_per_s == 0 && f.due_per_s == 0);
	load_result_free(result);
}
END_TEST

/* RFC 9110 section 12.5.3; parameter names are of any case: section 5.6.6. */
static const struct {
	const char *name, *value;
	bool asks;
} headers[] = {
	{ "Accept-Encoding", "gzip", true },
	{ "accept-encoding", "br;q=1.0, gzip;q=0.8, *;q=0.1", true },
	{ "Accept-Encoding", "", false },
	{ "Accept-Encoding", "identity", false },
	{ "Accept-Encoding", "Identity;q=0.5", false },
	{ "Accept-Encoding", "gzip;q=0", false },
	{ "Accept-Encoding", "gzip; Q=0.000, identity", false },
	{ "Accept-Encoding", "gzip;q=0, br;q=0.001", true },
	{ "Accept-Encoding", "*", true },
	{ "Accept-Encoding", "*;q=0", false },
	{ "Accept", "gzip", false },
};

START_TEST(codings_that_are_asked_for)
{
	const struct request_header header = { headers[_i].name, headers[_i].value };
	const struct load_request request = { .headers = &header, .header_count = 1 };
	const struct load_plan plan = {
		.model = LOAD_CLOSED, .requests = &request, .request_count = 1
	};
	struct load_result *result = load_result_new();
	struct load_facts f;
	load_facts_take(&(struct load_seen){ &plan, result, &nothing, &nothing, NULL }, &f);
	ck_assert_msg(f.asked_for_coding == headers[_i].asks, "%s: %s", header.name, header.value);
	load_result_free(result);
}
END_TEST

/* found: what the text has, NULL where there is none. */
static const struct {
	struct load_counts counts;
	const char *found;
	const char *why;
} rows[] = {
	{ { .sent = 3, .answered = 1, .failed[LOAD_RESET] = 2 }, NULL, "one answer is some" },
	{ { 0 }, "no request was sent", "nothing" },
	{ { .sent = 3, .unanswered = 3 }, "3 requests were in flight until the end", "in flight" },
	{ { .sent = 5, .unanswered = 2, .failed[LOAD_RESET] = 3 },
		"of 5 requests 3 met SR: reset before", "some in flight" },
	{ { .sent = 9, .failed = { [LOAD_REFUSED] = 4, [LOAD_TIMEOUT_HEAD] = 5 } },
		"of 9 requests 5 met sH: timed out before the answer began", "the most" },
	{ { .sent = 8, .failed = { [LOAD_REFUSED] = 4, [LOAD_TLS] = 4 } },
		"of 8 requests 4 met SC: the connection was refused", "the first of as many" },
	{ { .sent = 1, .failed[LOAD_LOCAL] = 1 }, "of 1 requests 1 met RC:", "the last kind" },
};

START_TEST(why_nothing_was_answered)
{
	struct arena *arena = arena_new();
	const char *text = load_unanswered(&rows[_i].counts, arena);
	ck_assert(load_counts_add_up(&rows[_i].counts));
	if (rows[_i].found)
		ck_assert_msg(text && strstr(text, rows[_i].found), "%s: %s", rows[_i].why,
			text ? text : "(none)");
	else
		ck_assert_msg(!text, "%s: %s", rows[_i].why, text);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_facts");
	tcase_add_test(tests, an_open_loop);
	tcase_add_loop_test(tests, codings_that_are_asked_for, 0, COUNT(headers));
	tcase_add_test(tests, a_closed_loop_has_no_schedule);
	tcase_add_loop_test(tests, time_without_a_processor, 0, COUNT(waits));
	tcase_add_test(tests, a_run_that_never_measured);
	tcase_add_loop_test(tests, why_nothing_was_answered, 0, COUNT(rows));
	Suite *suite = suite_create("measure/load_facts");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
