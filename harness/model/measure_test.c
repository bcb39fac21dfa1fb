#include <check.h>
#include <stdlib.h>

#include "model/measure.h"

/* Nothing was counted: no percentile may then stand there as 0. */
START_TEST(an_empty_spread_has_a_count_alone)
{
	struct arena *arena = arena_new();
	struct measures m;
	measures_init(&m, arena);
	measures_add_spread(&m, "service", &(struct spread){ 0 });
	ck_assert_uint_eq(m.count, 1);
	ck_assert_double_eq(measures_find(&m, "service.count")->quantity.value, 0);
	ck_assert_ptr_null(measures_find(&m, "service.p50"));
	ck_assert_ptr_null(measures_find(NULL, "service.p50"));
	arena_free(arena);
}
END_TEST

static const struct {
	const char *comparison;
	bool holds, of_raised, of_lowered;
} verdicts[] = {
	{ "<= 20ms", true, true, false },
	{ "<= 20ms", false, false, false },
	{ ">= 5/s", true, false, true },
	{ ">= 5/s", false, false, false },
	{ "5/s..6/s", true, false, false },
	{ "!= 5", true, false, false },
};

START_TEST(what_a_spoil_leaves)
{
	const struct spoil none = { 0 }, either = { "why", SPOIL_EITHER },
			   raised = { "why", SPOIL_RAISED }, lowered = { "why", SPOIL_LOWERED };
	struct comparison c = { 0 };
	bool holds = verdicts[_i].holds;
	ck_assert(comparison_parse(verdicts[_i].comparison, &c, NULL) == RC_OK);
	ck_assert(spoil_leaves(&none, &c, holds));
	ck_assert(!spoil_leaves(&either, &c, holds));
	ck_assert(spoil_leaves(&raised, &c, holds) == verdicts[_i].of_raised);
	ck_assert(spoil_leaves(&lowered, &c, holds) == verdicts[_i].of_lowered);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("measure");
	tcase_add_test(tests, an_empty_spread_has_a_count_alone);
	tcase_add_loop_test(
		tests, what_a_spoil_leaves, 0, (int)(sizeof verdicts / sizeof *verdicts));
	Suite *suite = suite_create("model/measure");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
