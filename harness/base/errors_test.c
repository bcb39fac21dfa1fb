#include "base/errors.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char *printed(struct errors *errors)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	errors_print(errors, out);
	fclose(out);
	return text;
}

START_TEST(in_the_order_of_lines)
{
	struct errors errors = { 0 };
	errors_add(&errors, (struct place){ "b.json", 1, 1, "" }, RC_USAGE, "last");
	errors_add(&errors, (struct place){ "a.json", 12, 3, "/steps/0" }, RC_USAGE, "third");
	errors_add(&errors, (struct place){ "a.json", 4, 9, "/steps" }, RC_LIMIT, "second %d", 2);
	errors_add(&errors, (struct place){ "a.json", 4, 2, NULL }, RC_USAGE, "first");
	errors_add(&errors, (struct place){ .file = "a.json" }, RC_USAGE, "cannot be read");
	char *text = printed(&errors);
	ck_assert_str_eq(text, "a.json: cannot be read\n"
			       "a.json:4:2: first\n"
			       "a.json:4:9: /steps: second 2\n"
			       "a.json:12:3: /steps/0: third\n"
			       "b.json:1:1: last\n");
	ck_assert(errors.list[2].rc == RC_LIMIT);
	free(text);
	errors_release(&errors);
	ck_assert_uint_eq(errors.count, 0);
}
END_TEST

/* The place's strings may be gone by the time of printing. */
START_TEST(outlive_the_document)
{
	struct errors errors = { 0 };
	char file[] = "a.json", pointer[] = "/x";
	errors_add(&errors, (struct place){ file, 1, 2, pointer }, RC_USAGE, "wrong");
	memset(file, '?', sizeof file - 1);
	memset(pointer, '?', sizeof pointer - 1);
	char *text = printed(&errors);
	ck_assert_str_eq(text, "a.json:1:2: /x: wrong\n");
	free(text);
	errors_release(&errors);
}
END_TEST

/* Names and texts are the case's: they drive no terminal, turn no text and pass for no line of ours. */
START_TEST(readable_whatever_it_holds)
{
	struct errors errors = { 0 };
	errors_add(&errors, (struct place){ "a\x1b[2J.json", 1, 2, "/x\ny" }, RC_USAGE,
		"found \"%s\"", "\xe2\x80\xae\xff\nb.json:1:1: fine");
	char *text = printed(&errors);
	ck_assert_str_eq(text,
		"a\\x1b[2J.json:1:2: /x\\ny: found \"\\xe2\\x80\\xae\\xff\\nb.json:1:1:"
		" fine\"\n");
	free(text);
	errors_release(&errors);
}
END_TEST

static const struct {
	const char *part;
	int times, printed_bytes;
	const char *why;
} pointers[] = {
	{ "/a", 100, 200, "as long as may be" },
	{ "/a", 101, 98 + 4 + 100, "cut" },
	{ "/a", 2000, 98 + 4 + 100, "no longer however deep" },
	{ "/0123456789012345678901234567890123456789", 10, 82 + 4 + 82, "at a slash" },
};

START_TEST(long_pointers_are_cut_in_the_middle)
{
	struct errors errors = { 0 };
	char pointer[4096] = "";
	for (int i = 0; i < pointers[_i].times; i++)
		strcat(pointer, pointers[_i].part);
	errors_add(&errors, (struct place){ "a.json", 1, 2, pointer }, RC_USAGE, "x");
	char *text = printed(&errors);
	size_t around = strlen("a.json:1:2: ") + strlen(": x\n");
	ck_assert_msg((int)(strlen(text) - around) == pointers[_i].printed_bytes, "%s: %s",
		pointers[_i].why, text);
	ck_assert_ptr_nonnull(strstr(text, pointers[_i].part));
	free(text);
	errors_release(&errors);
}
END_TEST

START_TEST(no_more_than_the_cap)
{
	struct errors errors = { 0 };
	for (int i = 0; i < ERRORS_MAX + 7; i++)
		errors_add(
			&errors, (struct place){ "a.json", i + 1, 1, "" }, RC_USAGE, "no. %d", i);
	ck_assert_uint_eq(errors.count, ERRORS_MAX);
	ck_assert_uint_eq(errors.dropped, 7);
	char *text = printed(&errors);
	ck_assert_ptr_nonnull(strstr(text, "a.json:100:1: no. 99\nand 7 more\n"));
	free(text);
	errors_release(&errors);
}
END_TEST

START_TEST(nothing_wrong)
{
	struct errors errors = { 0 };
	char *text = printed(&errors);
	ck_assert_str_eq(text, "");
	free(text);
	errors_release(&errors);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("errors");
	tcase_add_test(tests, in_the_order_of_lines);
	tcase_add_test(tests, outlive_the_document);
	tcase_add_test(tests, no_more_than_the_cap);
	tcase_add_test(tests, readable_whatever_it_holds);
	tcase_add_loop_test(
		tests, long_pointers_are_cut_in_the_middle, 0, sizeof pointers / sizeof *pointers);
	tcase_add_test(tests, nothing_wrong);
	Suite *suite = suite_create("base/errors");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
