#include "load/users.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define S  NS_PER_S
#define MS NS_PER_MS
#define STAGES(...)                                                                                \
	.stages = (const struct users_stage[]){ __VA_ARGS__ },                                     \
	.stage_count = sizeof((struct users_stage[]){ __VA_ARGS__ }) / sizeof(struct users_stage)

static const struct users_plan constant = {
	.kind = USERS_CONSTANT, .users = 50, .length_ns = 8 * S
};
/* Ten steps in 10 s of 40. */
static const struct users_plan ramp = { .kind = USERS_RAMP, .users = 50, .length_ns = 40 * S };
static const struct users_plan odd = {
	.kind = USERS_RAMP, .users = 7, .ramp_ns = S, .length_ns = 2 * S
};
static const struct users_plan stages = { .kind = USERS_STAGES,
	.users = 2,
	STAGES({ 4 * S, 10 }, { 3 * S, 10 }, { 0, 5 }, { 5 * S, 0 }) };

static const struct {
	const struct users_plan *plan;
	int64_t t_ns;
	uint64_t want;
	const char *why;
} rows[] = {
	{ &constant, -1, 0, "before the start" },
	{ &constant, 0, 50, "all at once" },
	{ &constant, 8 * S - 1, 50, "to the end" },
	{ &constant, 8 * S, 0, "no more at the end" },
	{ &ramp, 0, 5, "a tenth at once" },
	{ &ramp, S - 1, 5, "a step is level" },
	{ &ramp, S, 10, "the second step" },
	{ &ramp, 9 * S - 1, 45, "the ninth step" },
	{ &ramp, 9 * S, 50, "the tenth step has all" },
	{ &ramp, 10 * S, 50, "the plateau" },
	{ &ramp, 40 * S - 1, 50, "to the end" },
	{ &ramp, 40 * S, 0, "no more at the end" },
	{ &odd, 0, 1, "a tenth of 7 is one" },
	{ &odd, 100 * MS, 2, "two tenths are two" },
	{ &odd, 200 * MS, 3, "2.1 are three" },
	{ &odd, 900 * MS, 7, "all" },
	{ &stages, 0, 2, "where they begin" },
	{ &stages, 500 * MS - 1, 2, "8 users in 4 s: the first in half a second" },
	{ &stages, 500 * MS, 3, "the line has reached 3" },
	{ &stages, 4 * S, 10, "the stage's number at its end" },
	{ &stages, 6 * S, 10, "level" },
	{ &stages, 7 * S, 5, "a stage of 0 s is a jump" },
	{ &stages, 8 * S - 1, 5, "down: the first goes when the line has reached 4" },
	{ &stages, 8 * S, 4, "down" },
	{ &stages, 12 * S - 1, 1, "the last" },
	{ &stages, 12 * S, 0, "over" },
};

START_TEST(users)
{
	uint64_t found = users_at(rows[_i].plan, rows[_i].t_ns);
	ck_assert_msg(found == rows[_i].want, "%s: expected %" PRIu64 ", found %" PRIu64,
		rows[_i].why, rows[_i].want, found);
}
END_TEST

enum { PLANS = 4 };
static const struct users_plan *const plans[PLANS] = { &constant, &ramp, &odd, &stages };

/* Walks from change to change: between them the number stays, and all changes are found. */
START_TEST(changes)
{
	static const size_t want[PLANS] = { 1, 10, 7, 8 + 1 + 5 };
	const struct users_plan *plan = plans[_i];
	size_t changed = 0;
	int64_t t_ns = 0;
	for (int64_t next_ns; (next_ns = users_change(plan, t_ns)) != CLOCK_NEVER; t_ns = next_ns) {
		uint64_t now = users_at(plan, t_ns);
		ck_assert_int_gt(next_ns, t_ns);
		ck_assert_uint_eq(users_at(plan, t_ns + (next_ns - t_ns) / 2), now);
		ck_assert_uint_eq(users_at(plan, next_ns - 1), now);
		changed += users_at(plan, next_ns) != now;
	}
	ck_assert_uint_eq(changed, want[_i]);
	ck_assert_uint_eq(users_at(plan, t_ns), 0);
	ck_assert_int_eq(users_change(plan, -1), 0);
}
END_TEST

static uint64_t all_shares(const struct users_plan *whole, uint64_t shares, int64_t t_ns)
{
	uint64_t sum = 0;
	for (uint64_t index = 0; index < shares; index++) {
		struct users_plan plan = *whole;
		plan.share.index = index;
		plan.share.count = shares;
		uint64_t mine = users_at(&plan, t_ns);
		ck_assert_uint_le(mine, users_most(&plan));
		sum += mine;
	}
	return sum;
}

