#include "base/shape.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static const char *const codings[] = { "none", "gzip", "br", "zstd", NULL };

static const struct shape any = { .kind = SHAPE_ANY };
static const struct shape nothing = { .kind = SHAPE_NULL };
static const struct shape flag = { .kind = SHAPE_BOOL };
static const struct shape count = { .kind = SHAPE_COUNT };
static const struct shape number = { .kind = SHAPE_NUMBER };
static const struct shape text = { .kind = SHAPE_STRING, .name = "text" };
static const struct shape title = { .kind = SHAPE_STRING, .name = "a title", .literal = true };
static const struct shape coding = { .kind = SHAPE_STRING, .name = "a coding", .words = codings };
static const struct shape duration = { .kind = SHAPE_STRING,
	.name = "a duration such as \"150ms\"",
	.valid = duration_valid,
	.pattern = "^ *[0-9.]+ *(us|ms|s|min) *$" };
static const struct shape target = {
	.kind = SHAPE_STRING, .name = "a target", .pattern = "^/", .schema_name = "target"
};

/* A matcher is a scalar or an object of operators, two of which hold matchers again. */
static const struct shape matcher;
static const struct shape matchers = {
	.kind = SHAPE_LIST, .name = "a list of matchers", .items = &matcher, .min_items = 1
};
static const struct shape_key operator_rows[] = {
	{ "not", &matcher, "What must not hold", false },
	{ "one_of", &matchers, "Of which one must hold", false },
	{ "lines", &count, "How many lines there are", false },
	{ 0 },
};
static const struct shape operator_object = {
	.kind = SHAPE_OBJECT, .name = "an object of operators", .keys = operator_rows
};
static const struct shape *const matcher_choices[] = { &nothing, &flag, &number, &text,
	&operator_object, NULL };
static const struct shape matcher = {
	.kind = SHAPE_CHOICE, .schema_name = "matcher", .choices = matcher_choices
};

/* A map of durations by short names, one of which has a shape of its own. */
static bool short_name(const char *name, struct err *err)
{
	if (strlen(name) <= 4)
		return true;
	(void)err_set(err, RC_INVALID, NULL, "expected a short name, found \"%s\"", name);
	return false;
}

static const struct shape_key named_rows[] = { { "status", &count, "The status", false }, { 0 } };
static const struct shape named_map = {
	.kind = SHAPE_MAP, .items = &duration, .valid = short_name, .keys = named_rows
};

static const struct shape headers = { .kind = SHAPE_MAP, .name = "headers", .items = &matcher };
static const struct shape_key expect_rows[] = {
	{ "status", &count, "The status", false },
	{ "coding", &coding, "The content coding", false },
	{ 0 },
};
static const struct shape_key more_rows[] = { { "headers", &headers, "The headers", false } };

static const struct shape_key *more_row(size_t index)
{
	return index < sizeof more_rows / sizeof *more_rows ? &more_rows[index] : NULL;
}

static const struct shape expect = { .kind = SHAPE_OBJECT,
	.name = "an object of expectations",
	.keys = expect_rows,
	.key_at = more_row };

static const struct shape step;
static const struct shape steps = {
	.kind = SHAPE_LIST, .name = "a list of steps", .items = &step, .min_items = 1
};
static const struct shape_key get_rows[] = {
	{ "get", &target, "The target", true },
	{ "expect", &expect, "What must hold", false },
	{ "within", &duration, "How long it may take", false },
	{ 0 },
};
static const struct shape get = { .kind = SHAPE_OBJECT, .keys = get_rows };
static const struct shape_key post_rows[] = {
	{ "post", &target, "The target", true },
	{ "body", &any, "What is sent", false },
	{ 0 },
};
static const struct shape post = { .kind = SHAPE_OBJECT, .keys = post_rows };
static const struct shape_key group_rows[] = {
	{ "group", &steps, "Steps after one another", true },
	{ "post", &target, "An option that is named like a verb", false },
	{ 0 },
};
static const struct shape group = { .kind = SHAPE_OBJECT, .keys = group_rows };
static const struct shape_variant variants[] = {
	{ "get", &get },
	{ "post", &post },
	{ "group", &group },
};

static const struct shape_variant *variant_at(size_t index)
{
	return index < sizeof variants / sizeof *variants ? &variants[index] : NULL;
}

