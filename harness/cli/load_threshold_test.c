#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/load_threshold.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* 100 responses of 1 to 100 ms; 90 answers and 10 failures; two whole seconds of 40 and 44 answers. */
static struct load_result *result_new(void)
{
	static struct load_second seconds[] = { { .at_s = 0, .answered = 6, .sent = 9 },
		{ .at_s = 1, .answered = 40, .sent = 50, .measured = true },
		{ .at_s = 2, .answered = 44, .sent = 54, .measured = true } };
	struct load_result *r = load_result_new();
	for (int64_t i = 1; i <= 100; i++)
		hist_record(r->hists[LOAD_RESPONSE], i * NS_PER_MS);
	r->measured = (struct load_counts){ .sent = 100,
		.answered = 90,
		.failed = { [LOAD_RESET] = 8, [LOAD_TIMEOUT_HEAD] = 2 },
		.statuses = { [2] = 85, [5] = 5 },
		.unexpected_statuses = 5,
		.coded = 45,
		.wire_bytes = 9000,
		.decoded_bytes = 18000 };
	r->measured_ns = 2 * NS_PER_S;
	r->seconds = mem_alloc(3, sizeof *seconds);
	memcpy(r->seconds, seconds, sizeof seconds);
	r->second_count = 3;
	return r;
}

static const struct {
	const char *text;
	enum load_verdict_kind kind;
	double found; /* 0 where nothing is */
	const char *why;
} rows[] = {
	{ "response.p50 <= 50.1ms", LOAD_HELD, 50e6, "the 50th of 100" },
	{ "response.p50<50ms", LOAD_BROKEN, 50e6, "no spaces" },
	{ "response.p99 <= 99.1ms", LOAD_HELD, 99e6, NULL },
	{ "response.p99.9 <= 99.5ms", LOAD_BROKEN, 100e6, NULL },
	{ "response.p999 <= 100ms", LOAD_HELD, 100e6, "as the case format writes it" },
	{ "response.p5 <= 5.1ms", LOAD_HELD, 5e6, "any percentile" },
	{ "response.max == 100ms", LOAD_HELD, 100e6, "exact" },
	{ "response.min == 1ms", LOAD_HELD, 1e6, "exact" },
	{ "response.mean 50ms..51ms", LOAD_HELD, 50.5e6, "5050/100" },
	{ "response.count == 100", LOAD_HELD, 100, NULL },
	{ "send_lag.count == 0", LOAD_HELD, 0, "how many is known even where there are none" },
	{ "rate >= 45/s", LOAD_HELD, 45, "90 in 2 s" },
	{ "rate > 45/s", LOAD_BROKEN, 45, NULL },
	{ "errors == 15", LOAD_HELD, 15, "10 failed, 5 of 5xx" },
	{ "errors <= 14", LOAD_BROKEN, 15, NULL },
	{ "errors <= 15%", LOAD_HELD, 15, "of 100 sent" },
	{ "errors < 15%", LOAD_BROKEN, 15, NULL },
	{ "coded_share == 50%", LOAD_HELD, 50, "45 of 90" },
	{ "bytes.wire == 100B", LOAD_HELD, 100, "9000 of 90" },
	{ "bytes.decoded == 200B", LOAD_HELD, 200, NULL },
	{ "connect.p99 <= 1s", LOAD_INVALID, 0, "no connection was made while it measured" },
};

START_TEST(judged)
{
	struct load_result *result = result_new();
	const struct load_reasons none = { 0 };
	struct load_threshold threshold;
	struct err err = { 0 };
	enum rc rc = load_threshold_parse(rows[_i].text, LOAD_OPEN, &threshold, &err);
	ck_assert_msg(rc == RC_OK, "%s", err.text);
	struct load_verdict verdict = load_threshold_judge(&threshold, result, true, &none);
	ck_assert_msg(verdict.kind == rows[_i].kind, "%s: %s, found %g", rows[_i].text,
		load_verdict_word(verdict.kind), verdict.found.value);
	ck_assert_msg(!verdict.has_found == (verdict.kind == LOAD_INVALID), "%s", rows[_i].text);
	/* To three digits, as histograms have it. */
	ck_assert_msg(!verdict.has_found || (verdict.found.value >= rows[_i].found &&
						    verdict.found.value <= rows[_i].found * 1.001),
		"%s: found %.17g", rows[_i].text, verdict.found.value);
	load_result_free(result);
}
END_TEST

