#include "case/case_testing.h"
#include "case/steps.h"

/* The manual's table, `onus list steps` and the schema are made from the rows. */
START_TEST(rows_are_complete)
{
	const struct step_kind *row = step_kind_at((size_t)_i);
	ck_assert(row->word && row->word[0]);
	ck_assert_msg(row->help && row->help[0], "%s", row->word);
	ck_assert_msg(row->help[strlen(row->help) - 1] != '.', "%s", row->word);
	ck_assert_str_eq(row->variant.verb, row->word);
	ck_assert_msg(row->verb < VERB_COUNT, "%s", row->word);
	ck_assert_ptr_eq(step_kind_find(row->word), row);
	bool own = false;
	for (const struct shape_key *key = row->variant.shape->keys; key->name; key++) {
		ck_assert_msg(key->shape != NULL, "%s %s", row->word, key->name);
		ck_assert_msg(key->help && key->help[0], "%s %s", row->word, key->name);
		own = own || (strcmp(key->name, row->word) == 0 && key->required);
	}
	ck_assert_msg(own, "%s is no key of its own shape", row->word);
}
END_TEST

static int row_count(void)
{
	int count = 0;
	while (step_kind_at((size_t)count))
		count++;
	return count;
}

static bool lists_use(const cJSON *lists, const char *word);

static bool uses(const cJSON *steps, const char *word)
{
	const cJSON *step;
	cJSON_ArrayForEach (step, steps)
		if (json_get(step, word) || uses(json_get(step, "group"), word) ||
			uses(json_get(step, "steps"), word) ||
			lists_use(json_get(step, "parallel"), word))
			return true;
	return false;
}

static bool lists_use(const cJSON *lists, const char *word)
{
	const cJSON *list;
	cJSON_ArrayForEach (list, lists)
		if (uses(list, word))
			return true;
	return false;
}

/* Every verb stands in some case of the suite, or nobody has seen it work. */
START_TEST(every_verb_is_in_a_case)
{
	const struct step_kind *row = step_kind_at((size_t)_i);
	const char *const folder[] = { "cases" };
	struct arena *arena = arena_new();
	struct err err = { 0 };
	const char **files;
	size_t count;
	bool used = false;
	ck_assert_msg(case_find(folder, 1, arena, &files, &count, &err) == RC_OK, "%s", err.text);
	for (size_t i = 0; i < count && !used; i++) {
		struct json *json;
		struct errors errors = { 0 };
		ck_assert(json_read_file(files[i], JSON_RELAXED, &json, &errors) == RC_OK);
		used = uses(json_get(json_root(json), "steps"), row->word);
		json_free(json);
		errors_release(&errors);
	}
	ck_assert_msg(used, "no case of %zu uses %s", count, row->word);
	arena_free(arena);
}
END_TEST

static const struct {
	const char *node, *word, *method;
} kinds[] = {
	{ "\"/x\"", "get", "GET" },
	{ "{\"get\": \"/\"}", "get", "GET" },
	{ "{\"name\": \"n\", \"delete\": \"/\"}", "delete", "DELETE" },
	{ "{\"options\": \"*\"}", "options", "OPTIONS" },
	{ "{\"request\": \"/\", \"method\": \"REPORT\"}", "request", "REPORT" },
	{ "{\"patch\": \"/\"}", "patch", "PATCH" },
	{ "{\"pause\": \"1s\"}", "pause", NULL },
};

START_TEST(kinds_and_methods)
{
	struct world w;
	world_open(&w, false);
	cJSON *node = tree_of(&w, kinds[_i].node);
	const struct step_kind *kind = step_kind_of(node);
	ck_assert_ptr_nonnull(kind);
	ck_assert_str_eq(kind->word, kinds[_i].word);
	const struct step step = { .word = kind->word, .node = node };
	if (kinds[_i].method)
		ck_assert_str_eq(step_method(&step), kinds[_i].method);
	world_close(&w);
}
END_TEST

START_TEST(unknown_kinds)
{
	struct world w;
	world_open(&w, false);
	ck_assert_ptr_null(step_kind_of(tree_of(&w, "{\"gett\": \"/\"}")));
	ck_assert_ptr_null(step_kind_of(tree_of(&w, "5")));
	ck_assert_ptr_null(step_kind_of(tree_of(&w, "[\"get\"]")));
	ck_assert_ptr_null(step_kind_find("GET"));
	ck_assert_ptr_null(step_kind_at((size_t)row_count()));
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("steps");
	tcase_add_loop_test(tests, rows_are_complete, 0, row_count());
	tcase_add_loop_test(tests, every_verb_is_in_a_case, 0, row_count());
	tcase_add_loop_test(tests, kinds_and_methods, 0, COUNT(kinds));
	tcase_add_test(tests, unknown_kinds);
	Suite *suite = suite_create("case/steps");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
