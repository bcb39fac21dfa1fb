#include "base/file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/digest.h"

static char folder[] = "/tmp/file_test.XXXXXX";

static void set_up(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "socket" };
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	FILE *file = fopen("file", "we");
	ck_assert_ptr_nonnull(file);
	fputs("text", file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
	close(fd);
	ck_assert_int_eq(symlink("file", "link"), 0);
}

static void tear_down(void)
{
	static const char *const made[] = { "file", "pipe", "socket", "link" };
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		ck_assert_int_eq(unlink(made[i]), 0);
	ck_assert_int_eq(rmdir(folder), 0);
}

#define NOT "is not a file but "

static const struct {
	const char *path, *text; /* text: NULL where it is opened */
} files[] = {
	{ "file", NULL },
	{ "link", NULL },
	{ "/dev/null", NULL },
	{ "/proc/self/stat", NULL },
	{ "pipe", NOT "a pipe" },
	{ "socket", NOT "a socket or a device" },
	{ ".", NOT "a folder" },
	{ "/dev/zero", NOT "a device" },
	{ "/dev/ptmx", NOT "a device" },
	{ "none", "cannot be opened: No such file or directory" },
};

/* None of them waits: Check ends a test that does. */
START_TEST(opened)
{
	struct err err = { 0 };
	int fd = -1;
	enum rc rc = file_open(files[_i].path, &fd, &err);
	ck_assert_msg((rc == RC_OK) == !files[_i].text, "%s: %s", files[_i].path, err.text);
	if (rc == RC_OK) {
		ck_assert_int_eq(close(fd), 0);
		return;
	}
	ck_assert_int_eq(rc, RC_ENVIRONMENT);
	ck_assert_str_eq(err.where, files[_i].path);
	ck_assert_str_eq(err.text, files[_i].text);
}
END_TEST

START_TEST(whoever_reads_a_whole_file)
{
	struct err err = { 0 };
	struct digest digest;
	struct buf buf;
	buf_init(&buf, 100);
	ck_assert_int_eq(buf_read_file(&buf, "pipe", &err), RC_ENVIRONMENT);
	ck_assert_str_eq(err.text, NOT "a pipe");
	ck_assert_int_eq(buf_read_file(&buf, "/dev/null", &err), RC_OK);
	ck_assert_uint_eq(buf.len, 0);
	ck_assert_int_eq(buf_read_file(&buf, "link", &err), RC_OK);
	ck_assert(slice_is(buf_slice(&buf), "text"));
	buf_release(&buf);
	err = (struct err){ 0 };
	ck_assert_int_eq(digest_file("pipe", &digest, &err), RC_ENVIRONMENT);
	ck_assert_str_eq(err.text, NOT "a pipe");
	digest_release(&digest);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("file");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_loop_test(tests, opened, 0, sizeof files / sizeof *files);
	tcase_add_test(tests, whoever_reads_a_whole_file);
	Suite *suite = suite_create("base/file");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
