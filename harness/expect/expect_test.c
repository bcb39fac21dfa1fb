#include "expect/expect.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool mentions(const char *path, const char *name)
{
	char line[4096], key[128];
	bool found = false;
	FILE *file = fopen(path, "r");
	snprintf(key, sizeof key, "\"%s\":", name);
	while (file && !found && fgets(line, sizeof line, file))
		found = strstr(line, key) != NULL;
	if (file)
		fclose(file);
	return found;
}

/* Tests run in the top folder, where cases/ is. */
static void need_selftest(const struct expectation *row, const char *ending)
{
	const char *name = row->name;
	char path[256];
	snprintf(path, sizeof path, "cases/selftest/%s%s", row->selftest ? row->selftest : name,
		ending);
	for (char *at = path + strlen("cases/selftest/"); *at && strcmp(at, ending) != 0; at++)
		if (*at == '.')
			*at = '-';
	ck_assert_msg(access(path, R_OK) == 0, "%s has no self-test %s", name, path);
	ck_assert_msg(mentions(path, name), "%s does not ask for %s", path, name);
}

START_TEST(test_registry)
{
	const struct expectation *row;
	for (size_t i = 0; (row = expectation_at(i)); i++) {
		ck_assert_msg(row->help && row->help[0], "%s has no help", row->name);
		ck_assert_msg(row->source && row->source[0], "%s has no source", row->name);
		ck_assert_msg(row->shape && row->shape->name, "%s has no shape", row->name);
		ck_assert_msg(row->subjects && row->check, "%s judges nothing", row->name);
		ck_assert_str_eq(row->key.name, row->name);
		ck_assert_str_eq(row->key.help, row->help);
		ck_assert_ptr_eq(row->key.shape, row->shape);
		ck_assert_ptr_eq(expectation_find(row->name, row->subjects), row);
		need_selftest(row, ".json");
		need_selftest(row, "-fails.json");
	}
	ck_assert_ptr_null(expectation_find("when", ~0U));
}
END_TEST

static cJSON *parse(const char *text)
{
	struct err err = { .text = "" };
	cJSON *value = json_parse(slice_of(text), &err);
	ck_assert_msg(value != NULL, "%s: %s", text, err.text);
	return value;
}

static const struct {
	const struct shape *shape;
	const char *expect;
	bool taken;
	const char *why;
} shapes[] = {
	{ &expect_exchange_shape, "{}", true, "nothing" },
	{ &expect_exchange_shape, "{\"status\": 200}", true, "one group" },
	{ &expect_exchange_shape, "[{\"when\": {\"a\": null}, \"coding\": \"none\"}]", true,
		"a list of groups" },
	{ &expect_exchange_shape, "[{\"when\": \"otherwise\"}]", true, "otherwise" },
	{ &expect_exchange_shape, "[{\"when\": \"else\"}]", false, "no other word" },
	{ &expect_exchange_shape, "[]", false, "no group" },
	{ &expect_exchange_shape, "{\"any_of\": [{\"status\": 200}, {\"status\": 422}]}", true,
		"any_of" },
	{ &expect_exchange_shape, "{\"any_of\": [{\"when\": \"otherwise\"}]}", false,
		"no `when` inside" },
	{ &expect_exchange_shape, "{\"any_of\": []}", false, "no alternative" },
	{ &expect_exchange_shape, "{\"statsu\": 200}", false, "unknown" },
	{ &expect_exchange_shape, "{\"exit\": 0}", false, "an answer has no exit status" },
	{ &expect_exchange_shape, "{\"status\": \"6xx\"}", false, "no class" },
	{ &expect_exchange_shape, "{\"status\": \"200\"}", false, "a status is a number" },
	{ &expect_exchange_shape, "{\"status\": []}", false, "no status" },
	{ &expect_exchange_shape, "{\"coding\": \"gzip, gzip\"}", false, "one coding" },
	{ &expect_exchange_shape, "{\"length\": 3}", false, "a word" },
	{ &expect_exchange_shape, "{\"framing\": \"truncatde\"}", false, "no violation" },
	{ &expect_exchange_shape, "{\"framing\": [\"strict\"]}", false, "strict stands alone" },
	{ &expect_exchange_shape, "{\"connection\": \"kept\"}", false, "no such word" },
	{ &expect_exchange_shape, "{\"bytes.wire\": \"< 5\"}", false, "sizes have units" },
	{ &expect_exchange_shape, "{\"bytes.wire\": \"< 5ms\"}", false, "of size" },
	{ &expect_exchange_shape, "{\"time.total\": \"< 5MB\"}", false, "of time" },
	{ &expect_exchange_shape, "{\"gap.max\": \"< 5MB\"}", false, "of time" },
	{ &expect_exchange_shape, "{\"json\": {\"a\": 1}}", false, "a pointer starts with /" },
	{ &expect_exchange_shape, "{\"json\": {\"/a~2\": 1}}", false,
		"~0 and ~1 alone (RFC 6901)" },
	{ &expect_exchange_shape, "{\"headers\": {\"*\": {\"has\": \"a\"}}}", false,
		"* takes same_as" },
	{ &expect_process_shape, "{\"exit\": 3, \"stdout\": \"\", \"stderr\": \"\"}", true,
		"a process" },
	{ &expect_process_shape, "{\"status\": 200}", false, "a process has no status" },
};

