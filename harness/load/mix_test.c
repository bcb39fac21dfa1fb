#include "load/mix.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 200000, KINDS = 8 };

/* chi2: the value that a right mix exceeds once in 1000 seeds, by degrees of freedom; the seed is fixed. */
static const struct {
	const char *why;
	size_t count;
	double weights[KINDS];
	double chi2;
} rows[] = {
	{ "whole numbers", 3, { 7, 2, 1 }, 13.82 },
	{ "shares", 2, { 0.25, 0.75 }, 10.83 },
	{ "all alike", 8, { 5, 5, 5, 5, 5, 5, 5, 5 }, 24.32 },
	{ "rare ones", 3, { 1000, 1, 1 }, 13.82 },
	{ "weights of 0 at both ends and between", 6, { 0, 3, 0, 0, 1, 0 }, 10.83 },
	{ "tiny weights", 3, { 2e-300, 1e-300, 1e-300 }, 13.82 },
};

START_TEST(long_run)
{
	struct mix mix;
	struct rng rng;
	struct err err = { 0 };
	size_t found[KINDS] = { 0 };
	double sum = 0, chi2 = 0;
	ck_assert(mix_init(&mix, rows[_i].weights, rows[_i].count, &err) == RC_OK);
	rng_init(&rng, 31, rows[_i].why);
	for (size_t i = 0; i < MANY; i++) {
		size_t kind = mix_pick(&mix, &rng);
		ck_assert_uint_lt(kind, rows[_i].count);
		found[kind]++;
	}
	for (size_t i = 0; i < rows[_i].count; i++)
		sum += rows[_i].weights[i];
	for (size_t i = 0; i < rows[_i].count; i++) {
		double want = MANY * rows[_i].weights[i] / sum;
		if (want > 0)
			chi2 += pow((double)found[i] - want, 2) / want;
		else
			ck_assert_msg(!found[i], "%s: %zu was picked", rows[_i].why, i);
	}
	ck_assert_msg(chi2 < rows[_i].chi2, "%s: chi2 %g", rows[_i].why, chi2);
}
END_TEST

START_TEST(one_kind_draws_nothing)
{
	struct mix mix;
	struct rng rng, untouched;
	rng_init(&rng, 32, "one");
	untouched = rng;
	ck_assert(mix_init(&mix, (double[]){ 0.1 }, 1, NULL) == RC_OK);
	for (size_t i = 0; i < 100; i++)
		ck_assert_uint_eq(mix_pick(&mix, &rng), 0);
	ck_assert_mem_eq(&rng, &untouched, sizeof rng);
}
END_TEST

START_TEST(the_seed_is_the_order)
{
	struct mix mix;
	struct rng one, two;
	rng_init(&one, 33, "order");
	rng_init(&two, 33, "order");
	ck_assert(mix_init(&mix, rows[0].weights, rows[0].count, NULL) == RC_OK);
	for (size_t i = 0; i < 1000; i++)
		ck_assert_uint_eq(mix_pick(&mix, &one), mix_pick(&mix, &two));
}
END_TEST

static const struct {
	size_t count;
	double weights[KINDS];
	const char *text;
} refused[] = {
	{ 0, { 0 }, "expected 1 to 256 kinds of requests, found 0" },
	{ MIX_MAX + 1, { 0 }, "found 257" },
	{ 2, { 0, 0 }, "expected a sum of weights above 0, found 0" },
	{ 2, { 1, -1 }, "found -1" },
	{ 2, { NAN, 1 }, "found nan" },
	{ 2, { INFINITY, 1 }, "found inf" },
	{ 2, { 1.7e308, 1.7e308 }, "expected a sum of weights above 0, found inf" },
};

START_TEST(refuses)
{
	struct mix mix;
	struct err err = { 0 };
	ck_assert_int_eq(mix_init(&mix, refused[_i].weights, refused[_i].count, &err), RC_USAGE);
	ck_assert_msg(strstr(err.text, refused[_i].text) != NULL, "expected %s, found %s",
		refused[_i].text, err.text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("mix");
	tcase_add_loop_test(tests, long_run, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, one_kind_draws_nothing);
	tcase_add_test(tests, the_seed_is_the_order);
	tcase_add_loop_test(tests, refuses, 0, sizeof refused / sizeof *refused);
	Suite *suite = suite_create("load/mix");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
