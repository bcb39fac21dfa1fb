#include "base/buf.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"

enum { ROUNDS = 200, STEPS = 60, MODEL_BYTES = 4096 };

/* What a buffer must hold, in an array that never moves. */
struct model {
	char bytes[MODEL_BYTES];
	size_t len;
};

static void step(struct rng *rng, struct buf *buf, struct model *model)
{
	char text[301] = "";
	size_t len = (size_t)rng_below(rng, sizeof text);
	for (size_t i = 0; i < len; i++)
		text[i] = (char)('a' + rng_below(rng, 26));
	bool fits = model->len + len <= buf->max;
	enum rc rc = RC_OK;
	switch (rng_below(rng, 12)) {
	case 0:
		buf_clear(buf);
		model->len = 0;
		return;
	case 1: rc = buf_print(buf, "%s%s", text, ""); break;
	case 2: rc = buf_text(buf, text); break;
	default: rc = buf_append(buf, slice_from(text, len)); break;
	}
	ck_assert(rc == (fits ? RC_OK : RC_LIMIT));
	if (!fits)
		return;
	memcpy(model->bytes + model->len, text, len);
	model->len += len;
}

/* Any order of appends up to and past the cap leaves what the model has, and never more than the cap. */
START_TEST(like_the_model)
{
	struct rng rng;
	rng_init(&rng, 29, "buf");
	for (int round = 0; round < ROUNDS; round++) {
		struct buf buf;
		struct model model = { .len = 0 };
		buf_init(&buf, (size_t)rng_below(&rng, MODEL_BYTES));
		for (int i = 0; i < STEPS; i++) {
			step(&rng, &buf, &model);
			ck_assert(slice_equal(buf_slice(&buf), slice_from(model.bytes, model.len)));
			ck_assert(!buf.data || buf.data[buf.len] == 0);
			ck_assert(buf.cap <= buf.max + 1);
		}
		buf_release(&buf);
		ck_assert_uint_eq(buf_slice(&buf).len, 0);
	}
}
END_TEST

START_TEST(exactly_the_cap)
{
	struct buf buf;
	buf_init(&buf, 3);
	ck_assert(buf_text(&buf, "abc") == RC_OK);
	ck_assert(buf_text(&buf, "d") == RC_LIMIT);
	ck_assert(buf_print(&buf, "%d", 1) == RC_LIMIT);
	ck_assert(buf_append(&buf, slice_from("", SIZE_MAX)) == RC_LIMIT);
	ck_assert_str_eq((const char *)buf.data, "abc");
	buf_clear(&buf);
	ck_assert(buf_text(&buf, "xyz") == RC_OK);
	ck_assert_str_eq((const char *)buf.data, "xyz");
	buf_release(&buf);
}
END_TEST

static const struct {
	const char *why;
	size_t bytes, cap;
	enum rc rc;
} files[] = {
	{ "an empty file", 0, 10, RC_OK },
	{ "as large as the cap", 200000, 200000, RC_OK },
	{ "a byte larger", 200001, 200000, RC_LIMIT },
};

START_TEST(read_file)
{
	char path[] = "/tmp/buf_test.XXXXXX";
	char *bytes = mem_alloc(files[_i].bytes, 1);
	struct err err = { 0 };
	struct buf buf;
	memset(bytes, 'b', files[_i].bytes);
	int fd = mkstemp(path);
	ck_assert(fd >= 0 && write(fd, bytes, files[_i].bytes) == (ssize_t)files[_i].bytes);
	close(fd);
	buf_init(&buf, files[_i].cap);
	ck_assert_msg(buf_read_file(&buf, path, &err) == files[_i].rc, "%s", files[_i].why);
	if (files[_i].rc == RC_OK)
		ck_assert(slice_equal(buf_slice(&buf), slice_from(bytes, files[_i].bytes)));
	else
		ck_assert_str_eq(err.text, "is larger than 200000 bytes");
	unlink(path);
	buf_clear(&buf);
	ck_assert(buf_read_file(&buf, path, &err) == RC_ENVIRONMENT);
	ck_assert_str_eq(err.where, path);
	buf_release(&buf);
	free(bytes);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("buf");
	tcase_add_test(tests, like_the_model);
	tcase_add_test(tests, exactly_the_cap);
	tcase_add_loop_test(tests, read_file, 0, (int)(sizeof files / sizeof *files));
	Suite *suite = suite_create("base/buf");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
