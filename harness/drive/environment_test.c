#include "drive/drive_testing.h"
#include "drive/spec.h"

/* Expected: the names of onus's own that are set here (PATH, HOME), then those of env. */
static const struct {
	const char *env, *fault, *list, *why;
} environments[] = {
	{ NULL, NULL, "PATH=/bin HOME=/root", "nothing but a few names" },
	{ "{\"A\": \"1\", \"B\": 2, \"C\": true, \"D\": \"\"}", NULL,
		"PATH=/bin HOME=/root A=1 B=2 C=true D=", "texts, numbers, bools, empty" },
	{ "{\"A\": null, \"HOME\": null}", NULL, "PATH=/bin",
		"null unsets, also what is inherited" },
	{ "{\"PATH\": \"/x\"}", NULL, "HOME=/root PATH=/x", "set anew, once" },
	{ "{\"A\": [1, {\"b\": null}]}", NULL, "PATH=/bin HOME=/root A=[1,{\"b\":null}]",
		"a list is handed over as JSON" },
	{ "{\"A\": 1}", "slow", "PATH=/bin HOME=/root A=1 FAULT=slow", "a fault" },
	{ "{\"FAULT\": \"own\", \"A\": 1}", "slow", "PATH=/bin HOME=/root A=1 FAULT=slow",
		"a fault takes the place of the case's" },
	{ "{\"FAULT\": \"own\"}", NULL, "PATH=/bin HOME=/root FAULT=own", "without one it stays" },
};

START_TEST(made)
{
	struct arena *arena = arena_new();
	struct err err = { 0 };
	const char *text = environments[_i].env;
	clearenv();
	setenv("PATH", "/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("ONUS_SECRET_SETTING", "1", 1);
	setenv("FAULT", "of somebody's shell", 1);
	cJSON *env = text ? json_parse(slice_of(text), &err) : NULL;
	const char *const *list = spec_environment(arena, env, "FAULT", environments[_i].fault);
	const char *found = "";
	for (size_t i = 0; list[i]; i++)
		found = arena_print(arena, "%s%s%s", found, i ? " " : "", list[i]);
	ck_assert_msg(
		strcmp(found, environments[_i].list) == 0, "%s: %s", environments[_i].why, found);
	cJSON_Delete(env);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("environment");
	tcase_add_loop_test(tests, made, 0, COUNT(environments));
	Suite *suite = suite_create("drive/environment");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
