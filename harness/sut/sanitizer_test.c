#include "sut/sanitizer.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define UBSAN "a.c:3:14: runtime error: signed integer overflow"
#define ASAN  "==4711==ERROR: AddressSanitizer: heap-buffer-overflow"

static char long_line[3 * SANITIZER_LINE_BYTES];

static const struct {
	const char *text, *found, *why;
} texts[] = {
	{ "", "", "nothing" },
	{ "starting\n\nlast\n", "", "no report" },
	{ "starting\n" UBSAN "\nlast\n", UBSAN, "one among others" },
	{ "starting\n" UBSAN "\r\nlast\n", UBSAN, "without the CR" },
	{ ASAN "\n" UBSAN "\n", ASAN, "the first of two" },
	{ "x\n" UBSAN, UBSAN, "no line end" },
	{ "x\n" ASAN "\n" UBSAN, ASAN, "the first, though the last has no line end" },
	{ "at " ASAN "\n", "", "not at the start of its line" },
};

/* Every size of chunk finds the same. */
START_TEST(found)
{
	size_t len = strlen(texts[_i].text);
	for (size_t size = 1; size <= len + 1; size++) {
		struct sanitizer_search search = { 0 };
		char text[SANITIZER_TOLD_BYTES];
		for (size_t at = 0; at < len; at += size)
			sanitizer_push(&search, slice_part(slice_of(texts[_i].text), at, size));
		sanitizer_tell(&search, text, sizeof text);
		ck_assert_msg(strcmp(text, texts[_i].found) == 0, "%s, %zu at a time: \"%s\"",
			texts[_i].why, size, text);
	}
}
END_TEST

/* What does not fit is no line of its own, and a report behind it is found. */
START_TEST(lines_of_any_length)
{
	struct sanitizer_search search = { 0 };
	char text[SANITIZER_TOLD_BYTES];
	memset(long_line, 'x', sizeof long_line);
	for (size_t i = 0; i < sizeof long_line; i += 1000)
		sanitizer_push(
			&search, slice_part(slice_from(long_line, sizeof long_line), i, 1000));
	sanitizer_push(&search, slice_of(ASAN "\n"));
	sanitizer_tell(&search, text, sizeof text);
	ck_assert_str_eq(text, "");
	sanitizer_push(&search, slice_of(UBSAN "\n"));
	sanitizer_tell(&search, text, sizeof text);
	ck_assert_str_eq(text, UBSAN);
	sanitizer_tell(&search, text, 6);
	ck_assert_str_eq(text, "a.c:3");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("sanitizer");
	tcase_add_loop_test(tests, found, 0, sizeof texts / sizeof *texts);
	tcase_add_test(tests, lines_of_any_length);
	Suite *suite = suite_create("sut/sanitizer");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
