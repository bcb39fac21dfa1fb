#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_line.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* Words are apart by '|'. */
static const struct {
	const char *words, *line;
} lines[] = {
	{ "run|--cell|a=x y|cases/a.json", "onus run --cell 'a=x y' cases/a.json" },
	{ "load|-H|Authorization: Basic eDp5|http://h/",
		"onus load -H 'Authorization: ****' http://h/" },
	{ "load|-Hcookie:a=b", "onus load '-Hcookie: ****'" },
	{ "load|--header=Proxy-Authorization:x", "onus load '--header=Proxy-Authorization: ****'" },
	{ "load|--head=COOKIE: a=b", "onus load '--head=COOKIE: ****'" },
	{ "load|--header|Cookie", "onus load --header Cookie" },
	{ "load|-H|Cookies: a", "onus load -H 'Cookies: a'" },
	{ "load|-H|Accept: x", "onus load -H 'Accept: x'" },
	{ "load", "onus load" },
};

START_TEST(a_line)
{
	struct arena *arena = arena_new();
	char *argv[8], *rest = arena_text(arena, lines[_i].words);
	int argc = 0;
	for (char *word; (word = strsep(&rest, "|"));)
		argv[argc++] = word;
	ck_assert_str_eq(command_line(argc, argv, arena), lines[_i].line);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("command_line");
	tcase_add_loop_test(tests, a_line, 0, COUNT(lines));
	Suite *suite = suite_create("cli/command_line");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
