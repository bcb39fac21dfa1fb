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

int main(void)
{
	TCase *tests = tcase_create("measure");
	tcase_add_test(tests, an_empty_spread_has_a_count_alone);
	Suite *suite = suite_create("model/measure");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