START_TEST(test_shapes)
{
	struct err err = { .text = "" };
	cJSON *expect = parse(shapes[_i].expect);
	bool taken = shape_check_resolved(shapes[_i].shape, expect, &err);
	ck_assert_msg(taken == shapes[_i].taken, "%s (%s): %s", shapes[_i].expect, shapes[_i].why,
		err.text);
	cJSON_Delete(expect);
}
END_TEST

/* The schema of a shape that holds itself must end. */
START_TEST(test_schema)
{
	cJSON *exchange = shape_schema(&expect_exchange_shape, "expect"),
	      *process = shape_schema(&expect_process_shape, "expect");
	const cJSON *defs = json_get(exchange, "$defs");
	const char *const names[] = { "exchange_group", "exchange_alternative", "header_matcher",
		"fields_matcher", "body_matcher", "json_matcher", "value_matcher" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_msg(json_get(defs, names[i]) != NULL, "no %s", names[i]);
	cJSON_Delete(exchange);
	cJSON_Delete(process);
}
END_TEST

static const struct {
	const char *expect;
	bool time, text;
	const char *why;
} questions[] = {
	{ "{\"status\": 200, \"headers\": {\"A\": {\"contains\": \"b\"}}}", false, false,
		"neither" },
	{ "{\"time.total\": \"< 1s\"}", true, false, "time" },
	{ "{\"gap.max\": \"< 1s\"}", true, false, "silence is time" },
	{ "[{\"status\": 200}, {\"any_of\": [{\"time.headers\": \"< 1s\"}]}]", true, false,
		"time deep inside" },
	{ "{\"json\": {}}", false, true, "json" },
	{ "{\"body\": {\"contains\": \"a\"}}", false, true, "a search" },
	{ "{\"body\": {\"same_as\": \"root:a\"}}", false, false, "a digest will do" },
	{ "{\"body\": \"abc\"}", false, false, "its start will do" },
	{ "{\"any_of\": [{\"body.wire\": {\"not\": {\"contains\": \"a\"}}}]}", false, true,
		"a search deep inside" },
	{ "\"${groups}\"", false, false, "not known yet" },
};

START_TEST(test_questions)
{
	cJSON *expect = parse(questions[_i].expect);
	ck_assert_msg(
		expect_judges_time(expect) == questions[_i].time, "time: %s", questions[_i].expect);
	ck_assert_msg(
		expect_reads_json(expect) == questions[_i].text, "text: %s", questions[_i].expect);
	cJSON_Delete(expect);
}
END_TEST

START_TEST(test_names)
{
	cJSON *group = parse("{\"body\": \"\", \"any_of\": [{\"coding\": \"none\"}, {\"any_of\": "
			     "[{\"status\": 200}]}]}");
	ck_assert(expect_names(group, "body"));
	ck_assert(expect_names(group, "coding"));
	ck_assert(expect_names(group, "status"));
	ck_assert(!expect_names(group, "framing"));
	cJSON_Delete(group);
}
END_TEST

static const struct {
	const char *value, *matcher; /* value NULL: absent */
	bool holds;
	const char *why;
} matches[] = {
	{ "\"gzip\"", "{\"contains\": \"gzip\"}", true, "it does" },
	{ "null", "null", true, "null is absent in a matrix" },
	{ "null", "{\"exists\": false}", true, "null is absent in a matrix" },
	{ NULL, "null", true, "absent" },
	{ "null", "{\"contains\": \"gzip\"}", false, "absent contains nothing" },
	{ "\"\"", "null", false, "empty is there" },
	{ "{\"a\": 1}", "{\"equals\": {\"a\": 1}}", true, "an object" },
	{ "\"gzip\"", "{\"same_as\": \"page\"}", false, "of no shape" },
	{ "\"gzip\"", "{}", false, "asks for nothing" },
};

START_TEST(test_matches)
{
	struct arena *arena = arena_new();
	cJSON *value = matches[_i].value ? parse(matches[_i].value) : NULL;
	cJSON *matcher = parse(matches[_i].matcher);
	ck_assert_msg(expect_matches(value, matcher, arena) == matches[_i].holds, "%s: %s",
		matches[_i].matcher, matches[_i].why);
	cJSON_Delete(value);
	cJSON_Delete(matcher);
	arena_free(arena);
}
END_TEST

/* A value that came out of a variable can have the wrong form: that is no finding. */
START_TEST(test_wrong_form)
{
	struct arena *arena = arena_new();
	struct exchange x = { .status = 200 };
	struct judgement j;
	struct err err = { .text = "" };
	judgement_init(&j, arena, NULL);
	j.exchange = &x;
	cJSON *group = parse("{\"status\": \"fine\"}");
	ck_assert_int_eq(expect_check(group, &j, &err), RC_INVALID);
	ck_assert_ptr_nonnull(strstr(err.text, "\"fine\""));
	ck_assert_uint_eq(j.checks + j.broken_count, 0);
	cJSON_Delete(group);
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("expect");
	TCase *tc = tcase_create("expect");
#define ROWS(table) (int)(sizeof(table) / sizeof *(table))
	tcase_add_test(tc, test_registry);
	tcase_add_loop_test(tc, test_shapes, 0, ROWS(shapes));
	tcase_add_test(tc, test_schema);
	tcase_add_loop_test(tc, test_questions, 0, ROWS(questions));
	tcase_add_test(tc, test_names);
	tcase_add_loop_test(tc, test_matches, 0, ROWS(matches));
	tcase_add_test(tc, test_wrong_form);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
