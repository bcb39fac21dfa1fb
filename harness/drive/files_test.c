#include <fcntl.h>
#include <sys/stat.h>

#include "drive/drive_testing.h"

static const struct {
	const char *output;
	size_t lines;
	const char *tail, *why;
} tails[] = {
	{ "", 3, NULL, "nothing" },
	{ "\n\r\n", 3, NULL, "only line ends" },
	{ "one", 3, "one", "no line end" },
	{ "one\ntwo\n", 3, "one\ntwo", "fewer" },
	{ "one\ntwo\nthree\n", 2, "two\nthree", "the last ones" },
	{ "one\ntwo\nthree\n\n\n", 1, "three", "empty ones at the end don't count" },
	{ "one\n\nthree", 2, "\nthree", "in between they do" },
};

START_TEST(tail)
{
	struct arena *arena = arena_new();
	const char *text = files_tail(arena, slice_of(tails[_i].output), tails[_i].lines);
	if (tails[_i].tail)
		ck_assert_pstr_eq(text, tails[_i].tail);
	else
		ck_assert_msg(!text, "%s: %s", tails[_i].why, text);
	arena_free(arena);
}
END_TEST

/* One line without an end takes no more than 4 KiB. */
START_TEST(long_line)
{
	struct arena *arena = arena_new();
	char *output = arena_alloc(arena, 100001, 1);
	memset(output, 'x', 100000);
	ck_assert_uint_eq(strlen(files_tail(arena, slice_of(output), 3)), 4096);
	arena_free(arena);
}
END_TEST

/* Links are removed, not what they lead to; what is not there is no reason to complain. */
START_TEST(removed)
{
	char folder[] = "/tmp/files_test.XXXXXX", kept[] = "/tmp/files_test.XXXXXX";
	ck_assert(mkdtemp(folder) && mkdtemp(kept) && chdir(folder) == 0);
	ck_assert_int_eq(mkdir("a", 0700), 0);
	ck_assert_int_eq(mkdir("a/b", 0700), 0);
	ck_assert_int_eq(symlink(kept, "a/b/link"), 0);
	int fd = open("a/file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
	files_remove(folder);
	ck_assert_int_eq(access(folder, F_OK), -1);
	ck_assert_int_eq(access(kept, F_OK), 0);
	files_remove(folder);
	ck_assert_int_eq(rmdir(kept), 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("files");
	tcase_add_loop_test(tests, tail, 0, COUNT(tails));
	tcase_add_test(tests, long_line);
	tcase_add_test(tests, removed);
	Suite *suite = suite_create("drive/files");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
