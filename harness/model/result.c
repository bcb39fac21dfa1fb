#include "model/result.h"

#include <string.h>

void result_plan(struct run_result *result, const char *id)
{
	size_t width = strlen(id);
	result->planned++;
	if (width > result->id_width)
		result->id_width = width;
}

struct totals result_totals(const struct run_result *result)
{
	struct totals totals = { 0 };
	for (size_t i = 0; i < result->case_count; i++) {
		const struct case_result *one = &result->cases[i];
		totals.passed += one->outcome == OUTCOME_PASSED;
		totals.failed += one->outcome == OUTCOME_FAILED;
		totals.skipped += one->outcome == OUTCOME_SKIPPED;
		totals.errors += one->outcome == OUTCOME_ERROR;
		totals.cells += one->cells;
		totals.checks += one->checks;
		totals.requests += one->requests;
	}
	return totals;
}

static unsigned bit(enum problem_kind kind)
{
	return 1U << kind;
}

static unsigned kinds(const struct problem *problems, size_t count)
{
	unsigned set = 0;
	for (size_t i = 0; i < count; i++)
		set |= bit(problems[i].kind);
	return set;
}

int result_exit(const struct run_result *result)
{
	unsigned problems = kinds(result->problems, result->problem_count);
	bool broken = false;
	for (size_t i = 0; i < result->case_count; i++) {
		const struct case_result *one = &result->cases[i];
		if (one->outcome == OUTCOME_ERROR && !one->problem_count)
			BUG("%s is an error without a problem", one->id);
		problems |= kinds(one->problems, one->problem_count);
		/* What was found before a case could not go on is no less broken. */
		broken |= one->outcome == OUTCOME_FAILED ||
			  (one->outcome == OUTCOME_ERROR && one->finding_count);
	}
	if (problems & bit(PROBLEM_USAGE))
		return 2;
	if (problems & bit(PROBLEM_ENVIRONMENT))
		return 3;
	if (broken)
		return 1;
	if (problems & bit(PROBLEM_FLOOR))
		return 4;
	if (problems & bit(PROBLEM_INVALID))
		return 5;
	bool all_skipped =
		result->case_count && result_totals(result).skipped == result->case_count;
	return all_skipped ? 77 : 0;
}

const char *outcome_word(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_PASSED: return "passed";
	case OUTCOME_FAILED: return "failed";
	case OUTCOME_SKIPPED: return "skipped";
	case OUTCOME_ERROR: return "error";
	}
	BUG("no outcome: %d", (int)outcome);
}

const char *problem_word(enum problem_kind kind)
{
	switch (kind) {
	case PROBLEM_USAGE: return "usage";
	case PROBLEM_ENVIRONMENT: return "environment";
	case PROBLEM_FLOOR: return "floor";
	case PROBLEM_INVALID: return "invalid";
	}
	BUG("no kind of problem: %d", (int)kind);
}
