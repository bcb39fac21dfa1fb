#include <limits.h>
#include <sys/stat.h>

#include "case/case_testing.h"

#define SUITE "{\"sut\": {\"command\": [\"x\"]}}"
#define T     "{\"title\": \"t\", "

START_TEST(everything)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		T
		"\"why\": \"w\", \"tags\": [\"a\", \"b\"], \"headers\": {\"H\": \"1\"},"
		" \"requires\": [{\"command\": \"c\", \"version\": \">= 2\"}, {\"sut\": \"owned\"}],"
		" \"sut\": {\"env\": {}}, \"variables\": {\"v\": 1}, \"matrix\": {\"m\": [1]},"
		" \"floor\": {\"cells\": 1}, \"steps\": [\"/x\", {\"group\": [{\"head\": \"/y\","
		" \"name\": \"n\", \"expect\": {\"time.total\": \"< 1s\"}}]}]}");
	const struct case_file *c = w.one;
	ck_assert_str_eq(c->title, "t");
	ck_assert_str_eq(c->why, "w");
	ck_assert_uint_eq(c->tag_count, 2);
	ck_assert_str_eq(c->tags[1], "b");
	ck_assert_uint_eq(c->require_count, 2);
	ck_assert_str_eq(c->requires[0].command, "c");
	ck_assert_str_eq(c->requires[0].version, ">= 2");
	ck_assert_ptr_null(c->requires[0].sut);
	ck_assert_str_eq(c->requires[1].sut, "owned");
	ck_assert(c->sut && c->variables && c->matrix && c->floor && c->headers && !c->suts);
	ck_assert(!c->has_catches && !c->catch_count && !c->must_fail_count);
	ck_assert(c->needs_sut);
	ck_assert_uint_eq(c->step_count, 2);
	const struct step *get = &c->steps[0], *group = &c->steps[1];
	ck_assert_int_eq(get->verb, VERB_REQUEST);
	ck_assert_str_eq(get->word, "get");
	ck_assert_str_eq(get->subject->valuestring, "/x");
	ck_assert_str_eq(get->place.pointer, "/steps/0");
	ck_assert_int_eq(group->verb, VERB_GROUP);
	ck_assert_uint_eq(group->step_count, 1);
	ck_assert_ptr_eq(group->steps[0].outer, group);
	ck_assert_str_eq(group->steps[0].word, "head");
	ck_assert_str_eq(group->steps[0].name, "n");
	ck_assert_str_eq(group->steps[0].place.pointer, "/steps/1/group/0");
	ck_assert(group->steps[0].alone && !group->alone && !get->alone);
	world_close(&w);
}
END_TEST

static const struct {
	const char *catches;
	size_t count, pointers;
	const char *fault, *pointer, *why;
} forms[] = {
	{ "[\"a\", \"b\"]", 2, 0, "b", NULL, "a list: any finding will do" },
	{ "{\"a\": \"/steps/0\"}", 1, 1, "a", "/steps/0", "one pointer" },
	{ "{\"x\": \"/steps/0\", \"a\": [\"/steps/0/expect\", \"/steps/0/within\"]}", 2, 2, "a",
		"/steps/0/within", "several pointers" },
	{ "[]", 0, 0, NULL, NULL, "none, which `why` accounts for" },
};

START_TEST(catches)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		arena_print(w.arena, T "\"why\": \"w\", \"catches\": %s, \"steps\": [\"/\"]}",
			forms[_i].catches));
	const struct case_file *c = w.one;
	ck_assert(c->has_catches);
	ck_assert_msg(c->catch_count == forms[_i].count, "%s", forms[_i].why);
	if (c->catch_count) {
		const struct catch *last = &c->catches[c->catch_count - 1];
		ck_assert_str_eq(last->fault, forms[_i].fault);
		ck_assert_uint_eq(last->pointer_count, forms[_i].pointers);
		if (forms[_i].pointers)
			ck_assert_str_eq(
				last->pointers[last->pointer_count - 1], forms[_i].pointer);
	}
	world_close(&w);
}
END_TEST

static const struct {
	const char *steps;
	bool needs_sut;
	const char *why;
} needs[] = {
	{ "[\"/\"]", true, "a request" },
	{ "[{\"raw\": [\"GET\"]}]", true, "raw" },
	{ "[{\"exec\": [\"true\"]}]", false, "a command" },
	{ "[{\"exec\": [\"curl\", \"${sut.url}\"]}]", true, "a command that speaks of it" },
	{ "[{\"exec\": [\"cat\"], \"input\": \"${files}\"}]", true, "in any option" },
	{ "[{\"exec\": [\"echo\", \"${seed}\"]}]", false, "other names" },
	{ "[{\"refuses\": {\"env\": {\"A\": 1}}}]", false, "one that must not start" },
	{ "[{\"group\": [{\"pause\": \"1ms\", \"why\": \"w\"}, {\"group\": [\"/\"]}]}]", true,
		"deep inside" },
};

START_TEST(needs_a_sut)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE, arena_print(w.arena, T "\"steps\": %s}", needs[_i].steps));
	ck_assert_msg(w.one->needs_sut == needs[_i].needs_sut, "%s", needs[_i].why);
	world_close(&w);
}
END_TEST

