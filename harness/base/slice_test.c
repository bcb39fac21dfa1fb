#include "base/slice.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { DRAWS = 20000, TEXT_MAX = 12 };

static const struct {
	const char *why, *text;
	size_t start, len;
	const char *part;
} parts[] = {
	{ "the middle", "abcdef", 2, 3, "cde" },
	{ "to the end", "abcdef", 4, SIZE_MAX, "ef" },
	{ "more than there is", "abcdef", 4, 9, "ef" },
	{ "starts at the end", "abc", 3, 1, "" },
	{ "starts behind the end", "abc", 9, 1, "" },
	{ "of nothing", "", 0, 5, "" },
};

START_TEST(part)
{
	struct slice s = slice_part(slice_of(parts[_i].text), parts[_i].start, parts[_i].len);
	ck_assert_msg(slice_is(s, parts[_i].part), "%s", parts[_i].why);
}
END_TEST

static const struct {
	const char *why, *a, *b;
	bool equal, nocase, starts; /* the latter: a starts with b */
} pairs[] = {
	{ "the same", "Vary", "Vary", true, true, true },
	{ "another case", "Vary", "vARY", false, true, false },
	{ "the shorter starts the longer", "Content-Type", "Content", false, false, true },
	{ "the longer does not start the shorter", "Content", "Content-Type", false, false, false },
	{ "nothing starts everything", "x", "", false, false, true },
	{ "nothing and nothing", "", "", true, true, true },
	{ "bytes beside the letters have no case", "[", "{", false, false, false },
	{ "nor have letters beyond ASCII", "\xc3\x89", "\xc3\xa9", false, false, false },
};

START_TEST(equality)
{
	struct slice a = slice_of(pairs[_i].a), b = slice_of(pairs[_i].b);
	ck_assert_msg(slice_equal(a, b) == pairs[_i].equal, "%s", pairs[_i].why);
	ck_assert_msg(slice_is(a, pairs[_i].b) == pairs[_i].equal, "%s", pairs[_i].why);
	ck_assert_msg(slice_equal_nocase(a, b) == pairs[_i].nocase, "%s", pairs[_i].why);
	ck_assert_msg(slice_is_nocase(a, pairs[_i].b) == pairs[_i].nocase, "%s", pairs[_i].why);
	ck_assert_msg(slice_starts(a, pairs[_i].b) == pairs[_i].starts, "%s", pairs[_i].why);
}
END_TEST

START_TEST(absent_and_empty)
{
	ck_assert_ptr_null(slice_of(NULL).ptr);
	ck_assert_ptr_nonnull(slice_of("").ptr);
	ck_assert(slice_is(slice_of(NULL), ""));
	ck_assert(!slice_equal(slice_from("a\0b", 3), slice_from("a\0c", 3)));
	ck_assert_ptr_null(slice_part(slice_of(NULL), 1, 1).ptr);
}
END_TEST

static const struct {
	const char *why, *text, *trimmed;
} trims[] = {
	{ "both ends", " \t a b\t ", "a b" },
	{ "nothing to do", "ab", "ab" },
	{ "only spaces", " \t ", "" },
	{ "line ends are no OWS", "\r\n", "\r\n" },
	{ "nothing", "", "" },
};

START_TEST(trim)
{
	ck_assert_msg(slice_is(slice_trim(slice_of(trims[_i].text)), trims[_i].trimmed), "%s",
		trims[_i].why);
}
END_TEST

static const struct {
	const char *why, *text;
	uint64_t max;
	bool valid;
	uint64_t number;
} numbers[] = {
	{ "plain", "4096", UINT64_MAX, true, 4096 },
	{ "zero", "0", 0, true, 0 },
	{ "leading zeros", "007", 7, true, 7 },
	{ "the largest", "18446744073709551615", UINT64_MAX, true, UINT64_MAX },
	{ "one more", "18446744073709551616", UINT64_MAX, false, 0 },
	{ "a digit more", "184467440737095516150", UINT64_MAX, false, 0 },
	{ "up to max", "599", 599, true, 599 },
	{ "past max", "600", 599, false, 0 },
	{ "a digit past a small max", "5", 4, false, 0 },
	{ "nothing", "", UINT64_MAX, false, 0 },
	{ "a sign", "+1", UINT64_MAX, false, 0 },
	{ "negative", "-1", UINT64_MAX, false, 0 },
	{ "a space", "1 ", UINT64_MAX, false, 0 },
	{ "hexadecimal", "1f", UINT64_MAX, false, 0 },
};

START_TEST(number)
{
	uint64_t n = 0;
	bool valid = slice_number(slice_of(numbers[_i].text), numbers[_i].max, &n);
	ck_assert_msg(valid == numbers[_i].valid, "%s", numbers[_i].why);
	ck_assert_msg(n == numbers[_i].number, "%s: %" PRIu64, numbers[_i].why, n);
}
END_TEST

static const struct {
	const char *why, *text;
	size_t count;
	const char *parts[4];
} cuts[] = {
	{ "three", "a,b,c", 3, { "a", "b", "c" } },
	{ "empty in the middle", "a,,b", 3, { "a", "", "b" } },
	{ "empty at the start", ",a", 2, { "", "a" } },
	{ "without the byte", "abc", 1, { "abc" } },
	{ "nothing gives nothing", "", 0, { 0 } },
	{ "the byte at the end ends the last part", "a,", 1, { "a" } },
};

START_TEST(next)
{
	struct slice rest = slice_of(cuts[_i].text), cut;
	size_t count = 0;
	for (; slice_next(&rest, ',', &cut); count++) {
		ck_assert_msg(count < cuts[_i].count, "%s", cuts[_i].why);
		ck_assert_msg(slice_is(cut, cuts[_i].parts[count]), "%s", cuts[_i].why);
	}
	ck_assert_msg(count == cuts[_i].count, "%s", cuts[_i].why);
}
END_TEST

/* strstr and strchr are the other implementation. */
START_TEST(find_like_libc)
{
	struct rng rng;
	rng_init(&rng, 23, "find");
	for (int i = 0; i < DRAWS; i++) {
		char text[TEXT_MAX + 1] = "", what[4] = "";
		for (size_t j = 0, n = (size_t)rng_below(&rng, TEXT_MAX); j < n; j++)
			text[j] = "ab"[rng_below(&rng, 2)];
		for (size_t j = 0, n = (size_t)rng_below(&rng, 4); j < n; j++)
			what[j] = "ab"[rng_below(&rng, 2)];
		const char *right = strstr(text, what), *byte = strchr(text, 'b');
		ck_assert(slice_find(slice_of(text), slice_of(what)) ==
			  (right ? (size_t)(right - text) : SIZE_MAX));
		ck_assert(slice_find_byte(slice_of(text), 'b') ==
			  (byte ? (size_t)(byte - text) : SIZE_MAX));
	}
	ck_assert(slice_find_byte(slice_of(NULL), 0) == SIZE_MAX);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("slice");
	tcase_add_loop_test(tests, part, 0, (int)(sizeof parts / sizeof *parts));
	tcase_add_loop_test(tests, equality, 0, (int)(sizeof pairs / sizeof *pairs));
	tcase_add_test(tests, absent_and_empty);
	tcase_add_loop_test(tests, trim, 0, (int)(sizeof trims / sizeof *trims));
	tcase_add_loop_test(tests, number, 0, (int)(sizeof numbers / sizeof *numbers));
	tcase_add_loop_test(tests, next, 0, (int)(sizeof cuts / sizeof *cuts));
	tcase_add_test(tests, find_like_libc);
	Suite *suite = suite_create("base/slice");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
