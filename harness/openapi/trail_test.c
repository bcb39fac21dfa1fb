#include "openapi/trail.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(short_ones)
{
	char text[64];
	struct trail get = { NULL, TRAIL_WORD, "GET /x", 0 },
		     status = { &get, TRAIL_WORD, "200", 0 };
	struct trail items = { &status, TRAIL_MEMBER, "items", 0 };
	struct trail one = { &items, TRAIL_MEMBER, NULL, 3 },
		     odd = { &one, TRAIL_MEMBER, "a/~b", 0 };
	trail_print(NULL, text, sizeof text);
	ck_assert_str_eq(text, "");
	trail_print(&odd, text, sizeof text);
	ck_assert_str_eq(text, "GET /x 200 /items/3/a~1~0b");
}
END_TEST

/* Both ends of a deep one are told, whatever the room; so are those of one whose segments are long. */
START_TEST(long_ones)
{
	static const size_t SIZES[] = { 64, 100, 600 };
	static const int DEPTHS[] = { 20, 133, 500, 100000 };
	char name[300], text[600];
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = 0;
	const char *names[] = { "property", name };
	for (int i = 0; i < 24; i++) {
		struct arena *arena = arena_new();
		size_t size = SIZES[i % 3];
		const struct trail *trail = trail_add(arena, NULL, TRAIL_WORD, "GET /x");
		for (int depth = DEPTHS[i / 3 % 4]; depth; depth--)
			trail = trail_add(arena, trail, TRAIL_MEMBER, names[i / 12]);
		trail = trail_add(arena, trail, TRAIL_MEMBER, "kind");
		memset(text, '#', sizeof text);
		trail_print(trail, text, size);
		size_t len = strlen(text);
		ck_assert_msg(len < size && len >= 5, "%zu", len);
		ck_assert_msg(strncmp(text, "GET /x", 6) == 0, "%s", text);
		ck_assert_msg(strcmp(text + len - 5, "/kind") == 0, "%s", text);
		ck_assert_msg(strstr(text, " ... ") || (i % 3 == 2 && DEPTHS[i / 3 % 4] == 20),
			"%s", text);
		arena_free(arena);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("trail");
	tcase_add_test(tests, short_ones);
	tcase_add_test(tests, long_ones);
	Suite *suite = suite_create("openapi/trail");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
