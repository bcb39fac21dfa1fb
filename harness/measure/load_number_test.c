#include "measure/load_number.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* Of 200 sent, 160 answered: 12 of them otherwise than expected; 20 in flight at the end, 20 failed. */
static struct load_result *result_new(void)
{
	struct load_result *r = load_result_new();
	r->measured = (struct load_counts){ .sent = 200,
		.answered = 160,
		.unanswered = 20,
		.failed = { [LOAD_REFUSED] = 1,
			[LOAD_RESET_IDLE] = 2,
			[LOAD_RESET] = 3,
			[LOAD_TIMEOUT_CONNECT] = 2,
			[LOAD_TIMEOUT_HEAD] = 4,
			[LOAD_TIMEOUT_BODY] = 8 },
		.statuses = { [0] = 1, [2] = 140, [3] = 3, [4] = 4, [5] = 12 },
		.unexpected_statuses = 12,
		.undecodable = 6,
		.coded = 40,
		.wire_bytes = 16000,
		.decoded_bytes = 32000 };
	r->censored = 14;
	r->measured_ns = 4 * NS_PER_S;
	return r;
}

static const struct {
	const char *name;
	double found, share; /* share: -1 where it is no part of anything */
	const char *why;
} rows[] = {
	{ "rate", 40, -1, "160 in 4 s" },
	{ "sent", 200, -1, "the whole itself" },
	{ "answered", 160, 80, NULL },
	{ "unanswered", 20, 10, NULL },
	{ "errors", 38, 19, "20 failed, 12 of another status, 6 that do not decode" },
	{ "errors.refused", 1, 0.5, NULL },
	{ "errors.reset-idle", 2, 1, NULL },
	{ "errors.reset", 3, 1.5, NULL },
	{ "errors.closed", 0, 0, "none is a number, too" },
	{ "errors.timeout-head", 4, 2, NULL },
	{ "errors.timeout", 14, 7, "2 + 4 + 8" },
	{ "errors.status", 12, 6, NULL },
	{ "errors.undecodable", 6, 3, NULL },
	{ "statuses.2xx", 140, 87.5, "of the answers, not of what was sent" },
	{ "statuses.5xx", 12, 7.5, NULL },
	{ "statuses.other", 1, 0.625, NULL },
	{ "censored", 14, 7, NULL },
	{ "coded_share", 25, -1, NULL },
	{ "bytes.wire", 100, -1, "of an answer" },
	{ "bytes.decoded", 200, -1, "of an answer" },
};

START_TEST(taken)
{
	struct load_result *result = result_new();
	struct load_number number;
	struct quantity found;
	ck_assert_int_eq(load_number_parse(rows[_i].name, &number, NULL), RC_OK);
	ck_assert_msg(load_number_take(&number, result, true, &found), "%s", rows[_i].name);
	ck_assert_msg(found.value == rows[_i].found, "%s: %g", rows[_i].name, found.value);
	ck_assert_msg(load_number_is_part(&number) == (rows[_i].share >= 0), "%s", rows[_i].name);
	number.as_share = rows[_i].share >= 0;
	if (number.as_share) {
		ck_assert(load_number_take(&number, result, true, &found));
		ck_assert_int_eq(found.unit, UNIT_PERCENT);
		ck_assert_msg(
			found.value == rows[_i].share, "%s: %g%%", rows[_i].name, found.value);
	}
	load_result_free(result);
}
END_TEST

/* Nothing was sent, and nothing decoded: all is absent, but how many times there are. */
START_TEST(absent_is_not_zero)
{
	struct load_result *nothing = load_result_new();
	char name[LOAD_NUMBER_NAME_BYTES];
	struct quantity found;
	for (size_t i = 0; load_number_name(i, name, sizeof name); i++) {
		struct load_number number;
		ck_assert_int_eq(load_number_parse(name, &number, NULL), RC_OK);
		bool counted = number.kind == LOAD_NUMBER_TIME && number.statistic == LOAD_COUNT;
		ck_assert_msg(
			load_number_take(&number, nothing, true, &found) == counted, "%s", name);
	}
	load_result_free(nothing);
	struct load_result *result = result_new();
	static const char *const DECODED[] = { "bytes.decoded", "errors.undecodable" };
	for (size_t i = 0; i < 2; i++) {
		struct load_number number;
		ck_assert_int_eq(load_number_parse(DECODED[i], &number, NULL), RC_OK);
		ck_assert(!load_number_take(&number, result, false, &found));
	}
	load_result_free(result);
}
END_TEST

/* A kind of failure or histogram that is added to http/ has its name here as well. */
START_TEST(every_kind_has_a_name)
{
	struct load_number number;
	for (size_t i = 0; load_failure_at(i); i++) {
		char name[64];
		snprintf(name, sizeof name, "errors.%s", load_failure_at(i)->name);
		ck_assert_msg(load_number_parse(name, &number, NULL) == RC_OK, "no %s", name);
		ck_assert_int_eq(number.kind, LOAD_NUMBER_FAILURE);
		ck_assert_uint_eq(number.index, i);
	}
	for (int i = 0; i < LOAD_HIST_COUNT; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s.p99", load_hist_name((enum load_hist)i));
		ck_assert_msg(load_number_parse(name, &number, NULL) == RC_OK, "no %s", name);
		ck_assert_int_eq(number.hist, i);
	}
}
END_TEST

static const struct {
	const char *name, *text;
} wrong[] = {
	{ "errors.rset", "unknown number \"errors.rset\"; did you mean \"errors.reset\"?" },
	{ "status.5xx", "unknown number \"status.5xx\"; did you mean \"statuses.5xx\"?" },
	{ "servce.p99", "unknown number \"servce.p99\"; did you mean \"service.p99\"?" },
	{ "byte.wire", "unknown number \"byte.wire\"; did you mean \"bytes.wire\"?" },
	{ "zebra", "unknown number \"zebra\"; `onus load --help` names them" },
	{ "service.p0",
		"expected count, min, mean, max or a percentile such as p99 behind \"service.\", found \"p0\"" },
};

START_TEST(unknown)
{
	struct load_number number;
	struct err err = { 0 };
	ck_assert_int_eq(load_number_parse(wrong[_i].name, &number, &err), RC_USAGE);
	ck_assert_str_eq(err.text, wrong[_i].text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_number");
	tcase_add_loop_test(tests, taken, 0, COUNT(rows));
	tcase_add_test(tests, absent_is_not_zero);
	tcase_add_test(tests, every_kind_has_a_name);
	tcase_add_loop_test(tests, unknown, 0, COUNT(wrong));
	Suite *suite = suite_create("measure/load_number");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
