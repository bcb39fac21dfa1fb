#include <check.h>
#include <stdlib.h>

#include "model/measure.h"

/* Names as a load has them: a word with parts, one alone, and one that only begins like another. */
static const struct {
	const char *name, *spoil;
	bool spoiled;
	const char *why;
} rows[] = {
	{ "service.p99", "service", true, "a part of the word" },
	{ "service.count", "service", true, "another part of it" },
	{ "rate", "rate", true, "the name itself" },
	{ "sent", "sen", false, "only the beginning of a name" },
	{ "send_lag.p50", "send", false, "only the beginning of a word" },
	{ "service.p99", "service.p9", false, "only the beginning of a part" },
	{ "service.p99", "response", false, "another word" },
};

START_TEST(spoiling_takes_whole_words)
{
	struct arena *arena = arena_new();
	struct measures m;
	measures_init(&m, arena);
	measures_add(&m, rows[_i].name, (struct quantity){ UNIT_COUNT, 1 }, "a note");
	measures_spoil(&m, rows[_i].spoil, "late");
	const struct measure *one = measures_find(&m, rows[_i].name);
	ck_assert_ptr_nonnull(one);
	ck_assert_msg((one->spoiled != NULL) == rows[_i].spoiled, "%s", rows[_i].why);
	ck_assert_str_eq(one->note, "a note");
	arena_free(arena);
}
END_TEST

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
	tcase_add_loop_test(tests, spoiling_takes_whole_words, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, an_empty_spread_has_a_count_alone);
	Suite *suite = suite_create("model/measure");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
