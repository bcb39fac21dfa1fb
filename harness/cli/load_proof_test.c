#include <check.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/load_proof.h"
#include "stats/spread.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const struct {
	int64_t stop_ms, length_ms;
} stops[] = { { 1000, 5000 }, { 2000, 5000 }, { 100, 10000 }, { 900, 1000 } };

/*
 * Against each response time reckoned one by one: 10,000 requests evenly spaced, the server stopped from a quarter of
 * the time that it isn't on, and every request that was due meanwhile answered the moment it goes on.
 */
START_TEST(arithmetic)
{
	enum { REQUESTS = 10000 };
	static const double quantiles[] = { 0.05, 0.5, 0.9, 0.99, 0.999 };
	int64_t stop = stops[_i].stop_ms * INT64_C(1000000);
	int64_t length = stops[_i].length_ms * INT64_C(1000000), from = (length - stop) / 4;
	int64_t values[REQUESTS];
	for (int64_t i = 0; i < REQUESTS; i++) {
		int64_t due = length / REQUESTS * i;
		values[i] = due >= from && due < from + stop ? from + stop - due : 0;
	}
	struct spread spread = spread_of(values, REQUESTS);
	ck_assert_int_le(
		llabs(spread.max_ns - load_proof_expected(1, stop, length)), length / REQUESTS);
	for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
		int64_t expected = load_proof_expected(quantiles[i], stop, length);
		int64_t found = values[(size_t)(quantiles[i] * REQUESTS + 0.5) - 1];
		ck_assert_msg(llabs(expected - found) <= length / REQUESTS, "%g: %lld, %lld",
			quantiles[i], (long long)expected, (long long)found);
	}
}
END_TEST

/* 2% of 2 s are 40 ms. */
START_TEST(a_machine_that_keeps_us_waiting_proves_nothing)
{
	ck_assert_int_eq(load_proof_judge(true, 0), LOAD_PROOF_HELD);
	ck_assert_int_eq(load_proof_judge(true, NS_PER_S), LOAD_PROOF_HELD);
	ck_assert_int_eq(load_proof_judge(false, 20 * NS_PER_MS), LOAD_PROOF_BROKEN);
	ck_assert_int_eq(load_proof_judge(false, 20 * NS_PER_MS + 1), LOAD_PROOF_REFUSED);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_proof");
	tcase_add_loop_test(tests, arithmetic, 0, COUNT(stops));
	tcase_add_test(tests, a_machine_that_keeps_us_waiting_proves_nothing);
	Suite *suite = suite_create("cli/load_proof");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
