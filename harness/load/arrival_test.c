#include "load/arrival.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define S NS_PER_S
#define STAGES(...)                                                                                \
	.stages = (const struct arrival_stage[]){ __VA_ARGS__ },                                   \
	.stage_count =                                                                             \
		sizeof((struct arrival_stage[]){ __VA_ARGS__ }) / sizeof(struct arrival_stage)

/* Right counts: the area below the rate, by hand. */
static const struct {
	const char *why;
	struct arrival_plan plan;
	size_t count;
	int64_t first_ns, last_ns;
} rows[] = {
	{ "the first is due at once, the one at the end isn't any more",
		{ .kind = ARRIVAL_CONSTANT, .rate_per_s = 2000, .length_ns = 10 * S }, 20000, 0,
		9999500000 },
	{ "a gap that is no whole number of ns",
		{ .kind = ARRIVAL_CONSTANT, .rate_per_s = 3, .length_ns = 10 * S }, 30, 0,
		9666666667 },
	{ "less than one a second",
		{ .kind = ARRIVAL_CONSTANT, .rate_per_s = 0.5, .length_ns = 5 * S }, 3, 0, 4 * S },
	{ "a part of a gap at the end",
		{ .kind = ARRIVAL_CONSTANT, .rate_per_s = 10, .length_ns = S + 1000 }, 11, 0, S },
	{ "10 s of 50/s on average: the last at t with 5 t^2 = 499",
		{ .kind = ARRIVAL_RAMP, .to_per_s = 100, .ramp_ns = 10 * S, .length_ns = 10 * S },
		500, 0, 9989994995 },
	{ "down to nothing",
		{ .kind = ARRIVAL_RAMP, .rate_per_s = 100, .ramp_ns = 10 * S, .length_ns = 10 * S },
		500, 0, 9552786405 },
	{ "a ramp of 500 and a plateau of 1000",
		{ .kind = ARRIVAL_RAMP, .to_per_s = 100, .ramp_ns = 10 * S, .length_ns = 20 * S },
		1500, 0, 19990000000 },
	{ "the end cuts a ramp: 5 s of 25/s on average",
		{ .kind = ARRIVAL_RAMP, .to_per_s = 100, .ramp_ns = 10 * S, .length_ns = 5 * S },
		125, 0, 4979959839 },
	{ "up, along and down: 500 + 1000 + 500",
		{ .kind = ARRIVAL_STAGES, STAGES({ 10 * S, 100 }, { 10 * S, 100 }, { 10 * S, 0 }) },
		2000, 0, 29552786405 },
	{ "a stage of 0 s is a jump",
		{ .kind = ARRIVAL_STAGES, STAGES({ 0, 50 }, { 2 * S, 50 }, { 0, 10 }, { S, 10 }) },
		110, 0, 2900000000 },
	{ "nothing is due while the rate is 0",
		{ .kind = ARRIVAL_STAGES,
			.rate_per_s = 10,
			STAGES({ S, 10 }, { 0, 0 }, { 5 * S, 0 }, { 0, 10 }, { S, 10 }) },
		20, 0, 6900000000 },
	{ "a pause at the start",
		{ .kind = ARRIVAL_STAGES, STAGES({ 3 * S, 0 }, { 0, 10 }, { S, 10 }) }, 10, 3 * S,
		3900000000 },
	{ "three bursts",
		{ .kind = ARRIVAL_BURST,
			.burst_size = 50,
			.burst_every_ns = S,
			.length_ns = 3 * S },
		150, 0, 2 * S },
	{ "a fourth burst just before the end",
		{ .kind = ARRIVAL_BURST,
			.burst_size = 50,
			.burst_every_ns = S,
			.length_ns = 3 * S + 1 },
		200, 0, 3 * S },
};

