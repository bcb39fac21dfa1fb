#include "base/words.h"

#include <check.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "base/rng.h"

enum { DRAWS = 20000, TEXT_MAX = 8 };

static const struct {
	const char *why, *a, *b;
	size_t distance;
} distances[] = {
	{ "equal", "headers", "headers", 0 },
	{ "case does not count", "KIB", "KiB", 0 },
	{ "the textbook's pair", "kitten", "sitting", 3 },
	{ "neighbours swapped are one step", "recieve", "receive", 1 },
	{ "no substring is edited twice (optimal string alignment)", "ca", "abc", 3 },
	{ "one letter left out", "headrs", "headers", 1 },
	{ "from nothing", "", "abc", 3 },
	{ "to nothing", "abc", "", 3 },
	{ "nothing at all", "", "", 0 },
};

START_TEST(distance)
{
	ck_assert_msg(words_distance(distances[_i].a, distances[_i].b) == distances[_i].distance,
		"%s", distances[_i].why);
	ck_assert_msg(words_distance(distances[_i].b, distances[_i].a) == distances[_i].distance,
		"%s, turned round", distances[_i].why);
}
END_TEST

START_TEST(same)
{
	ck_assert(words_same("a", "a") && words_same(NULL, NULL));
	ck_assert(!words_same("a", "A") && !words_same("a", NULL) && !words_same(NULL, ""));
}
END_TEST

static const char *const names[] = { "get", "head", "headers", "expect", "repeat", "x" };

static const struct {
	const char *why, *word, *nearest;
} nearests[] = {
	{ "a letter too many", "gett", "get" },
	{ "the other case", "GET", "get" },
	{ "of two, the nearer", "headr", "head" },
	{ "six letters may differ in two", "expext", "expect" },
	{ "three letters may differ in one", "gxx", NULL },
	{ "a single letter may differ in one", "y", "x" },
	{ "nothing is near the empty word but what has one letter", "", "x" },
	{ "a word unlike all", "temperature", NULL },
	{ "never more than three", "abcdefghijexpect", NULL },
};

START_TEST(nearest)
{
	const char *found = words_nearest(nearests[_i].word, names, sizeof names / sizeof *names);
	ck_assert_msg(!found == !nearests[_i].nearest, "%s", nearests[_i].why);
	if (found)
		ck_assert_str_eq(found, nearests[_i].nearest);
}
END_TEST

static const struct {
	const char *why, *pattern, *text;
	bool matches;
} globs[] = {
	{ "without signs, equality", "abc", "abc", true },
	{ "the whole text", "abc", "abcd", false },
	{ "a star also takes slashes", "compression/*", "compression/a/b", true },
	{ "a star takes nothing too", "a*b", "ab", true },
	{ "going back to the star", "*ab", "aab", true },
	{ "two stars", "*/vary*", "compression/vary-tracks-coding", true },
	{ "a question mark is one character", "a?c",
		"a\xc3\xa9"
		"c",
		true },
	{ "and not none", "a?", "a", false },
	{ "a set", "case-[0-9]", "case-7", true },
	{ "not in the set", "case-[0-9]", "case-x", false },
	{ "the opposite of a set", "[!a]b", "ab", false },
	{ "a bracket first in its set", "[]]", "]", true },
	{ "a set without end matches nothing", "[ab", "a", false },
	{ "nothing matches nothing", "", "", true },
	{ "many stars do not take for ever", "*a*a*a*a*a*a*a*a*a*a*b",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
};

START_TEST(glob)
{
	ck_assert_msg(words_glob(globs[_i].pattern, globs[_i].text) == globs[_i].matches, "%s",
		globs[_i].why);
}
END_TEST

static void draw(struct rng *rng, const char *letters, uint64_t count, char text[TEXT_MAX])
{
	size_t length = (size_t)rng_below(rng, TEXT_MAX);
	for (size_t i = 0; i < length; i++)
		text[i] = letters[rng_below(rng, count)];
	text[length] = 0;
}

/* fnmatch(3) is another implementation of the same language, without the sets that never end. */
START_TEST(glob_like_fnmatch)
{
	struct rng rng;
	rng_init(&rng, 7, "glob");
	for (int i = 0; i < DRAWS; i++) {
		char pattern[TEXT_MAX], text[TEXT_MAX];
		draw(&rng, "ab*?/", 5, pattern);
		draw(&rng, "ab/", 3, text);
		ck_assert_msg(words_glob(pattern, text) == (fnmatch(pattern, text, 0) == 0),
			"%s on %s", pattern, text);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("words");
	tcase_add_loop_test(tests, distance, 0, (int)(sizeof distances / sizeof *distances));
	tcase_add_test(tests, same);
	tcase_add_loop_test(tests, nearest, 0, (int)(sizeof nearests / sizeof *nearests));
	tcase_add_loop_test(tests, glob, 0, (int)(sizeof globs / sizeof *globs));
	tcase_add_test(tests, glob_like_fnmatch);
	Suite *suite = suite_create("base/words");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
