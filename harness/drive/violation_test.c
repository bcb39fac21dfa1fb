#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "expect/expect.h"
#include "http/framing_violation.h"

/*
 * http/ finds violations and expect/ takes their names, but neither may include the other: here the two lists are held
 * together.
 */
START_TEST(test_every_violation_is_a_word)
{
	const struct framing_violation *row;
	for (size_t i = 0; (row = framing_violation_at(i)); i++) {
		struct err err = { .text = "" };
		cJSON *word = cJSON_CreateString(row->name);
		const struct shape *shape = expectation_find("framing", EXPECT_EXCHANGE)->shape;
		ck_assert_msg(
			shape_check_resolved(shape, word, &err), "%s: %s", row->name, err.text);
		cJSON_Delete(word);
	}
}
END_TEST

static bool is_violation(const char *word)
{
	const struct framing_violation *row;
	for (size_t i = 0; (row = framing_violation_at(i)); i++)
		if (strcmp(row->name, word) == 0)
			return true;
	return false;
}

START_TEST(test_every_word_is_a_violation)
{
	const struct shape *words = expectation_find("framing", EXPECT_EXCHANGE)->shape->choices[0];
	ck_assert_ptr_nonnull(words->words);
	ck_assert_str_eq(words->words[0], "strict");
	for (size_t i = 1; words->words[i]; i++)
		ck_assert_msg(is_violation(words->words[i]), "%s", words->words[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("violation");
	TCase *tc = tcase_create("violation");
	tcase_add_test(tc, test_every_violation_is_a_word);
	tcase_add_test(tc, test_every_word_is_a_violation);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
