#include "base/err.h"

#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

START_TEST(set)
{
	struct err err = { .where = "old", .text = "old" };
	ck_assert(
		err_set(&err, RC_LIMIT, "a.json:4:9", "expected %d, found %s", 3, "4") == RC_LIMIT);
	ck_assert_str_eq(err.where, "a.json:4:9");
	ck_assert_str_eq(err.text, "expected 3, found 4");
	ck_assert(err_set(&err, RC_CLOSED, NULL, "gone") == RC_CLOSED);
	ck_assert_str_eq(err.where, "");
	/* Who does not care for the words passes NULL. */
	ck_assert(err_set(NULL, RC_TIMEOUT, "x", "y") == RC_TIMEOUT);
	ck_assert(err_errno(NULL, RC_TIMEOUT, "x", "y") == RC_TIMEOUT);
}
END_TEST

START_TEST(with_errno)
{
	struct err err = { 0 };
	errno = ENOENT;
	ck_assert(err_errno(&err, RC_ENVIRONMENT, "file", "cannot be %s", "opened") ==
		  RC_ENVIRONMENT);
	ck_assert_str_eq(err.text, "cannot be opened: No such file or directory");
}
END_TEST

START_TEST(long_text_is_cut)
{
	struct err err = { 0 };
	char text[4096];
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = 0;
	errno = ENOENT;
	ck_assert(err_errno(&err, RC_INVALID, text, "%s", text) == RC_INVALID);
	ck_assert_uint_eq(strlen(err.where), sizeof err.where - 1);
	ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
}
END_TEST

START_TEST(memory)
{
	char *text = mem_print("%s-%d", "a", 7), *copy = mem_text(text);
	ck_assert_str_eq(copy, "a-7");
	ck_assert_ptr_ne(copy, text);
	free(text);
	free(copy);
	uint32_t *numbers = mem_alloc(100, sizeof *numbers);
	for (size_t i = 0; i < 100; i++)
		ck_assert_uint_eq(numbers[i], 0);
	numbers[99] = 5;
	numbers = mem_grow(numbers, 100000, sizeof *numbers);
	ck_assert_uint_eq(numbers[99], 5);
	free(numbers);
	/* Nothing still gives a pointer that can be freed. */
	void *nothing = mem_alloc(0, 8);
	ck_assert_ptr_nonnull(nothing);
	free(nothing);
}
END_TEST

/* AddressSanitizer has an allocator, and an end, of its own. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define OWN_ALLOCATOR 1
#endif
#elif defined __SANITIZE_ADDRESS__
#define OWN_ALLOCATOR 1
#endif
#ifndef OWN_ALLOCATOR
/* Half of all addresses is more than there is. */
START_TEST(out_of_memory)
{
	volatile size_t count = SIZE_MAX / 4;
	void *got = _i ? mem_grow(NULL, count, 2) : mem_alloc(count, 2);
	free(got);
}
END_TEST
#endif

START_TEST(bug_aborts)
{
	BUG("of %s", "purpose");
}
END_TEST

START_TEST(overflow_aborts)
{
	free(mem_grow(NULL, SIZE_MAX / 2, 4));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("err");
	tcase_add_test(tests, set);
	tcase_add_test(tests, with_errno);
	tcase_add_test(tests, long_text_is_cut);
	tcase_add_test(tests, memory);
#ifndef OWN_ALLOCATOR
	tcase_add_loop_exit_test(tests, out_of_memory, 3, 0, 2);
#endif
	tcase_add_test_raise_signal(tests, bug_aborts, SIGABRT);
	tcase_add_test_raise_signal(tests, overflow_aborts, SIGABRT);
	Suite *suite = suite_create("base/err");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