START_TEST(counts)
{
	struct arrival arrival;
	struct err err = { 0 };
	size_t count = 0;
	int64_t last_ns = 0;
	ck_assert_msg(
		arrival_check(&rows[_i].plan, &err) == RC_OK, "%s: %s", rows[_i].why, err.text);
	arrival_init(&arrival, &rows[_i].plan, NULL);
	for (int64_t due_ns; (due_ns = arrival_next(&arrival)) != CLOCK_NEVER; count++) {
		ck_assert_msg(due_ns >= last_ns, "%s: %zu goes back", rows[_i].why, count);
		ck_assert_msg(count || due_ns == rows[_i].first_ns, "%s: first at %" PRId64,
			rows[_i].why, due_ns);
		double before = arrival_due(&rows[_i].plan, due_ns - 1);
		double behind = arrival_due(&rows[_i].plan, due_ns + NS_PER_MS);
		ck_assert_msg(before <= (double)count && behind > (double)count,
			"%s: number %zu is due at %" PRId64 ", but %g before, %g behind",
			rows[_i].why, count, due_ns, before, behind);
		last_ns = due_ns;
	}
	ck_assert_msg(count == rows[_i].count, "%s: expected %zu, found %zu", rows[_i].why,
		rows[_i].count, count);
	ck_assert_msg(last_ns == rows[_i].last_ns, "%s: last at %" PRId64, rows[_i].why, last_ns);
	ck_assert_msg(arrival_due(&rows[_i].plan, CLOCK_NEVER) == (double)count, "%s: %g due",
		rows[_i].why, arrival_due(&rows[_i].plan, CLOCK_NEVER));
	ck_assert_int_eq(arrival_next(&arrival), CLOCK_NEVER);
}
END_TEST

/* The rates of a plan in which they go up, along and down, and their integral, written another way. */
static long double integral(long double t_s)
{
	long double sum = 0;
	long double up = fminl(t_s, 4), flat = fminl(fmaxl(t_s - 4, 0), 3);
	long double down = fminl(fmaxl(t_s - 7, 0), 2);
	sum += up * (20 + (20 + up * 195)) / 2; /* 20/s to 800/s in 4 s */
	sum += flat * 800;
	sum += down * (800 + (800 - down * 350)) / 2; /* to 100/s in 2 s */
	return sum;
}

START_TEST(due_where_the_integral_is_its_number)
{
	struct arrival_plan plan = { .kind = ARRIVAL_STAGES,
		.rate_per_s = 20,
		STAGES({ 4 * S, 800 }, { 3 * S, 800 }, { 2 * S, 100 }) };
	struct arrival arrival;
	size_t count = 0;
	arrival_init(&arrival, &plan, NULL);
	for (int64_t due_ns; (due_ns = arrival_next(&arrival)) != CLOCK_NEVER; count++) {
		long double found = integral((long double)due_ns / 1e9L);
		/* Half a ns at 800/s. */
		ck_assert_msg(fabsl(found - (long double)count) <= 0.5e-9L * 800 + 1e-9L,
			"%zu: %.12Lf at %" PRId64, count, found, due_ns);
	}
	ck_assert_uint_eq(count, 1640 + 2400 + 900);
}
END_TEST

/* Hours into a schedule a request is due where arithmetic has it, as no sum of rounded gaps would be. */
static const struct {
	double rate_per_s;
	uint64_t number;
	int64_t due_ns;
} far[] = {
	{ 30000, UINT64_C(30000) * 3600, 3600 * S },
	{ 30000, UINT64_C(30000) * 3600 + 1, 3600 * S + 33333 },
	{ 3, 1000001, INT64_C(333333666666667) },
	{ 7, 7 * 86400 + 1, 86400 * S + 142857143 },
	{ 1e6, UINT64_C(86400000001), 86400 * S + 1000 },
};

START_TEST(does_not_drift)
{
	struct arrival_plan plan = { .kind = ARRIVAL_CONSTANT,
		.rate_per_s = far[_i].rate_per_s,
		.length_ns = CLOCK_NEVER,
		.share = { far[_i].number, UINT64_MAX } };
	struct arrival arrival;
	arrival_init(&arrival, &plan, NULL);
	ck_assert_int_eq(arrival_next(&arrival), far[_i].due_ns);
}
END_TEST

static const struct arrival_plan kinds[] = {
	{ .kind = ARRIVAL_CONSTANT, .rate_per_s = 700, .length_ns = 3 * S },
	{ .kind = ARRIVAL_POISSON, .rate_per_s = 700, .length_ns = 3 * S },
	{ .kind = ARRIVAL_RAMP,
		.rate_per_s = 900,
		.to_per_s = 10,
		.ramp_ns = 2 * S,
		.length_ns = 3 * S },
	{ .kind = ARRIVAL_STAGES, STAGES({ S, 500 }, { S, 0 }, { S, 0 }, { S, 300 }) },
	{ .kind = ARRIVAL_BURST, .burst_size = 7, .burst_every_ns = S / 100, .length_ns = 3 * S },
};
enum { KINDS = sizeof kinds / sizeof *kinds, MANY = 5000 };