/* `to` of the step, else of the nearest group, else of the case. */
START_TEST(nearest_to)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		T "\"suts\": {\"a\": {}, \"b\": {}, \"c\": {}}, \"to\": \"a\", \"steps\": [\"/\","
		  " {\"to\": \"b\", \"group\": [\"/\", {\"get\": \"/\", \"to\": \"c\"},"
		  " {\"group\": [\"/\"]}]}]}");
	const struct step *group = &w.one->steps[1];
	ck_assert_str_eq(w.one->steps[0].to, "a");
	ck_assert_str_eq(group->steps[0].to, "b");
	ck_assert_str_eq(group->steps[1].to, "c");
	ck_assert_str_eq(group->steps[2].steps[0].to, "b");
	world_close(&w);
}
END_TEST

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
}

static const struct {
	const char *suite, *path, *id, *why;
} ids[] = {
	{ "cases/suite.json", "cases/x/one.json", "x/one", "below the suite's folder" },
	{ "cases/suite.json", "./cases/x/one.json", "x/one", "written another way" },
	{ "./cases/suite.json", "cases/x/one.json", "x/one", "the suite, too" },
	{ "cases/suite.json", "cases//x/../x/one.json", "x/one", "by way of .." },
	{ "cases/suite.json", "%s/cases/x/one.json", "x/one", "an absolute path" },
	{ "%s/cases/suite.json", "cases/x/one.json", "x/one", "an absolute suite" },
	{ "cases/suite.json", "cases/two.jsonc", "two", "the other ending" },
	{ "cases/suite.json", "three.json", "three", "outside" },
	{ "cases/suite.json", "./three.json", "three", "outside, from here" },
	{ "cases/suite.json", "cases/x/../../three.json", "three", "outside, by way of .." },
	{ "cases/x/suite.json", "cases/two.jsonc", "cases/two", "above the suite" },
	{ "cases/x/suite.json", "cases/xy/four.json", "cases/xy/four", "a folder of like name" },
	{ NULL, "cases/x/one.json", "cases/x/one", "no suite" },
	{ "suite.json", "cases/x/one.json", "cases/x/one", "a suite beside" },
};

START_TEST(named)
{
	char folder[] = "/tmp/load_test.XXXXXX", real[PATH_MAX];
	static const char *const FOLDERS[] = { "cases", "cases/x", "cases/xy" };
	static const char *const SUITES[] = { "suite.json", "cases/suite.json",
		"cases/x/suite.json" };
	static const char *const CASES[] = { "three.json", "cases/two.jsonc", "cases/x/one.json",
		"cases/xy/four.json" };
	struct world w;
	struct errors errors = { 0 };
	world_open(&w, false);
	ck_assert(mkdtemp(folder) && realpath(folder, real) && chdir(folder) == 0);
	for (int i = 0; i < COUNT(FOLDERS); i++)
		ck_assert_int_eq(mkdir(FOLDERS[i], 0700), 0);
	for (int i = 0; i < COUNT(SUITES); i++)
		write_file(SUITES[i], SUITE);
	for (int i = 0; i < COUNT(CASES); i++)
		write_file(CASES[i], T "\"steps\": [\"/\"]}");
	for (int i = 0; i < COUNT(ids); i++) {
		char suite_path[2 * PATH_MAX], path[2 * PATH_MAX];
		struct suite *suite;
		struct case_file *one;
		const char *written = ids[i].suite;
		bool below = written && written[0] == '%';
		snprintf(suite_path, sizeof suite_path, "%s%s", below ? real : "",
			below     ? written + 2
			: written ? written
				  : "");
		below = ids[i].path[0] == '%';
		snprintf(path, sizeof path, "%s%s", below ? real : "",
			ids[i].path + (below ? 2 : 0));
		ck_assert(suite_load(written ? suite_path : NULL, &suite, &errors) == RC_OK);
		ck_assert(case_load(path, suite, &one, &errors) == RC_OK);
		ck_assert_msg(strcmp(one->id, ids[i].id) == 0, "%s: %s", ids[i].why, one->id);
		ck_assert_str_eq(one->path, path);
		case_free(one);
		suite_free(suite);
	}
	for (int i = COUNT(CASES); i-- > 0;)
		unlink(CASES[i]);
	for (int i = COUNT(SUITES); i-- > 0;)
		unlink(SUITES[i]);
	for (int i = COUNT(FOLDERS); i-- > 0;)
		rmdir(FOLDERS[i]);
	ck_assert_int_eq(rmdir(folder), 0);
	world_close(&w);
}
END_TEST

START_TEST(not_there)
{
	struct world w;
	struct errors errors = { 0 };
	world_open(&w, false);
	ck_assert(suite_load("/no/such/suite.json", &w.suite, &errors) == RC_USAGE);
	ck_assert_uint_eq(errors.count, 1);
	ck_assert_str_eq(errors.list[0].place.file, "/no/such/suite.json");
	ck_assert(case_load("/no/such/case.json", w.suite, &w.one, &errors) == RC_USAGE);
	ck_assert_ptr_null(w.one);
	ck_assert_uint_eq(errors.count, 2);
	errors_release(&errors);
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load");
	tcase_add_test(tests, everything);
	tcase_add_loop_test(tests, catches, 0, COUNT(forms));
	tcase_add_loop_test(tests, needs_a_sut, 0, COUNT(needs));
	tcase_add_test(tests, nearest_to);
	tcase_add_test(tests, named);
	tcase_add_test(tests, not_there);
	Suite *suite = suite_create("case/load");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
