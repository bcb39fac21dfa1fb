#include "case/case_testing.h"
#include "case/settings.h"

#define SUITE                                                                                      \
	"{\"sut\": {\"command\": [\"gateway\"], \"root\": \"web\", \"env\": {\"A\": 1, \"B\": 2}," \
	" \"files\": {\"x.conf\": \"/etc/passwd\"}},"                                              \
	" \"roots\": {\"web\": \"/usr\", \"tmp\": \"/tmp\", \"none\": \"/no/such\"},"              \
	" \"profiles\": {\"front\": {\"command\": [\"haproxy\", \"-f\"], \"env\": {\"P\": \"p\"}}}}"
#define CASE(settings)                                                                             \
	"{\"title\": \"t\", " settings ", \"catches\": [], \"why\": \"w\","                        \
	" \"steps\": [{\"exec\": [\"true\"]}]}"

static const struct {
	const char *settings, *variant, *over, *merged, *why;
} merges[] = {
	{ "\"tags\": []", NULL, NULL,
		"{\"command\":[\"gateway\"],\"root\":\"web\",\"env\":{\"A\":1,\"B\":2},"
		"\"files\":{\"x.conf\":\"/etc/passwd\"}}",
		"the suite's" },
	{ "\"sut\": {\"env\": {\"B\": null, \"C\": \"${root}\"}, \"root\": \"tmp\"}", NULL, NULL,
		"{\"command\":[\"gateway\"],\"env\":{\"A\":1,\"B\":null,\"C\":\"${root}\"},"
		"\"files\":{\"x.conf\":\"/etc/passwd\"},\"root\":\"tmp\"}",
		"env by name, root replaced, variables as written" },
	{ "\"sut\": {\"args\": [\"-a\"], \"files\": {\"y.conf\": \"/etc/group\"}}", NULL,
		"{\"args\": [\"-b\"]}",
		"{\"command\":[\"gateway\",\"-a\",\"-b\"],\"root\":\"web\",\"env\":{\"A\":1,\"B\":2},"
		"\"files\":{\"x.conf\":\"/etc/passwd\",\"y.conf\":\"/etc/group\"}}",
		"args are appended, refuses last" },
	{ "\"sut\": {\"env\": {\"A\": 5}}, \"suts\": {\"one\": {\"env\": {\"A\": 6}}}", "one",
		"{\"env\": {\"A\": 7, \"D\": 1}}",
		"{\"command\":[\"gateway\"],\"root\":\"web\",\"files\":{\"x.conf\":\"/etc/passwd\"},"
		"\"env\":{\"B\":2,\"A\":7,\"D\":1}}",
		"three layers" },
	{ "\"sut\": {\"profile\": \"front\", \"args\": [\"cfg\"]}", NULL, NULL,
		"{\"command\":[\"haproxy\",\"-f\",\"cfg\"],\"env\":{\"P\":\"p\"},"
		"\"profile\":\"front\"}",
		"a profile takes the place of the suite's" },
};

START_TEST(merged)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE, arena_print(w.arena, CASE("%s"), merges[_i].settings));
	cJSON *over = merges[_i].over ? tree_of(&w, merges[_i].over) : NULL;
	cJSON *settings = settings_merge(w.suite, w.one, merges[_i].variant, over);
	ck_assert_msg(json_equal(settings, tree_of(&w, merges[_i].merged)), "%s: %s",
		merges[_i].why, text_of(&w, settings));
	cJSON_Delete(settings);
	world_close(&w);
}
END_TEST

static const struct {
	const char *settings, *path, *text, *why;
} roots[] = {
	{ "{\"root\": \"web\"}", "/usr", NULL, "one of the suite's" },
	{ "{\"root\": \"/usr/./bin/..\"}", "/usr", NULL, "a path, made absolute" },
	{ "{\"root\": \"${name}\"}", "/tmp", NULL, "a variable" },
	{ "{}", NULL, "no root is set for this SUT", "none" },
	{ "{\"root\": \"none\"}", NULL, "root \"/no/such\": No such file or directory",
		"the suite's is not there" },
	{ "{\"root\": \"/etc/passwd\"}", NULL, "root \"/etc/passwd\" is not a folder", "a file" },
};

START_TEST(root)
{
	struct world w;
	struct err err = { 0 };
	const char *path = NULL;
	world_open(&w, false);
	world_load_sound(&w, SUITE, CASE("\"tags\": []"));
	world_bind(&w, "{\"name\": \"tmp\"}", BINDING_WRITTEN);
	enum rc rc = settings_root(w.scope, w.suite, tree_of(&w, roots[_i].settings), &path, &err);
	ck_assert_msg(rc == (roots[_i].path ? RC_OK : RC_USAGE), "%s: %s", roots[_i].why, err.text);
	if (roots[_i].path)
		ck_assert_str_eq(path, roots[_i].path);
	else
		ck_assert_str_eq(err.text, roots[_i].text);
	world_close(&w);
}
END_TEST

START_TEST(paths)
{
	struct world w;
	struct err err = { 0 };
	const char *path = NULL;
	world_open(&w, false);
	world_load_sound(&w, SUITE, CASE("\"sut\": {\"root\": \"/etc\"}"));
	ck_assert(
		settings_path(w.scope, w.suite, w.one, NULL, "root:passwd", &path, &err) == RC_OK);
	ck_assert_str_eq(path, "/etc/passwd");
	ck_assert(settings_path(w.scope, w.suite, w.one, NULL, "root:nobody", &path, &err) ==
		  RC_USAGE);
	ck_assert_str_eq(
		err.text, "\"root:nobody\" stands for /etc/nobody: No such file or directory");
	ck_assert(settings_path(w.scope, w.suite, w.one, NULL, "root:", &path, &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "\"root:\" stands for /etc/, which is not a file");
	w.one->path = "/usr/cases/a.json";
	ck_assert_str_eq(settings_beside(w.arena, w.one, "b.png"), "/usr/cases/b.png");
	w.one->path = "a.json";
	ck_assert_str_eq(settings_beside(w.arena, w.one, "b.png"), "b.png");
	ck_assert(settings_path(w.scope, w.suite, w.one, NULL, "file:no/such", &path, &err) ==
		  RC_USAGE);
	world_close(&w);
}
END_TEST

/* Lint does not know where a root is that an answer brings. */
START_TEST(not_known_yet)
{
	struct world w;
	struct err err = { 0 };
	const char *path = "";
	world_open(&w, true);
	world_load_sound(&w, SUITE, CASE("\"tags\": []"));
	world_bind(&w, "{\"later\": null}", BINDING_RECEIVED);
	ck_assert(settings_root(w.scope, w.suite, tree_of(&w, "{\"root\": \"${later}\"}"), &path,
			  &err) == RC_OK);
	ck_assert_ptr_null(path);
	world_close(&w);
}
END_TEST

START_TEST(profiles)
{
	struct world w;
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		CASE("\"sut\": {\"profile\": \"front\"}, \"suts\": {\"one\": {}, \"two\": {}}"));
	ck_assert_str_eq(settings_profile(w.one, NULL), "front");
	ck_assert_str_eq(settings_profile(w.one, "two"), "front");
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("settings");
	tcase_add_loop_test(tests, merged, 0, COUNT(merges));
	tcase_add_loop_test(tests, root, 0, COUNT(roots));
	tcase_add_test(tests, paths);
	tcase_add_test(tests, not_known_yet);
	tcase_add_test(tests, profiles);
	Suite *suite = suite_create("case/settings");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