START_TEST(shares_are_the_whole)
{
	for (uint64_t shares = 1; shares <= 60; shares += 7) {
		for (int64_t t_ns = 0; t_ns <= 41 * S; t_ns += 50 * MS) {
			uint64_t sum = all_shares(plans[_i], shares, t_ns);
			ck_assert_uint_eq(sum, users_at(plans[_i], t_ns));
		}
	}
}
END_TEST

START_TEST(most_and_ramp_end)
{
	static const uint64_t most[PLANS] = { 50, 50, 7, 10 };
	static const int64_t end_ns[PLANS] = { 0, 10 * S, S, 0 };
	ck_assert_uint_eq(users_most(plans[_i]), most[_i]);
	ck_assert_int_eq(users_ramp_end(plans[_i]), end_ns[_i]);
}
END_TEST

START_TEST(thinks)
{
	enum { MANY = 100000 };
	struct users_plan plan = constant;
	struct rng rng;
	double sum = 0, above = 0;
	rng_init(&rng, 21, "think");
	ck_assert_int_eq(users_think(&plan, &rng), 0);
	plan.think_ns = 30 * MS;
	ck_assert_int_eq(users_think(&plan, &rng), 30 * MS);
	plan.thinking = USERS_THINK_EXPONENTIAL;
	for (size_t i = 0; i < MANY; i++) {
		int64_t ns = users_think(&plan, &rng);
		ck_assert(ns >= 0 && ns <= 600 * MS);
		sum += (double)ns;
		above += ns > 60 * MS;
	}
	/* Within 3.29 standard deviations, of the mean and of the share above twice the mean, e^-2. */
	ck_assert_double_eq_tol(sum / MANY, 30e6, 3.29 * 30e6 / sqrt(MANY));
	ck_assert_double_eq_tol(above / MANY, exp(-2), 3.29 * sqrt(exp(-2) / MANY));
}
END_TEST

static const struct {
	struct users_plan plan;
	const char *text;
} refused[] = {
	{ { .kind = USERS_CONSTANT, .length_ns = S }, "expected users, found none" },
	{ { .kind = USERS_CONSTANT, .users = 1 }, "expected a length from 1 ns" },
	{ { .kind = USERS_CONSTANT, .users = 1000001, .length_ns = S }, "found 1000001" },
	{ { .kind = USERS_CONSTANT, .users = 1, .length_ns = S, .think_ns = -1 },
		"a time to think" },
	{ { .kind = USERS_RAMP, .users = 1, .length_ns = CLOCK_NEVER }, "a ramp's length" },
	{ { .kind = USERS_RAMP, .users = 1, .length_ns = S, .ramp_ns = -1 }, "a ramp's length" },
	{ { .kind = USERS_STAGES, .users = 1 }, "expected 1 to 64 stages" },
	{ { .kind = USERS_STAGES, .users = 1, STAGES({ 0, 5 }) }, "a length of all stages" },
	{ { .kind = USERS_STAGES, .users = 1, STAGES({ -1, 5 }) }, "a stage's length" },
	{ { .kind = USERS_STAGES, STAGES({ S, 0 }) }, "expected users, found none" },
	{ { .kind = USERS_STAGES, STAGES({ S, 2000000 }) }, "found 2000000" },
	{ { .kind = USERS_CONSTANT, .users = 1, .length_ns = S, .share = { 2, 2 } },
		"a share below 2, found 2" },
};

START_TEST(refuses)
{
	struct err err = { 0 };
	ck_assert_int_eq(users_check(&refused[_i].plan, &err), RC_USAGE);
	ck_assert_msg(strstr(err.text, refused[_i].text) != NULL, "expected %s, found %s",
		refused[_i].text, err.text);
	ck_assert_int_eq(users_check(plans[_i % PLANS], &err), RC_OK);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("users");
	tcase_add_loop_test(tests, users, 0, sizeof rows / sizeof *rows);
	tcase_add_loop_test(tests, changes, 0, PLANS);
	tcase_add_loop_test(tests, shares_are_the_whole, 0, PLANS);
	tcase_add_loop_test(tests, most_and_ramp_end, 0, PLANS);
	tcase_add_test(tests, thinks);
	tcase_add_loop_test(tests, refuses, 0, sizeof refused / sizeof *refused);
	Suite *suite = suite_create("load/users");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
