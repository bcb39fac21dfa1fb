#include "model/result.h"

#include <check.h>
#include <stdlib.h>

enum { MANY = 4 };

struct shape_of_case {
	enum outcome outcome;
	size_t findings;
	int problem; /* a kind, or -1 */
};

#define PASSED                                                                                     \
	{                                                                                          \
		OUTCOME_PASSED, 0, -1                                                              \
	}
#define FAILED                                                                                     \
	{                                                                                          \
		OUTCOME_FAILED, 1, -1                                                              \
	}
#define SKIPPED                                                                                    \
	{                                                                                          \
		OUTCOME_SKIPPED, 0, -1                                                             \
	}
#define ERROR(kind)                                                                                \
	{                                                                                          \
		OUTCOME_ERROR, 0, kind                                                             \
	}

/* The README's table of exit codes and its rule for several at once. */
static const struct {
	const char *why;
	int exit;
	int run_problem; /* a kind, or -1 */
	size_t count;
	struct shape_of_case cases[MANY];
} exits[] = {
	{ "every check held", 0, -1, 2, { PASSED, PASSED } },
	{ "a skip beside a pass does no harm", 0, -1, 2, { PASSED, SKIPPED } },
	{ "one broken contract is enough", 1, -1, 3, { PASSED, FAILED, SKIPPED } },
	{ "a wrong case file", 2, -1, 2, { PASSED, ERROR(PROBLEM_USAGE) } },
	{ "no SUT", 3, -1, 2, { PASSED, ERROR(PROBLEM_ENVIRONMENT) } },
	{ "a floor of a case", 4, -1, 2, { PASSED, ERROR(PROBLEM_FLOOR) } },
	{ "a noisy machine", 5, -1, 2, { PASSED, ERROR(PROBLEM_INVALID) } },
	{ "usage outranks all", 2, PROBLEM_ENVIRONMENT, 4,
		{ FAILED, ERROR(PROBLEM_INVALID), ERROR(PROBLEM_FLOOR), ERROR(PROBLEM_USAGE) } },
	{ "the environment outranks a finding", 3, -1, 2, { FAILED, ERROR(PROBLEM_ENVIRONMENT) } },
	{ "a finding outranks a floor", 1, PROBLEM_FLOOR, 1, { FAILED } },
	{ "a finding outranks noise", 1, -1, 2, { ERROR(PROBLEM_INVALID), FAILED } },
	{ "a floor outranks noise", 4, PROBLEM_FLOOR, 1, { ERROR(PROBLEM_INVALID) } },
	{ "found before the case went wrong", 1, -1, 1, { { OUTCOME_ERROR, 1, PROBLEM_FLOOR } } },
	{ "everything skipped", 77, -1, 2, { SKIPPED, SKIPPED } },
	{ "too many skips are a floor, not a skip", 4, PROBLEM_FLOOR, 2, { SKIPPED, SKIPPED } },
	{ "an unwritable report", 3, PROBLEM_ENVIRONMENT, 1, { PASSED } },
	{ "no cases, said by the runner", 4, PROBLEM_FLOOR, 0, { PASSED } },
	{ "no cases are not a skip", 0, -1, 0, { PASSED } },
};

START_TEST(exit_code)
{
	struct case_result cases[MANY] = { 0 };
	struct problem problems[MANY + 1] = { 0 };
	struct finding finding = { 0 };
	for (size_t i = 0; i < exits[_i].count; i++) {
		const struct shape_of_case *shape = &exits[_i].cases[i];
		cases[i] = (struct case_result){ .id = "a",
			.outcome = shape->outcome,
			.findings = &finding,
			.finding_count = shape->findings };
		if (shape->problem >= 0) {
			problems[i].kind = (enum problem_kind)shape->problem;
			cases[i].problems = &problems[i];
			cases[i].problem_count = 1;
		}
	}
	struct run_result result = { .cases = cases, .case_count = exits[_i].count };
	if (exits[_i].run_problem >= 0) {
		problems[MANY].kind = (enum problem_kind)exits[_i].run_problem;
		result.problems = &problems[MANY];
		result.problem_count = 1;
	}
	ck_assert_msg(result_exit(&result) == exits[_i].exit, "%s: expected %d, found %d",
		exits[_i].why, exits[_i].exit, result_exit(&result));
}
END_TEST

START_TEST(totals)
{
	struct case_result cases[] = {
		{ .outcome = OUTCOME_PASSED, .cells = 12, .checks = 48, .requests = 13 },
		{ .outcome = OUTCOME_FAILED, .cells = 8, .checks = 31, .requests = 8 },
		{ .outcome = OUTCOME_PASSED, .cells = 1, .checks = 2, .requests = 1 },
		{ .outcome = OUTCOME_SKIPPED },
		{ .outcome = OUTCOME_ERROR, .cells = 1, .checks = 0, .requests = 1 },
	};
	struct run_result result = { .cases = cases, .case_count = 5 };
	struct totals t = result_totals(&result);
	ck_assert_uint_eq(t.passed, 2);
	ck_assert_uint_eq(t.failed, 1);
	ck_assert_uint_eq(t.skipped, 1);
	ck_assert_uint_eq(t.errors, 1);
	ck_assert_uint_eq(t.cells, 22);
	ck_assert_uint_eq(t.checks, 81);
	ck_assert_uint_eq(t.requests, 23);
}
END_TEST

START_TEST(plan)
{
	struct run_result result = { 0 };
	result_plan(&result, "static/index");
	result_plan(&result, "static/never-outside-the-root");
	result_plan(&result, "a");
	ck_assert_uint_eq(result.planned, 3);
	ck_assert_uint_eq(result.id_width, sizeof "static/never-outside-the-root" - 1);
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(outcome_word(OUTCOME_PASSED), "passed");
	ck_assert_str_eq(outcome_word(OUTCOME_FAILED), "failed");
	ck_assert_str_eq(outcome_word(OUTCOME_SKIPPED), "skipped");
	ck_assert_str_eq(outcome_word(OUTCOME_ERROR), "error");
	ck_assert_str_eq(problem_word(PROBLEM_USAGE), "usage");
	ck_assert_str_eq(problem_word(PROBLEM_ENVIRONMENT), "environment");
	ck_assert_str_eq(problem_word(PROBLEM_FLOOR), "floor");
	ck_assert_str_eq(problem_word(PROBLEM_INVALID), "invalid");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("result");
	tcase_add_loop_test(tests, exit_code, 0, (int)(sizeof exits / sizeof *exits));
	tcase_add_test(tests, totals);
	tcase_add_test(tests, plan);
	tcase_add_test(tests, words);
	Suite *suite = suite_create("model/result");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