static const struct shape step = {
	.kind = SHAPE_VARIANT, .name = "a step", .schema_name = "step", .variant_at = variant_at
};
static const struct shape_key case_rows[] = {
	{ "title", &title, "What it is about", true },
	{ "steps", &steps, "What is done", false },
	{ 0 },
};
static const struct shape whole = {
	.kind = SHAPE_OBJECT, .name = "a case", .literal = true, .keys = case_rows
};

#define STEPS(step) "{\"title\": \"x\", \"steps\": [\n" step "]}"

static const char *const good[] = {
	"{\"title\": \"x\"}",
	STEPS("{\"get\": \"/\"}"),
	STEPS("{\"get\": \"/\", \"within\": \"2s\", \"expect\": {\"status\": 200}}"),
	STEPS("{\"get\": \"/\", \"expect\": {\"headers\": {\"A\": null, \"B\": {\"not\": 1}}}}"),
	STEPS("{\"get\": \"/\", \"expect\": {\"headers\": {\"A\": {\"one_of\": [{\"not\": \"x\"}]}}}}"),
	STEPS("{\"get\": \"${target}\", \"within\": \"${time}\", \"expect\": \"${expected}\"}"),
	STEPS("{\"get\": \"/\", \"expect\": {\"status\": \"${s}\", \"coding\": \"${c}\"}}"),
	STEPS("\"${step}\""),
	"{\"title\": \"x\", \"steps\": \"${steps}\"}",
	STEPS("{\"group\": [{\"group\": [{\"post\": \"/\", \"body\": [1]}]}], \"post\": \"/\"}"),
};

static const struct {
	const char *why, *text, *printed;
} bad[] = {
	{ "not even an object", "[]", "a:1:1: expected a case, found an empty list\n" },
	{ "a key left out", "{}", "a:1:1: expected the key \"title\", found no keys\n" },
	{ "a key left out beside others", "{\"steps\": \"${x}\"}",
		"a:1:1: expected the key \"title\", found keys \"steps\"\n" },
	{ "an unknown key near a known one", "{\"title\": \"x\", \"stepps\": 1}",
		"a:1:16: /stepps: unknown key \"stepps\"; did you mean \"steps\"?\n" },
	{ "an unknown key near none", "{\"title\": \"x\", \"colour\": 1}",
		"a:1:16: /colour: unknown key \"colour\" (one of title, steps)\n" },
	{ "a key of the rows that come from a function",
		STEPS("{\"get\": \"/\", \"expect\": {\"headrs\": {}}}"),
		"a:2:25: /steps/0/expect/headrs: unknown key \"headrs\"; did you mean \"headers\"?\n" },
	{ "the wrong kind", STEPS("{\"get\": \"/\", \"expect\": {\"status\": \"ok\"}}"),
		"a:2:35: /steps/0/expect/status: expected a whole number, 0 or more, found \"ok\"\n" },
	{ "half a count", STEPS("{\"get\": \"/\", \"expect\": {\"status\": 1.5}}"),
		"a:2:35: /steps/0/expect/status: expected a whole number, 0 or more, found 1.5\n" },
	{ "less than nothing", STEPS("{\"get\": \"/\", \"expect\": {\"status\": -1}}"),
		"a:2:35: /steps/0/expect/status: expected a whole number, 0 or more, found -1\n" },
	{ "a number for a duration", STEPS("{\"get\": \"/\", \"within\": 150}"),
		"a:2:24: /steps/0/within: expected a duration such as \"150ms\", found 150\n" },
	{ "a duration without unit", STEPS("{\"get\": \"/\", \"within\": \"150\"}"),
		"a:2:24: /steps/0/within: expected a duration such as \"150ms\", found \"150\"\n" },
	{ "a word near one", STEPS("{\"get\": \"/\", \"expect\": {\"coding\": \"gzp\"}}"),
		"a:2:35: /steps/0/expect/coding: expected a coding, found \"gzp\"; did you mean \"gzip\"?\n" },
	{ "a word near none", STEPS("{\"get\": \"/\", \"expect\": {\"coding\": \"deflate\"}}"),
		"a:2:35: /steps/0/expect/coding: expected a coding, found \"deflate\" (one of none, gzip, br, zstd)\n" },
	{ "none of the choices", STEPS("{\"get\": \"/\", \"expect\": {\"headers\": {\"A\": [1]}}}"),
		"a:2:42: /steps/0/expect/headers/A: expected null, true or false, a number, text or an object of operators, found a list\n" },
	{ "inside matchers inside matchers",
		STEPS("{\"get\": \"/\", \"expect\": {\"headers\": {\"A\": {\"one_of\": [{\"not\": {\"lines\": true}}]}}}}"),
		"a:2:72: /steps/0/expect/headers/A/one_of/0/not/lines: expected a whole number, 0 or more, found true\n" },
	{ "too few items", "{\"title\": \"x\", \"steps\": []}",
		"a:1:25: /steps: expected a list of steps with at least 1 item, found 0\n" },
	{ "no verb", STEPS("{\"gett\": \"/\", \"expect\": {}}"),
		"a:2:1: /steps/0: expected one verb (get, post, group), found keys \"gett\", \"expect\"; did you mean \"get\"?\n" },
	{ "no verb, and nothing near", STEPS("{}"),
		"a:2:1: /steps/0: expected one verb (get, post, group), found no keys\n" },
	{ "two verbs", STEPS("{\"get\": \"/\", \"post\": \"/\"}"),
		"a:2:1: /steps/0: expected one verb, found \"get\" and \"post\"\n" },
	{ "an option of another verb", STEPS("{\"post\": \"/\", \"within\": \"1s\"}"),
		"a:2:15: /steps/0/within: unknown key \"within\" (one of post, body)\n" },
	{ "a variable where none is taken", "{\"title\": 1, \"steps\": [7]}",
		"a:1:11: /title: expected a title, found 1\n"
		"a:1:24: /steps/0: expected a step, found 7\n" },
};