/* What was due in the two seconds, and what was answered in them. */
START_TEST(rates)
{
	struct load_result *result = result_new();
	double length_s;
	ck_assert_double_eq(load_rate(result), 45);
	ck_assert_double_eq(load_sent_rate(result, &length_s), 52);
	ck_assert_double_eq(length_s, 2);
	result->bound_hits = 1;
	ck_assert_double_eq(load_rate(result), 42);
	result->second_count = 1;
	ck_assert_double_eq(load_rate(result), 45);
	ck_assert_double_eq(load_sent_rate(result, &length_s), 50);
	result->measured_ns = 0;
	ck_assert_double_eq(load_rate(result), 0);
	load_result_free(result);
}
END_TEST

static const struct load_reasons spoiling = {
	.list = { { .word = "w", .text = "a warning" },
		{ .word = "x", .text = "why", .spoils = LOAD_LATENCIES } },
	.count = 2
};
static const struct load_reasons worsening = {
	.list = { { .word = "x",
		.text = "why",
		.spoils = LOAD_LATENCIES | LOAD_RATES | LOAD_AMOUNTS,
		.one_way = true } },
	.count = 1
};

/*
 * A spoiled number is no number, whichever way it would have gone; one that is not spoiled stays one. What only makes
 * times longer, rates and amounts lower, leaves what holds all the same.
 */
static const struct {
	const struct load_reasons *reasons;
	const char *text;
	enum load_verdict_kind kind;
} spoils[] = {
	{ &spoiling, "response.p50 <= 1s", LOAD_INVALID },
	{ &spoiling, "response.p50 <= 1ms", LOAD_INVALID },
	{ &spoiling, "rate > 1/s", LOAD_HELD },
	{ &spoiling, "errors == 0", LOAD_BROKEN },
	{ &worsening, "response.p50 <= 1s", LOAD_HELD },
	{ &worsening, "response.p50 <= 1ms", LOAD_INVALID },
	{ &worsening, "response.p50 > 1s", LOAD_INVALID },
	{ &worsening, "response.p50 > 1ms", LOAD_INVALID },
	{ &worsening, "response.p50 1ms..1s", LOAD_INVALID },
	{ &worsening, "rate > 1/s", LOAD_HELD },
	{ &worsening, "rate > 100/s", LOAD_INVALID },
	{ &worsening, "rate < 100/s", LOAD_INVALID },
	{ &worsening, "response.count <= 100", LOAD_INVALID },
	{ &worsening, "response.count >= 100", LOAD_HELD },
	{ &worsening, "sent >= 100", LOAD_HELD },
	{ &worsening, "sent == 100", LOAD_INVALID },
	{ &worsening, "answered > 80%", LOAD_HELD },
	{ &worsening, "errors == 0", LOAD_BROKEN },
};

START_TEST(spoiled)
{
	struct load_result *result = result_new();
	struct load_threshold threshold;
	ck_assert(load_threshold_parse(spoils[_i].text, LOAD_OPEN, &threshold, NULL) == RC_OK);
	struct load_verdict v = load_threshold_judge(&threshold, result, false, spoils[_i].reasons);
	ck_assert_msg(
		v.kind == spoils[_i].kind, "%s: %s", spoils[_i].text, load_verdict_word(v.kind));
	ck_assert(v.has_found);
	ck_assert_str_eq(v.reason ? v.reason : "", v.kind == LOAD_INVALID ? "why" : "");
	load_result_free(result);
}
END_TEST

