#include "sut/output.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct output output;
static struct arena *arena;

static void set_up(void)
{
	struct err err = { 0 };
	arena = arena_new();
	ck_assert_int_eq(output_open(&output, NULL, &err), RC_OK);
}

static void tear_down(void)
{
	output_close(&output);
	arena_free(arena);
}

static void append(const char *text)
{
	ck_assert_int_eq(write(output.fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* As printed by programs built with gcc 12's and clang 14's sanitizers, by Go 1.19 and by valgrind 3.19. */
static const struct {
	const char *line;
	bool report;
	const char *why;
} reports[] = {
	{ "==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000011", true,
		"ASan" },
	{ "==4711==ERROR: LeakSanitizer: detected memory leaks", true, "LSan" },
	{ "==4711==WARNING: MemorySanitizer: use-of-uninitialized-value", true, "MSan" },
	{ "WARNING: ThreadSanitizer: data race (pid=4711)", true, "TSan" },
	{ "AddressSanitizer:DEADLYSIGNAL", true, "ASan at a SIGSEGV" },
	{ "UndefinedBehaviorSanitizer:DEADLYSIGNAL", true, "UBSan at a SIGSEGV" },
	{ "a.c:3:14: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented",
		true, "UBSan" },
	{ "<unknown>: runtime error: load of null pointer", true,
		"UBSan without debug information" },
	{ "panic: runtime error: index out of range [3] with length 3", false, "Go's own words" },
	{ "==4711== Invalid read of size 4", false, "valgrind is no sanitizer" },
	{ "==4711== ERROR SUMMARY: 1 errors from 1 contexts", false, "valgrind's summary" },
	{ "see ==1==ERROR: AddressSanitizer in the log", false, "not at the start of the line" },
	{ "====ERROR: AddressSanitizer: x", false, "no process id" },
};

START_TEST(finds_a_sanitizers_report)
{
	append("starting\n");
	append(reports[_i].line);
	append("\r\nlast\n");
	const char *found = output_sanitizer(&output, arena);
	ck_assert_msg((found != NULL) == reports[_i].report, "%s", reports[_i].why);
	if (found)
		ck_assert_str_eq(found, reports[_i].line);
}
END_TEST

START_TEST(tells_only_what_came_after_it_was_opened)
{
	char path[] = "/tmp/output_test.XXXXXX", text[256] = "";
	struct err err = { 0 };
	int fd = mkstemp(path);
	struct output second;
	ck_assert_int_eq(write(fd, "EADDRINUSE\n", 11), 11);
	ck_assert_int_eq(output_open(&second, path, &err), RC_OK);
	ck_assert_int_eq(write(second.fd, "new", 3), 3);
	ck_assert(!output_port_taken(&second));
	ck_assert(slice_is(output_tail(&second, arena), "new"));
	output_last_lines(&second, text, sizeof text);
	ck_assert_str_eq(text, "\n  | new");
	output_close(&second);
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(keeps_the_last_mebibyte)
{
	char line[] = "0123456789abcde\n";
	for (int i = 0; i < 2 * OUTPUT_KEPT_BYTES / 16; i++)
		append(line);
	append("end");
	struct slice tail = output_tail(&output, arena);
	ck_assert_uint_eq(tail.len, OUTPUT_KEPT_BYTES);
	ck_assert(slice_is(slice_part(tail, 0, 14), "3456789abcde\n0"));
	ck_assert(slice_is(slice_part(tail, tail.len - 5, 5), "e\nend"));
}
END_TEST

START_TEST(cuts_lines_as_they_come)
{
	static struct lines lines;
	struct slice line;
	lines_init(&lines, output.fd, 0);
	ck_assert(!lines_next(&lines, &line));
	append("one\n\ntw");
	ck_assert(lines_next(&lines, &line) && slice_is(line, "one"));
	ck_assert(lines_next(&lines, &line) && slice_is(line, ""));
	ck_assert_msg(!lines_next(&lines, &line), "half a line is not given out");
	append("o\r\nrest");
	ck_assert(lines_next(&lines, &line) && slice_is(line, "two"));
	ck_assert(!lines_next(&lines, &line));
	ck_assert(lines_rest(&lines, &line) && slice_is(line, "rest"));
	ck_assert(!lines_rest(&lines, &line));
}
END_TEST

START_TEST(cuts_a_line_without_end_into_pieces)
{
	static struct lines lines;
	struct slice line;
	for (int i = 0; i < 2 * LINE_MAX_BYTES / 8; i++)
		append("abcdefgh");
	append("\n");
	lines_init(&lines, output.fd, 0);
	ck_assert(lines_next(&lines, &line) && line.len == LINE_MAX_BYTES);
	ck_assert(lines_next(&lines, &line) && line.len == LINE_MAX_BYTES);
	ck_assert(slice_starts(line, "abcdefgh"));
	ck_assert(lines_next(&lines, &line) && line.len == 0);
	ck_assert(!lines_next(&lines, &line));
}
END_TEST

START_TEST(shows_the_last_lines_within_its_room)
{
	char text[32] = "x";
	append("1\n2\n3\n\n4\n5\n6\x1b[31m\n7");
	char all[256] = "";
	output_last_lines(&output, all, sizeof all);
	ck_assert_str_eq(all, "\n  | 3\n  | 4\n  | 5\n  | 6?[31m\n  | 7");
	output_last_lines(&output, text, sizeof text);
	ck_assert_str_eq(text, "x\n  | 3\n  | 4\n  | 5\n  | 6?[31m\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("output");
	TCase *tests = tcase_create("output");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, finds_a_sanitizers_report, 0, sizeof reports / sizeof *reports);
	tcase_add_test(tests, tells_only_what_came_after_it_was_opened);
	tcase_add_test(tests, keeps_the_last_mebibyte);
	tcase_add_test(tests, cuts_lines_as_they_come);
	tcase_add_test(tests, cuts_a_line_without_end_into_pieces);
	tcase_add_test(tests, shows_the_last_lines_within_its_room);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