static char *check_text(const char *document, bool *held)
{
	struct errors errors = { 0 };
	struct json *json;
	char *printed = NULL;
	size_t size;
	ck_assert(json_read(slice_of(document), "a", JSON_STRICT, &json, &errors) == RC_OK);
	*held = shape_check(&whole, json, json_root(json), &errors);
	FILE *out = open_memstream(&printed, &size);
	errors_print(&errors, out);
	fclose(out);
	errors_release(&errors);
	json_free(json);
	return printed;
}

START_TEST(takes)
{
	bool held = false;
	char *printed = check_text(good[_i], &held);
	ck_assert_str_eq(printed, "");
	ck_assert(held);
	free(printed);
}
END_TEST

START_TEST(refuses)
{
	bool held = true;
	char *printed = check_text(bad[_i].text, &held);
	ck_assert_msg(strcmp(printed, bad[_i].printed) == 0, "%s: %s", bad[_i].why, printed);
	ck_assert(!held);
	free(printed);
}
END_TEST

static const struct {
	const char *why;
	const struct shape *shape;
	const char *value, *says; /* says: NULL where the value fits */
} resolved[] = {
	{ "fits", &step, "{\"get\": \"/\"}", NULL },
	{ "the first fault, with where it is", &step,
		"{\"get\": \"/\", \"expect\": {\"status\": true, \"x\": 1}}",
		"expected a whole number, 0 or more, found true (at /expect/status)" },
	{ "the value itself", &duration, "true",
		"expected a duration such as \"150ms\", found true" },
	{ "an unknown key", &headers, "{\"A\": {\"nott\": 1}}",
		"unknown key \"nott\"; did you mean \"not\"? (at /A)" },
	{ "names of a map, one with a row", &named_map, "{\"a\": \"1s\", \"status\": 3}", NULL },
	{ "a name that is not valid", &named_map, "{\"total\": \"1s\"}",
		"expected a short name, found \"total\"" },
	{ "a row that does not fit", &named_map, "{\"status\": \"1s\"}",
		"expected a whole number, 0 or more, found \"1s\" (at /status)" },
	{ "an item that does not fit", &named_map, "{\"a\": 3}",
		"expected a duration such as \"150ms\", found 3 (at /a)" },
	{ "what looks like a variable is one no more", &duration, "\"${x}\"",
		"expected a number with its unit such as \"20ms\" or \"64KiB\", found \"${x}\"" },
	{ "nor where a list should be", &steps, "\"${x}\"",
		"expected a list of steps, found \"${x}\"" },
};