/* Nothing was sent: nothing is known, and least of all that there were no errors. */
START_TEST(nothing_sent)
{
	static const char *const texts[] = { "errors == 0", "errors == 0%", "coded_share == 0%",
		"bytes.wire == 0B", "rate == 0/s", "service.max <= 1s" };
	const struct load_reasons none = { 0 };
	struct load_result *result = load_result_new();
	for (size_t i = 0; i < sizeof texts / sizeof(const char *); i++) {
		struct load_threshold threshold;
		ck_assert(load_threshold_parse(texts[i], LOAD_OPEN, &threshold, NULL) == RC_OK);
		ck_assert_int_eq(
			load_threshold_judge(&threshold, result, true, &none).kind, LOAD_INVALID);
	}
	load_result_free(result);
}
END_TEST

static const struct {
	const char *text;
	enum load_model model;
	const char *error;
} errors[] = {
	{ "servce.p99 <= 1ms", LOAD_OPEN,
		"unknown number \"servce.p99\"; did you mean \"service.p99\"?" },
	{ "rat >= 1/s", LOAD_OPEN, "unknown number \"rat\"; did you mean \"rate\"?" },
	{ "quite.other < 1s", LOAD_OPEN,
		"unknown number \"quite.other\"; `onus load --help` names them" },
	{ "service.p100 <= 1s", LOAD_OPEN,
		"expected count, min, mean, max or a percentile such as p99 behind \"service.\", found \"p100\"" },
	{ "service.p0 <= 1s", LOAD_OPEN,
		"expected count, min, mean, max or a percentile such as p99 behind \"service.\", found \"p0\"" },
	{ "service.p9x <= 1s", LOAD_OPEN,
		"expected count, min, mean, max or a percentile such as p99 behind \"service.\", found \"p9x\"" },
	{ "service <= 1s", LOAD_OPEN,
		"expected count, min, mean, max or a percentile such as p99 behind \"service.\", found \"\"" },
	{ "service.p99 <= 1kB", LOAD_OPEN,
		"expected a time such as 20ms, found a size such as 24KiB" },
	{ "service.count <= 1s", LOAD_OPEN,
		"expected a number without a unit, found a time such as 20ms" },
	{ "rate >= 500", LOAD_OPEN,
		"expected a rate such as 500/s, found a number without a unit" },
	{ "coded_share == 1", LOAD_OPEN,
		"expected a share such as 1%, found a number without a unit" },
	{ "service.p99", LOAD_OPEN,
		"expected a number, an operator and a bound, such as service.p99 <= 20ms" },
	{ "<= 1s", LOAD_OPEN,
		"expected a number, an operator and a bound, such as service.p99 <= 20ms" },
	{ "response.p99 <= 1s", LOAD_CLOSED,
		"only an open loop (--rate) has response; a closed one has service.*, at its number of users" },
	{ "send_lag.max <= 1s", LOAD_CLOSED,
		"only an open loop (--rate) has send_lag; a closed one has service.*, at its number of users" },
};

START_TEST(refused)
{
	struct load_threshold threshold;
	struct err err = { 0 };
	ck_assert_msg(load_threshold_parse(errors[_i].text, errors[_i].model, &threshold, &err) ==
			      RC_USAGE,
		"%s", errors[_i].text);
	ck_assert_str_eq(err.where, "--threshold");
	const char *behind = strstr(err.text, "\": ");
	ck_assert_ptr_nonnull(behind);
	ck_assert_str_eq(behind + 3, errors[_i].error);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_threshold");
	tcase_add_loop_test(tests, judged, 0, COUNT(rows));
	tcase_add_test(tests, rates);
	tcase_add_loop_test(tests, spoiled, 0, COUNT(spoils));
	tcase_add_test(tests, nothing_sent);
	tcase_add_loop_test(tests, refused, 0, COUNT(errors));
	Suite *suite = suite_create("cli/load_threshold");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
