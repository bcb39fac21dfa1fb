#include "stats/base64.h"

#include <check.h>
#include <stdlib.h>

/* RFC 4648 section 10, and bytes that need the last two characters. */
static const struct {
	const char *bytes, *text;
	size_t len;
} vectors[] = {
	{ "", "", 0 },
	{ "f", "Zg==", 1 },
	{ "fo", "Zm8=", 2 },
	{ "foo", "Zm9v", 3 },
	{ "foob", "Zm9vYg==", 4 },
	{ "fooba", "Zm9vYmE=", 5 },
	{ "foobar", "Zm9vYmFy", 6 },
	{ "\xfb\xff\x00", "+/8A", 3 },
};

START_TEST(both_ways)
{
	struct buf text, bytes;
	buf_init(&text, 100);
	buf_init(&bytes, 100);
	ck_assert(base64_write(&text, slice_from(vectors[_i].bytes, vectors[_i].len)) == RC_OK);
	ck_assert(slice_is(buf_slice(&text), vectors[_i].text));
	ck_assert(base64_read(&bytes, slice_of(vectors[_i].text)) == RC_OK);
	ck_assert(slice_equal(buf_slice(&bytes), slice_from(vectors[_i].bytes, vectors[_i].len)));
	buf_release(&text);
	buf_release(&bytes);
}
END_TEST

static const struct {
	const char *text, *why;
} refused[] = {
	{ "Zg=", "padding is missing" },
	{ "Zg", "no padding" },
	{ "Z===", "six bits are no byte" },
	{ "Zh==", "bits behind the byte" },
	{ "Zm9=", "bits behind two bytes" },
	{ "Zg==Zg==", "padding in the middle" },
	{ "Zm-v", "the alphabet for URLs" },
	{ "Zm9v\n", "a line's end" },
	{ "Zm 9", "a blank" },
	{ "====", "only padding" },
	{ "Z=9v", "padding inside" },
};

START_TEST(refuses)
{
	struct buf bytes;
	buf_init(&bytes, 100);
	ck_assert_msg(base64_read(&bytes, slice_of(refused[_i].text)) == RC_INVALID, "%s",
		refused[_i].why);
	buf_release(&bytes);
}
END_TEST

START_TEST(caps)
{
	struct buf small;
	buf_init(&small, 3);
	ck_assert(base64_write(&small, slice_of("foo")) == RC_LIMIT);
	ck_assert(base64_read(&small, slice_of("Zm9vYmFy")) == RC_LIMIT);
	buf_release(&small);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("base64");
	tcase_add_loop_test(tests, both_ways, 0, sizeof vectors / sizeof *vectors);
	tcase_add_loop_test(tests, refuses, 0, sizeof refused / sizeof *refused);
	tcase_add_test(tests, caps);
	Suite *suite = suite_create("stats/base64");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