static size_t schedule(const struct arrival_plan *plan, uint64_t seed, int64_t *due_ns)
{
	struct arrival arrival;
	struct rng rng;
	size_t count = 0;
	rng_init(&rng, seed, "arrival");
	arrival_init(&arrival, plan, &rng);
	while ((due_ns[count] = arrival_next(&arrival)) != CLOCK_NEVER)
		ck_assert_uint_lt(++count, MANY);
	return count;
}

START_TEST(shares_are_the_whole)
{
	static int64_t whole[MANY], part[MANY];
	for (uint64_t shares = 1; shares <= 12; shares += shares < 4 ? 1 : 4) {
		size_t count = schedule(&kinds[_i], 42, whole), found = 0;
		for (uint64_t index = 0; index < shares; index++) {
			struct arrival_plan plan = kinds[_i];
			plan.share.index = index;
			plan.share.count = shares;
			size_t mine = schedule(&plan, 42, part);
			for (size_t i = 0; i < mine; i++)
				ck_assert_int_eq(part[i], whole[index + i * shares]);
			found += mine;
		}
		ck_assert_uint_eq(found, count);
	}
}
END_TEST

START_TEST(the_seed_is_the_schedule)
{
	static int64_t one[MANY], two[MANY];
	size_t count = schedule(&kinds[_i], 1, one);
	ck_assert_uint_eq(schedule(&kinds[_i], 1, two), count);
	ck_assert_mem_eq(one, two, count * sizeof *one);
	size_t other = schedule(&kinds[_i], 2, two);
	bool same = other == count && !memcmp(one, two, count * sizeof *one);
	ck_assert_int_eq(same, kinds[_i].kind != ARRIVAL_POISSON);
}
END_TEST

START_TEST(the_callers_draws_make_no_difference)
{
	static int64_t want[MANY];
	struct arrival arrival;
	struct rng rng;
	size_t count = schedule(&kinds[1], 3, want);
	rng_init(&rng, 3, "arrival");
	arrival_init(&arrival, &kinds[1], &rng);
	for (size_t i = 0; i < count; i++) {
		rng_next(&rng);
		ck_assert_int_eq(arrival_next(&arrival), want[i]);
	}
}
END_TEST

/*
 * Poisson: counts of disjoint intervals have the mean as their variance, gaps are exponential. Bounds are those that a
 * right one misses once in 1000 seeds; the seed is fixed.
 */
START_TEST(poisson)
{
	enum { SECONDS = 1000, RATE = 100 };
	static size_t in_second[SECONDS];
	/* Tenths of the exponential distribution: a gap is in tenth floor(10 * (1 - exp(-rate * gap))). */
	size_t tenths[10] = { 0 }, count = 0;
	struct arrival_plan plan = {
		.kind = ARRIVAL_POISSON, .rate_per_s = RATE, .length_ns = SECONDS * S
	};
	struct arrival arrival;
	struct rng rng;
	int64_t last_ns = 0;
	double dispersion = 0, chi2 = 0;
	rng_init(&rng, 11, "poisson");
	arrival_init(&arrival, &plan, &rng);
	for (int64_t due_ns; (due_ns = arrival_next(&arrival)) != CLOCK_NEVER; count++) {
		ck_assert_int_gt(due_ns, 0); /* there is a gap before the first, too */
		in_second[due_ns / S]++;
		double share = 1 - exp(-(double)(due_ns - last_ns) / 1e9 * RATE);
		tenths[(size_t)(share * 10)]++;
		last_ns = due_ns;
	}
	ck_assert_double_eq_tol((double)count, 1e5, 3.29 * sqrt(1e5));
	for (size_t i = 0; i < SECONDS; i++)
		dispersion += pow((double)in_second[i] - RATE, 2) / RATE;
	/* chi-square of 1000 degrees of freedom: 1000 +- 3.29 * sqrt(2000) */
	ck_assert_double_eq_tol(dispersion, 1000, 148);
	for (size_t i = 0; i < 10; i++)
		chi2 += pow((double)tenths[i] - (double)count / 10, 2) / ((double)count / 10);
	/* of 9 degrees of freedom, 99.9% */
	ck_assert_double_lt(chi2, 27.88);
	ck_assert_double_eq_tol(arrival_due(&plan, 10 * S), 1000, 1e-9);
}
END_TEST

