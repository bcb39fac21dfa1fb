#include "http/coding.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "http/coding_vectors.h"
#include "http/limits.h"

#define V(name) vector_##name, sizeof vector_##name

struct row {
	const char *why, *codings;
	const uint8_t *bytes;
	size_t len;
	const char *text;  /* decoded */
	const char *error; /* a part of it, or NULL */
};

static const struct row rows[] = {
	{ "gzip", "gzip", V(gzip), VECTOR_TEXT, NULL },
	{ "RFC 9110 section 8.4.1.3: the old name", "x-gzip", V(gzip), VECTOR_TEXT, NULL },
	{ "names are without case", "GZIP", V(gzip), VECTOR_TEXT, NULL },
	{ "RFC 1952 section 2.2: members, one of them empty", "gzip", V(gzip_members), VECTOR_TEXT,
		NULL },
	{ "extra field, name and header checksum", "gzip", V(gzip_fields), VECTOR_TEXT, NULL },
	{ "an empty member", "gzip", V(gzip_empty), "", NULL },
	{ "deflate as the RFC has it", "deflate", V(zlib), VECTOR_TEXT, NULL },
	{ "deflate as some servers have it", "deflate", V(raw_deflate), VECTOR_TEXT, NULL },
	{ "brotli", "br", V(br), VECTOR_TEXT, NULL },
	{ "brotli of nothing", "br", V(br_empty), "", NULL },
	{ "zstd", "zstd", V(zstd), VECTOR_TEXT, NULL },
	{ "zstd frames", "zstd", V(zstd_frames), VECTOR_TEXT, NULL },
	{ "zstd of nothing", "zstd", V(zstd_empty), "", NULL },
	{ "the last named was applied last", "gzip, br", V(gzip_br), VECTOR_TEXT, NULL },
	{ "twice", "gzip,gzip", V(gzip_gzip), VECTOR_TEXT, NULL },
	{ "identity and empty elements do nothing", "identity, ,gzip", V(gzip), VECTOR_TEXT, NULL },
	{ "the wrong order", "br, gzip", V(gzip_br), "", "not a gzip stream at byte" },
	{ "no coding", "frob", V(gzip), "", "\"frob\" is no coding" },
	{ "too many", "br,br,br,br,br", V(br), "", "more than 4" },
	{ "text in place of gzip", "gzip", (const uint8_t *)"hello", 5, "", "not a gzip stream" },
	{ "text in place of deflate", "deflate", (const uint8_t *)"hello", 5, "",
		"not a deflate stream" },
	{ "text in place of br", "br", (const uint8_t *)"hello, world", 12, NULL, "br stream" },
	{ "text in place of zstd", "zstd", (const uint8_t *)"hello", 5, "", "not a zstd stream" },
	{ "nothing in place of gzip", "gzip", (const uint8_t *)"", 0, "", "no bytes" },
	{ "nothing in place of deflate", "deflate", (const uint8_t *)"", 0, "", "no bytes" },
	{ "nothing in place of br", "br", (const uint8_t *)"", 0, "", "no bytes" },
	{ "nothing in place of zstd", "zstd", (const uint8_t *)"", 0, "", "no bytes" },
	{ "one byte of deflate", "deflate", V(br_empty), "", "cut behind byte 1" },
	{ "a bomb in brotli", "br", V(br_bomb), NULL, "bomb" },
	{ "a bomb in zstd", "zstd", V(zstd_bomb), NULL, "bomb" },
	{ "a bomb in gzip twice", "gzip, gzip", V(gzip_gzip_bomb), NULL, "bomb" },
};

static void keep(void *self, struct slice bytes)
{
	struct buf *out = self;
	ck_assert_int_eq(buf_append(out, bytes), RC_OK);
}

/* Pushes in pieces; the text of the error, or "". */
static enum rc decode(
	const struct row *row, size_t len, size_t piece, struct buf *out, struct err *err)
{
	struct coding *coding = coding_new(row->codings, keep, out, err);
	if (!coding)
		return RC_INVALID;
	enum rc rc = RC_OK;
	for (size_t at = 0; at < len && rc == RC_OK; at += piece) {
		size_t size = piece < len - at ? piece : len - at;
		void *copy = malloc(size);
		memcpy(copy, row->bytes + at, size);
		rc = coding_push(coding, slice_from(copy, size), err);
		free(copy);
	}
	if (rc == RC_OK)
		rc = coding_end(coding, err);
	coding_free(coding);
	return rc;
}

