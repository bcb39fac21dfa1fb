#include "base/digest.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"

#define BLOCK ((size_t)DIGEST_BLOCK_BYTES)

enum { FEW = 20 };

static struct digest of(struct slice bytes)
{
	struct digest d;
	digest_init(&d);
	digest_push(&d, bytes);
	digest_end(&d);
	return d;
}

/* XXH3_128bits of nothing and of "a", as the xxHash project prints them (xxh128sum). */
START_TEST(reference_values)
{
	static const uint8_t right[16] = { 0xa9, 0x6f, 0xaf, 0x70, 0x5a, 0xf1, 0x68, 0x34, 0xe6,
		0xc6, 0x32, 0xb6, 0x1e, 0x96, 0x4e, 0x1f };
	struct digest empty = of(slice_of("")), a = of(slice_of("a"));
	ck_assert_uint_eq(empty.count, 0);
	ck_assert_uint_eq(empty.bytes, 0);
	ck_assert_uint_eq(a.count, 1);
	ck_assert_mem_eq(a.blocks[0], right, sizeof right);
	digest_release(&empty);
	digest_release(&a);
}
END_TEST

static const struct {
	const char *why;
	size_t a, b;    /* lengths; both start alike */
	size_t changed; /* the byte in which b differs, or SIZE_MAX */
	uint64_t differ;
} pairs[] = {
	{ "equal, and not whole blocks", 3 * BLOCK + 5, 3 * BLOCK + 5, SIZE_MAX, UINT64_MAX },
	{ "equal whole blocks", 2 * BLOCK, 2 * BLOCK, SIZE_MAX, UINT64_MAX },
	{ "both empty", 0, 0, SIZE_MAX, UINT64_MAX },
	{ "the first byte", BLOCK + 1, BLOCK + 1, 0, 0 },
	{ "the last byte of a block", 3 * BLOCK, 3 * BLOCK, 2 * BLOCK - 1, BLOCK },
	{ "the first byte of a block", 3 * BLOCK, 3 * BLOCK, 2 * BLOCK, 2 * BLOCK },
	{ "cut at a block's end: its end", 2 * BLOCK, 3 * BLOCK, SIZE_MAX, 2 * BLOCK },
	{ "cut inside a block: its start", 2 * BLOCK + 1, 3 * BLOCK, SIZE_MAX, 2 * BLOCK },
	{ "nothing beside something", 0, 1, SIZE_MAX, 0 },
};

static uint8_t *noise(size_t len)
{
	struct rng rng;
	uint8_t *bytes = mem_alloc(len, 1);
	rng_init(&rng, 11, "digest");
	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)rng_next(&rng);
	return bytes;
}

START_TEST(differ)
{
	uint8_t *bytes = noise(4 * BLOCK);
	struct digest a = of(slice_from(bytes, pairs[_i].a));
	if (pairs[_i].changed != SIZE_MAX)
		bytes[pairs[_i].changed] ^= 1;
	struct digest b = of(slice_from(bytes, pairs[_i].b));
	ck_assert_msg(digest_differ(&a, &b) == pairs[_i].differ, "%s", pairs[_i].why);
	ck_assert_msg(digest_differ(&b, &a) == pairs[_i].differ, "%s, turned round", pairs[_i].why);
	digest_release(&a);
	digest_release(&b);
	free(bytes);
}
END_TEST

START_TEST(any_chunking)
{
	size_t len = 3 * BLOCK + 77;
	uint8_t *bytes = noise(len);
	struct digest whole = of(slice_from(bytes, len));
	struct rng rng;
	rng_init(&rng, 13, "chunks");
	for (int i = 0; i < FEW; i++) {
		struct digest cut;
		struct slice rest = slice_from(bytes, len);
		digest_init(&cut);
		while (rest.len) {
			size_t size = (size_t)rng_below(&rng, i % 2 ? 2 * BLOCK : 5000);
			digest_push(&cut, slice_part(rest, 0, size));
			rest = slice_part(rest, size, SIZE_MAX);
		}
		digest_end(&cut);
		ck_assert(cut.bytes == len);
		ck_assert(digest_differ(&whole, &cut) == UINT64_MAX);
		digest_release(&cut);
	}
	digest_release(&whole);
	free(bytes);
}
END_TEST

START_TEST(files)
{
	char path[] = "/tmp/digest_test.XXXXXX";
	size_t len = 2 * BLOCK + 3;
	uint8_t *bytes = noise(len);
	int fd = mkstemp(path);
	ck_assert(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	close(fd);
	struct digest memory = of(slice_from(bytes, len)), file;
	struct err err = { 0 };
	ck_assert(digest_file(path, &file, &err) == RC_OK);
	ck_assert(digest_differ(&memory, &file) == UINT64_MAX);
	unlink(path);
	digest_release(&file);
	ck_assert(digest_file(path, &file, &err) == RC_ENVIRONMENT);
	ck_assert_str_eq(err.where, path);
	ck_assert_str_eq(err.text, "cannot be opened: No such file or directory");
	digest_release(&file);
	digest_release(&memory);
	free(bytes);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("digest");
	tcase_add_test(tests, reference_values);
	tcase_add_loop_test(tests, differ, 0, (int)(sizeof pairs / sizeof *pairs));
	tcase_add_test(tests, any_chunking);
	tcase_add_test(tests, files);
	Suite *suite = suite_create("base/digest");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