static const struct {
	size_t plan;
	int64_t t_ns;
	double per_s;
} rates[] = {
	{ 0, -1, 0 },
	{ 0, 0, 700 },
	{ 0, 3 * S - 1, 700 },
	{ 0, 3 * S, 0 },
	{ 2, 0, 900 },
	{ 2, S, 455 },
	{ 2, 2 * S, 10 },
	{ 2, 3 * S, 0 },
	{ 3, S / 2, 250 },
	{ 3, 5 * S / 2, 0 },
	{ 3, 7 * S / 2, 150 },
	{ 4, S, 700 },
};

START_TEST(rate_at_a_time)
{
	double found = arrival_rate(&kinds[rates[_i].plan], rates[_i].t_ns);
	ck_assert_double_eq_tol(found, rates[_i].per_s, 1e-6);
}
END_TEST

static const struct {
	struct arrival_plan plan;
	const char *text;
} refused[] = {
	{ { .kind = ARRIVAL_CONSTANT, .length_ns = S }, "a request is due" },
	{ { .kind = ARRIVAL_CONSTANT, .rate_per_s = -1, .length_ns = S }, "found -1" },
	{ { .kind = ARRIVAL_CONSTANT, .rate_per_s = NAN, .length_ns = S }, "found nan" },
	{ { .kind = ARRIVAL_POISSON, .rate_per_s = INFINITY, .length_ns = S }, "found inf" },
	{ { .kind = ARRIVAL_POISSON, .rate_per_s = 2e9, .length_ns = S }, "found 2e+09" },
	{ { .kind = ARRIVAL_CONSTANT, .rate_per_s = 1 }, "expected a length from 1 ns" },
	{ { .kind = ARRIVAL_CONSTANT, .rate_per_s = 1, .length_ns = -5 }, "found -5 ns" },
	{ { .kind = ARRIVAL_CONSTANT, .rate_per_s = 1, .length_ns = CLOCK_NEVER - 1 },
		"100 years" },
	{ { .kind = ARRIVAL_RAMP, .to_per_s = 1, .length_ns = S }, "a ramp's length" },
	{ { .kind = ARRIVAL_RAMP, .to_per_s = -1, .ramp_ns = S, .length_ns = S },
		"at the ramp's end" },
	{ { .kind = ARRIVAL_RAMP, .ramp_ns = S, .length_ns = S }, "a request is due" },
	{ { .kind = ARRIVAL_STAGES }, "expected 1 to 64 stages, found 0" },
	{ { .kind = ARRIVAL_STAGES, STAGES({ -1, 5 }) }, "a stage's length" },
	{ { .kind = ARRIVAL_STAGES, STAGES({ S, -5 }) }, "a stage's rate" },
	{ { .kind = ARRIVAL_STAGES, STAGES({ INT64_C(3153600000) * S, 1 }, { S, 1 }) },
		"a length of all stages" },
	{ { .kind = ARRIVAL_STAGES, STAGES({ S, 0 }) }, "a request is due" },
	{ { .kind = ARRIVAL_BURST, .burst_every_ns = S, .length_ns = S }, "bursts of at least 1" },
	{ { .kind = ARRIVAL_BURST, .burst_size = 1, .length_ns = S }, "between bursts" },
	{ { .kind = ARRIVAL_CONSTANT, .rate_per_s = 1, .length_ns = S, .share = { 3, 3 } },
		"a share below 3, found 3" },
};

START_TEST(refuses)
{
	struct err err = { 0 };
	ck_assert_int_eq(arrival_check(&refused[_i].plan, &err), RC_USAGE);
	ck_assert_msg(strstr(err.text, refused[_i].text) != NULL, "expected %s, found %s",
		refused[_i].text, err.text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("arrival");
	tcase_add_loop_test(tests, counts, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, due_where_the_integral_is_its_number);
	tcase_add_loop_test(tests, does_not_drift, 0, sizeof far / sizeof *far);
	tcase_add_loop_test(tests, shares_are_the_whole, 0, KINDS);
	tcase_add_loop_test(tests, the_seed_is_the_schedule, 0, KINDS);
	tcase_add_test(tests, the_callers_draws_make_no_difference);
	tcase_add_test(tests, poisson);
	tcase_add_loop_test(tests, rate_at_a_time, 0, sizeof rates / sizeof *rates);
	tcase_add_loop_test(tests, refuses, 0, sizeof refused / sizeof *refused);
	Suite *suite = suite_create("load/arrival");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