START_TEST(resolved_values)
{
	struct err err = { 0 };
	cJSON *value = json_parse(slice_of(resolved[_i].value), &err);
	bool held = shape_check_resolved(resolved[_i].shape, value, &err);
	ck_assert_msg(held == !resolved[_i].says, "%s", resolved[_i].why);
	ck_assert_str_eq(err.text, resolved[_i].says ? resolved[_i].says : "");
	cJSON_Delete(value);
}
END_TEST

static const struct {
	const char *why, *text;
	bool has;
} variables[] = {
	{ "alone", "${x}", true },
	{ "inside", "a ${x} b", true },
	{ "escaped", "$${x}", false },
	{ "escaped and then not", "$${x} ${y}", true },
	{ "a dollar before an escape", "$$${x}", false },
	{ "only a dollar", "5$ {x}", false },
	{ "nothing", "", false },
};

START_TEST(has_variable)
{
	ck_assert_msg(shape_has_variable(variables[_i].text) == variables[_i].has, "%s",
		variables[_i].why);
}
END_TEST

/* Written by hand from the meaning of the keywords of draft 2020-12. */
static const char right_schema[] =
	"{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": \"headers\","
	"\"anyOf\": [{\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/matcher\"}},"
	"  {\"$ref\": \"#/$defs/variable_text\"}],"
	"\"$defs\": {"
	"\"variable_text\": {\"type\": \"string\", \"pattern\": \"(^|[^$])\\\\$\\\\{\","
	"  \"description\": \"text with a ${variable} in it\"},"
	"\"matcher\": {\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"boolean\"}, {\"type\": \"number\"},"
	"  {\"type\": \"string\"}, {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {"
	"    \"not\": {\"$ref\": \"#/$defs/matcher\", \"description\": \"What must not hold\"},"
	"    \"one_of\": {\"anyOf\": [{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/matcher\"},"
	"      \"minItems\": 1}, {\"$ref\": \"#/$defs/variable_text\"}],"
	"      \"description\": \"Of which one must hold\"},"
	"    \"lines\": {\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0},"
	"      {\"$ref\": \"#/$defs/variable_text\"}], \"description\": \"How many lines there are\"}}}]}}}";

START_TEST(schema)
{
	struct err err = { 0 };
	cJSON *right = json_parse(slice_of(right_schema), &err);
	ck_assert_msg(right != NULL, "%s", err.text);
	cJSON *made = shape_schema(&headers, "headers");
	char *printed = json_print(made);
	ck_assert_msg(json_equal(made, right), "%s", printed);
	free(printed);
	cJSON_Delete(made);
	cJSON_Delete(right);
}
END_TEST

START_TEST(schema_of_variants)
{
	cJSON *made = shape_schema(&whole, "a case");
	bool owned;
	ck_assert_str_eq(json_text(made, "type"), "object");
	ck_assert_str_eq(json_get(made, "required")->child->valuestring, "title");
	cJSON *verbs = json_pointer(made, "/$defs/step/oneOf/*/required", true, &owned);
	char *printed = json_print(verbs);
	ck_assert_str_eq(printed, "[\"get\",\"post\",\"group\"]");
	free(printed);
	cJSON_Delete(verbs);
	cJSON *item = json_pointer(made,
		"/$defs/step/oneOf/2/properties/group/anyOf/0/items/anyOf/0/$ref", false, &owned);
	ck_assert_str_eq(cJSON_GetStringValue(item), "#/$defs/step");
	/* A literal string takes no variable; one without pattern takes any text anyway. */
	cJSON *literal = json_pointer(made, "/properties/title/type", false, &owned);
	ck_assert_str_eq(cJSON_GetStringValue(literal), "string");
	cJSON_Delete(made);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("shape");
	tcase_add_loop_test(tests, takes, 0, (int)(sizeof good / sizeof *good));
	tcase_add_loop_test(tests, refuses, 0, (int)(sizeof bad / sizeof *bad));
	tcase_add_loop_test(tests, resolved_values, 0, (int)(sizeof resolved / sizeof *resolved));
	tcase_add_loop_test(tests, has_variable, 0, (int)(sizeof variables / sizeof *variables));
	tcase_add_test(tests, schema);
	tcase_add_test(tests, schema_of_variants);
	Suite *suite = suite_create("base/shape");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
