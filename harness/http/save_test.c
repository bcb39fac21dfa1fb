#include "http/save.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

static struct exchange *new_exchange(struct slice body)
{
	struct arena *arena = arena_new();
	struct exchange *x = arena_alloc(arena, 1, sizeof *x);
	*x = (struct exchange){
		.arena = arena,
		.method = "GET",
		.target = "/a?token=s3cret",
		.origin = "http://127.0.0.1:80",
		.sent = slice_of("GET /a?token=s3cret HTTP/1.1\r\nHost: x\r\n\r\n"),
		.status = 200,
		.head = slice_of("HTTP/1.1 200 OK\r\nSet-Cookie: s3cret-long\r\n\r\n"),
		.failure = FAILURE_NONE,
		.timing = { .start_ns = 1000000, .end_ns = 3500000 },
	};
	static struct violation violation = { "surplus", "behind the end come \"s3cret\"" };
	x->violations = &violation;
	x->violation_count = 1;
	for (size_t i = 0; i < LAYER_COUNT; i++)
		x->layers[i] = (struct layer){ .bytes = body.len, .kept = body, .whole = true };
	return x;
}

/* Saves and reads back; what it returns is the caller's to free. */
static char *saved(struct slice body, const char *const *secrets)
{
	char path[] = "/tmp/save_test.XXXXXX";
	struct err err = { 0 };
	struct buf text;
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	struct exchange *x = new_exchange(body);
	ck_assert_msg(exchange_save(x, path, secrets, &err) == RC_OK, "%s", err.text);
	exchange_free(x);
	buf_init(&text, 1 << 22);
	ck_assert_int_eq(buf_read_file(&text, path, &err), RC_OK);
	unlink(path);
	char *copy = strdup((const char *)text.data);
	buf_release(&text);
	return copy;
}

START_TEST(it_reads_well)
{
	char *text = saved(slice_of("hello"), NULL);
	ck_assert_str_eq(text, "# GET http://127.0.0.1:80/a?token=s3cret\n"
			       "# connection new, end 2.500 ms\n"
			       "# wire 5, dechunked 5, decoded 5 bytes\n"
			       "# violation surplus: behind the end come \"s3cret\"\n"
			       "\n"
			       "GET /a?token=s3cret HTTP/1.1\r\nHost: x\r\n\r\n"
			       "\n"
			       "HTTP/1.1 200 OK\r\nSet-Cookie: s3cret-long\r\n\r\n"
			       "hello\n");
	free(text);
}
END_TEST

START_TEST(secrets_are_masked_everywhere)
{
	static const char *const secrets[] = { "s3cret", "s3cret-long", NULL };
	char *text = saved(slice_of("body s3cret, \1 s3cret-long"), secrets);
	ck_assert_ptr_null(strstr(text, "s3cret"));
	/* The longer one leaves no tail. */
	ck_assert_ptr_null(strstr(text, "-long"));
	ck_assert_ptr_nonnull(strstr(text, "Set-Cookie: ****\r\n"));
	free(text);
}
END_TEST

START_TEST(binary_is_dumped)
{
	char *text = saved(slice_from("\0\x1f~0123456789abcdef", 19), NULL);
	ck_assert_ptr_nonnull(
		strstr(text, "00000000  00 1f 7e 30 31 32 33 34 35 36 37 38 39 61 62 63"
			     "  |..~0123456789abc|\n"));
	ck_assert_ptr_nonnull(strstr(text, "00000010  64 65 66 "));
	free(text);
}
END_TEST

START_TEST(long_bodies_are_cut)
{
	enum { BYTES = SAVE_BODY_BYTES + 3 };
	static const char *const secrets[] = { "SECRET", NULL };
	char *body = malloc(BYTES);
	memset(body, 'x', BYTES);
	/* Across the cut, where half of it would be left. */
	for (size_t i = 0; i < 6; i++)
		body[SAVE_BODY_BYTES - 3 + i] = "SECRET"[i];
	char *text = saved(slice_from(body, BYTES), secrets);
	ck_assert_ptr_null(strstr(text, "SEC"));
	ck_assert_ptr_nonnull(strstr(text, "# ... 65539 bytes in all\n"));
	free(text);
	free(body);
}
END_TEST

START_TEST(what_cannot_be_written_is_told)
{
	struct err err = { 0 };
	struct exchange *x = new_exchange(slice_of("hello"));
	ck_assert_int_eq(exchange_save(x, "/dev/full", NULL, &err), RC_ENVIRONMENT);
	ck_assert_ptr_nonnull(strstr(err.text, "No space left"));
	ck_assert_int_eq(exchange_save(x, "/nonexistent/x.http", NULL, &err), RC_ENVIRONMENT);
	ck_assert_str_eq(err.where, "/nonexistent/x.http");
	exchange_free(x);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("save");
	TCase *tests = tcase_create("save");
	tcase_add_test(tests, it_reads_well);
	tcase_add_test(tests, secrets_are_masked_everywhere);
	tcase_add_test(tests, binary_is_dumped);
	tcase_add_test(tests, long_bodies_are_cut);
	tcase_add_test(tests, what_cannot_be_written_is_told);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
