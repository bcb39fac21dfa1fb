#include "case/case_testing.h"
#include "case/option.h"

static const struct {
	const char *step, *key, *value, *text, *why;
} options[] = {
	{ "{\"get\": \"/\", \"within\": \"2s\"}", "within", "\"2s\"", NULL, "as written" },
	{ "{\"get\": \"/\", \"within\": \"${t}\"}", "within", "\"150ms\"", NULL, "a variable" },
	{ "{\"get\": \"/\"}", "within", "nothing", NULL, "not there" },
	{ "\"/\"", "within", "nothing", NULL, "a text has no options" },
	{ "{\"get\": \"/\", \"within\": \"${n}\"}", "within", NULL,
		"within: expected a duration such as \"150ms\", found 3",
		"its form is checked again" },
	{ "{\"post\": \"/\", \"json\": {\"a\": \"${n}\"}}", "json", "{\"a\":3}", NULL, "a tree" },
	{ "{\"get\": \"/\", \"repeat\": \"${n}\"}", "repeat", "3", NULL, "a count" },
	{ "{\"raw\": [\"${t}\", {\"pause\": \"${n}ms\"}]}", "raw",
		"[\"150ms\",{\"pause\":\"3ms\"}]", NULL, "a list" },
	{ "{\"get\": \"/\", \"within\": \"${m}\"}", "within", NULL, "unknown variable \"m\"",
		"unknown" },
};

/* A step as load.c would read it, but for what does not matter here. */
static struct step step_of(struct world *w, const char *text)
{
	const cJSON *node = tree_of(w, text);
	const char *word = cJSON_IsObject(node) ? node->child->string : "get";
	return (struct step){ .word = word, .node = node };
}

START_TEST(got)
{
	struct world w;
	cJSON *value;
	struct err err = { 0 };
	world_open(&w, false);
	world_bind(&w, "{\"n\": 3, \"t\": \"150ms\", \"other-names-here\": 1}", BINDING_WRITTEN);
	struct step step = step_of(&w, options[_i].step);
	enum rc rc = option_get(w.scope, &step, options[_i].key, &value, &err);
	ck_assert_msg(
		rc == (options[_i].value ? RC_OK : RC_USAGE), "%s: %s", options[_i].why, err.text);
	if (options[_i].value)
		ck_assert_str_eq(text_of(&w, value), options[_i].value);
	else
		ck_assert_msg(strncmp(err.text, options[_i].text, strlen(options[_i].text)) == 0,
			"%s", err.text);
	world_close(&w);
}
END_TEST

START_TEST(durations_and_counts)
{
	struct world w;
	struct err err = { 0 };
	int64_t ns;
	size_t count;
	world_open(&w, false);
	struct step step = step_of(&w, "{\"get\": \"/\", \"within\": \"1.5s\", \"repeat\": 7}");
	ck_assert(option_duration(w.scope, &step, "within", 1, &ns, &err) == RC_OK);
	ck_assert_int_eq(ns, 1500000000);
	ck_assert(option_duration(w.scope, &step, "retry", 42, &ns, &err) == RC_OK);
	ck_assert_int_eq(ns, 42);
	ck_assert(option_count(w.scope, &step, "repeat", 1, &count, &err) == RC_OK);
	ck_assert_uint_eq(count, 7);
	step = step_of(&w, "{\"get\": \"/\", \"repeat\": 1e300}");
	ck_assert(option_count(w.scope, &step, "repeat", 1, &count, &err) == RC_OK);
	ck_assert_uint_eq(count, 1000000000);
	step = step_of(&w, "\"/\"");
	ck_assert(option_count(w.scope, &step, "repeat", 1, &count, &err) == RC_OK);
	ck_assert_uint_eq(count, 1);
	world_close(&w);
}
END_TEST

/* Lint checks the form as soon as all of it is known. */
START_TEST(not_known_yet)
{
	struct world w;
	struct err err = { 0 };
	cJSON *value;
	world_open(&w, true);
	world_bind(&w, "{\"later\": null}", BINDING_RECEIVED);
	struct step step = step_of(&w, "{\"get\": \"/\", \"within\": \"${later}\"}");
	ck_assert(option_get(w.scope, &step, "within", &value, &err) == RC_OK);
	ck_assert_str_eq(text_of(&w, value), "\"${later}\"");
	step = step_of(&w, "{\"raw\": [\"${later}\", 5]}");
	ck_assert(option_get(w.scope, &step, "raw", &value, &err) == RC_OK);
	step = step_of(&w, "{\"raw\": [5]}");
	ck_assert(option_get(w.scope, &step, "raw", &value, &err) == RC_USAGE);
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("option");
	tcase_add_loop_test(tests, got, 0, COUNT(options));
	tcase_add_test(tests, durations_and_counts);
	tcase_add_test(tests, not_known_yet);
	Suite *suite = suite_create("case/option");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
