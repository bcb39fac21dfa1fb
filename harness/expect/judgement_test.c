#include "expect/judgement.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	struct slice bytes;
	const char *quoted, *why;
} quotes[] = {
#define BYTES(text)                                                                                \
	{                                                                                          \
		(const uint8_t *)(text), sizeof(text) - 1                                          \
	}
	{ { NULL, 0 }, "absent", "no bytes at all" },
	{ BYTES(""), "\"\"", "empty" },
	{ BYTES("a\"b\\c"), "\"a\\\"b\\\\c\"", "quotes and backslashes" },
	{ BYTES("\r\n\t\0\x1b\x7f"), "\"\\r\\n\\t\\x00\\x1b\\x7f\"", "control bytes" },
	{ BYTES("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
		"\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"", "UTF-8 stays" },
	{ BYTES("\xe9"), "\"\\xe9\"", "Latin-1 is no UTF-8" },
	{ BYTES("\xc3"), "\"\\xc3\"", "cut off" },
	{ BYTES("\xc0\xaf"), "\"\\xc0\\xaf\"", "overlong" },
	{ BYTES("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"", "a surrogate" },
	{ BYTES("\xf4\x90\x80\x80"), "\"\\xf4\\x90\\x80\\x80\"", "past U+10FFFF" },
	{ BYTES("\xe2\x82x"), "\"\\xe2\\x82x\"", "the third byte is none" },
};

START_TEST(test_quote)
{
	struct arena *arena = arena_new();
	struct judgement j;
	judgement_init(&j, arena, NULL);
	ck_assert_str_eq(judge_quote(&j, quotes[_i].bytes), quotes[_i].quoted);
	arena_free(arena);
}
END_TEST

/* However many bytes there are, what people see stays short, and says how many there were. */
START_TEST(test_long)
{
	enum { TOTAL = 100 * 1000 };
	struct arena *arena = arena_new();
	struct judgement j;
	judgement_init(&j, arena, NULL);
	char *text = arena_alloc(arena, TOTAL + 1, 1);
	memset(text, 0xFF, TOTAL);
	const char *quoted = judge_quote(&j, slice_from(text, TOTAL));
	ck_assert_uint_lt(strlen(quoted), 250);
	ck_assert_ptr_nonnull(strstr(quoted, "\"... (100000 bytes)"));

	/* 1 + 2n bytes: the cut at 397 would fall into a sequence. */
	text[0] = 'x';
	for (size_t i = 1; i + 1 < TOTAL; i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	text[TOTAL - 1] = 0;
	judge_check(&j, false, "/a", "what", text, text + TOTAL - 1);
	ck_assert_uint_le(strlen(j.broken[0].expected), 400);
	ck_assert_uint_ge(strlen(j.broken[0].expected), 396);
	ck_assert_ptr_nonnull(strstr(j.broken[0].expected, "\xc3\xa9..."));
	ck_assert_str_eq(j.broken[0].found, "");
	arena_free(arena);
}
END_TEST

START_TEST(test_counts)
{
	struct arena *arena = arena_new();
	struct judgement j;
	judgement_init(&j, arena, NULL);
	for (int i = 0; i < 100; i++) {
		char pointer[16] = "";
		snprintf(pointer, sizeof pointer, "/%d", i);
		judge_check(&j, i % 2 == 0, pointer, "w", "e", "f");
	}
	judge_finding(&j, "/last", "w", "e", "f");
	ck_assert_uint_eq(j.checks, 100);
	ck_assert_uint_eq(j.broken_count, 51);
	ck_assert_str_eq(j.broken[0].pointer, "/1");
	ck_assert_str_eq(j.broken[49].pointer, "/99");
	ck_assert_str_eq(j.broken[50].pointer, "/last");
	judge_error(&j, "/a", "first %d", 1);
	judge_error(&j, "/b", "second");
	ck_assert(j.has_error);
	ck_assert_str_eq(j.error.where, "/a");
	ck_assert_str_eq(j.error.text, "first 1");
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("judgement");
	TCase *tc = tcase_create("judgement");
	tcase_add_loop_test(tc, test_quote, 0, (int)(sizeof quotes / sizeof *quotes));
	tcase_add_test(tc, test_long);
	tcase_add_test(tc, test_counts);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