static void check_row(const struct row *row, size_t piece)
{
	struct buf out;
	struct err err = { 0 };
	buf_init(&out, 64 << 20);
	enum rc rc = decode(row, row->len, piece, &out, &err);
	if (row->error)
		ck_assert_msg(rc != RC_OK && strstr(err.text, row->error), "%s: rc %d, %s",
			row->why, rc, err.text);
	else
		ck_assert_msg(rc == RC_OK, "%s in pieces of %zu: %s", row->why, piece, err.text);
	if (row->text)
		ck_assert_msg(slice_is(buf_slice(&out), row->text), "%s: %.*s", row->why,
			SLICE_PRINT(buf_slice(&out)));
	buf_release(&out);
}

START_TEST(table_holds)
{
	check_row(&rows[_i], SIZE_MAX / 2);
	check_row(&rows[_i], 1);
	check_row(&rows[_i], 7);
}
END_TEST

static const struct row whole[] = {
	{ "gzip", "gzip", V(gzip), NULL, NULL },
	{ "gzip with fields", "gzip", V(gzip_fields), NULL, NULL },
	{ "zlib", "deflate", V(zlib), NULL, NULL },
	{ "raw deflate", "deflate", V(raw_deflate), NULL, NULL },
	{ "br", "br", V(br), NULL, NULL },
	{ "zstd", "zstd", V(zstd), NULL, NULL },
	{ "gzip in br", "gzip, br", V(gzip_br), NULL, NULL },
};

START_TEST(every_cut_is_told)
{
	const struct row *row = &whole[_i];
	for (size_t len = 0; len < row->len; len++) {
		struct buf out;
		struct err err = { 0 };
		buf_init(&out, 1 << 20);
		enum rc rc = decode(row, len, 3, &out, &err);
		ck_assert_msg(rc == RC_INVALID, "%s cut at %zu", row->why, len);
		ck_assert_msg(strstr(err.text, len ? "cut" : "no bytes"), "%s cut at %zu: %s",
			row->why, len, err.text);
		buf_release(&out);
	}
}
END_TEST

START_TEST(garbage_behind_is_told)
{
	const struct row *row = &whole[_i];
	uint8_t bytes[256];
	struct row longer = *row;
	memcpy(bytes, row->bytes, row->len);
	for (size_t i = 0; i < 7; i++)
		bytes[row->len + i] = "garbage"[i];
	longer.bytes = bytes;
	static const size_t pieces[] = { 1000, 1 };
	for (size_t i = 0; i < 2; i++) {
		struct buf out;
		struct err err = { 0 };
		buf_init(&out, 1 << 20);
		enum rc rc = decode(&longer, row->len + 7, pieces[i], &out, &err);
		ck_assert_msg(rc == RC_INVALID, "%s", row->why);
		/* zstd takes what follows for a frame. */
		ck_assert_msg(strstr(err.text, "follows") || strstr(err.text, "zstd"), "%s: %s",
			row->why, err.text);
		buf_release(&out);
	}
}
END_TEST

START_TEST(flipped_bits_are_told)
{
	/* The checksums of gzip and zlib see every change of the data. */
	for (size_t at = 20; at < sizeof vector_gzip; at++) {
		uint8_t bytes[sizeof vector_gzip];
		struct row row = { "flipped", "gzip", bytes, sizeof bytes, NULL, NULL };
		struct buf out;
		struct err err = { 0 };
		memcpy(bytes, vector_gzip, sizeof bytes);
		bytes[at] ^= 0x10;
		buf_init(&out, 1 << 20);
		ck_assert_int_eq(decode(&row, sizeof bytes, 1000, &out, &err), RC_INVALID);
		buf_release(&out);
	}
}
END_TEST

START_TEST(magic_numbers)
{
	ck_assert_str_eq(coding_magic(slice_from(V(gzip))), "gzip");
	ck_assert_str_eq(coding_magic(slice_from(V(zstd))), "zstd");
	ck_assert_str_eq(coding_magic(slice_from(V(zlib))), "zlib");
	ck_assert_ptr_null(coding_magic(slice_of(VECTOR_TEXT)));
	ck_assert_ptr_null(coding_magic(slice_of("x^2")));
	ck_assert_ptr_null(coding_magic(slice_of("")));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("coding");
	TCase *tests = tcase_create("coding");
	tcase_add_loop_test(tests, table_holds, 0, sizeof rows / sizeof *rows);
	tcase_add_loop_test(tests, every_cut_is_told, 0, sizeof whole / sizeof *whole);
	tcase_add_loop_test(tests, garbage_behind_is_told, 0, sizeof whole / sizeof *whole);
	tcase_add_test(tests, flipped_bits_are_told);
	tcase_add_test(tests, magic_numbers);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
