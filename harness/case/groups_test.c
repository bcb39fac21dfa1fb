#include "case/case_testing.h"
#include "case/groups.h"

/* Each group as a letter: "a" applies, "-" does not, "?" may. */
static const char *pattern(struct world *w, const struct group_choices *choices)
{
	char *text = arena_alloc(w->arena, choices->count + 1, 1);
	for (size_t i = 0; i < choices->count; i++) {
		const struct group_choice *choice = &choices->list[i];
		text[i] = 'a';
		if (!choice->applies)
			text[i] = '-';
		else if (choice->unknown)
			text[i] = '?';
	}
	return text;
}

#define GZIP      "{\"when\": {\"accept\": {\"contains\": \"gzip\"}}}"
#define OTHERWISE "{\"when\": \"otherwise\"}"

static const struct {
	const char *accept; /* NULL: not known yet */
	const char *expect, *pattern;
	bool conditional, covered;
	const char *why;
} choices_of[] = {
	{ "\"gzip\"", "{}", "a", false, false, "one object" },
	{ "\"gzip\"", "[{}, " GZIP "]", "aa", true, true, "with and without" },
	{ "\"br\"", "[{}, " GZIP "]", "a-", true, false, "nothing covers this cell" },
	{ "null", "[" GZIP ", " OTHERWISE "]", "-a", true, true, "null contains nothing" },
	{ "\"gzip\"", "[" GZIP ", " OTHERWISE "]", "a-", true, true, "not otherwise" },
	{ "\"gzip\"", "[" OTHERWISE ", " GZIP "]", "-a", true, true, "in any order" },
	{ "\"br\"", "[" GZIP ", " OTHERWISE ", " OTHERWISE "]", "-aa", true, true, "two of them" },
	{ "\"x\"", "[" OTHERWISE "]", "a", true, true, "otherwise alone" },
	{ "\"gzip\"", "[{\"when\": {\"accept\": \"gzip\", \"n\": 1}}]", "a", true, true, "both" },
	{ "\"gzip\"", "[{\"when\": {\"accept\": \"gzip\", \"n\": 2}}]", "-", true, false,
		"one of both" },
	{ "\"gzip\"", "{\"when\": {\"file.name\": \"a.css\"}}", "a", true, true,
		"a dotted name, in an object that is no list" },
	{ "\"gzip\"", "[{\"when\": {\"accept\": \"${accept}\"}}]", "a", true, true,
		"a matcher with a variable" },
	{ NULL, "[{}, " GZIP "]", "a?", true, true, "it may be gzip" },
	{ NULL, "[" GZIP ", " OTHERWISE "]", "??", true, true, "either may hold" },
	{ NULL, "[" GZIP ", {\"when\": {\"n\": 1}}, " OTHERWISE "]", "?a-", true, true,
		"not otherwise, whatever it is" },
	{ NULL, "[{\"when\": {\"accept\": \"gzip\", \"n\": 2}}, " OTHERWISE "]", "-a", true, true,
		"that can't hold, whatever it is" },
};

START_TEST(chosen)
{
	struct world w;
	struct group_choices choices;
	struct err err = { 0 };
	const char *accept = choices_of[_i].accept;
	world_open(&w, accept == NULL);
	world_bind(&w, "{\"n\": 1, \"file\": {\"name\": \"a.css\"}}", BINDING_WRITTEN);
	scope_bind(w.scope, "accept", accept ? tree_of(&w, accept) : NULL, BINDING_WRITTEN);
	enum rc rc = groups_choose(w.scope, tree_of(&w, choices_of[_i].expect), &choices, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", choices_of[_i].why, err.text);
	ck_assert_msg(strcmp(pattern(&w, &choices), choices_of[_i].pattern) == 0, "%s: %s",
		choices_of[_i].why, pattern(&w, &choices));
	ck_assert_msg(choices.conditional == choices_of[_i].conditional, "%s", choices_of[_i].why);
	ck_assert_msg(choices.covered == choices_of[_i].covered, "%s", choices_of[_i].why);
	world_close(&w);
}
END_TEST

START_TEST(nothing_expected)
{
	struct world w;
	struct group_choices choices;
	struct err err = { 0 };
	world_open(&w, false);
	ck_assert(groups_choose(w.scope, NULL, &choices, &err) == RC_OK);
	ck_assert_uint_eq(choices.count, 0);
	ck_assert(!choices.conditional);
	ck_assert(groups_choose(w.scope, tree_of(&w, "[{\"when\": {\"acept\": 1}}]"), &choices,
			  &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "unknown variable \"acept\"");
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("groups");
	tcase_add_loop_test(tests, chosen, 0, COUNT(choices_of));
	tcase_add_test(tests, nothing_expected);
	Suite *suite = suite_create("case/groups");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
