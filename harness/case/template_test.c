#include "case/case_testing.h"
#include "case/template.h"

#define VARIABLES                                                                                  \
	"{\"n\": 3, \"t\": true, \"text\": \"a.b/c~d\", \"none\": [null], \"list\": [1, [2]],"     \
	" \"file\": {\"name\": \"x\", \"path\": \"/${file.name}\", \"deep\": \"${object}\"},"      \
	" \"object\": {\"k\": {\"l\": \"${n}\"}}, \"twice\": \"${text}${n}\","                     \
	" \"one\": \"${two}\", \"two\": [\"${one}\"], \"self\": {\"a\": \"${self}\"},"             \
	" \"chain\": \"${file.path}\", \"key\": \"K\"}"
#define RECEIVED                                                                                     \
	"{\"page\": {\"status\": 200, \"headers\": {\"ETag\": \"\\\"v1\\\"\", \"x-raw\": \"${n}\"}," \
	" \"list\": [{\"id\": 7}]}}"

static const struct {
	const char *value, *resolved, *why;
} resolutions[] = {
	{ "\"plain\"", "\"plain\"", "nothing to do" },
	{ "\"${n}\"", "3", "alone it keeps its type: a number" },
	{ "\"${t}\"", "true", "a bool" },
	{ "\"${list}\"", "[1,[2]]", "a list" },
	{ "\"${none.0}\"", "null", "null" },
	{ "\"n=${n} t=${t}\"", "\"n=3 t=true\"", "inside text it becomes text" },
	{ "\"${n}${n}\"", "\"33\"", "two are text" },
	{ "\" ${n}\"", "\" 3\"", "a space makes it text" },
	{ "\"${list.1.0}\"", "2", "a path through lists" },
	{ "\"${file.path}\"", "\"/x\"", "variables of a member, beside it in the same object" },
	{ "\"${file.deep.k.l}\"", "3", "a path that goes on in what a member brings" },
	{ "\"${file.deep}\"", "{\"k\":{\"l\":3}}", "nested variables in an object" },
	{ "\"${chain}\"", "\"/x\"", "a variable of a variable" },
	{ "\"${twice}\"", "\"a.b/c~d3\"", "text of variables" },
	{ "{\"a\": [\"${n}\", {\"b\": \"${t}\"}]}", "{\"a\":[3,{\"b\":true}]}", "trees" },
	{ "{\"${key}\": 1}", "{\"K\":1}", "in a key" },
	{ "{\"/a/${text}\": 1}", "{\"/a/a.b~1c~0d\":1}", "RFC 6901 section 3: ~0 and ~1" },
	{ "{\"${text}\": 1}", "{\"a.b/c~d\":1}", "no pointer: nothing is escaped" },
	{ "{\"matches\": \"^${text}$\"}", "{\"matches\":\"^a\\\\.b\\\\/c~d$\"}",
		"literal in a pattern" },
	{ "{\"matches\": \"${n}\"}", "{\"matches\":\"3\"}", "alone in a pattern it is text" },
	{ "{\"contains\": \"${text}\"}", "{\"contains\":\"a.b/c~d\"}", "elsewhere as it is" },
	{ "\"$${n}\"", "\"${n}\"", "escaped" },
	{ "\"a$${n}${n}$${\"", "\"a${n}3${\"", "escaped beside a variable" },
	{ "\"$5 $\"", "\"$5 $\"", "a dollar alone is a dollar" },
	{ "\"${page.status}\"", "200", "received" },
	{ "\"${page.headers.etag}\"", "\"\\\"v1\\\"\"", "field names: RFC 9110 section 5.1" },
	{ "\"${page.headers.X-Raw}\"", "\"${n}\"", "received text is never scanned" },
	{ "\"is ${page.headers.x-raw}\"", "\"is ${n}\"", "nor inside text" },
	{ "\"${page.list.0.id}\"", "7", "a list that was received" },
};

START_TEST(resolves)
{
	struct world w;
	struct err err = { 0 };
	cJSON *resolved;
	world_open(&w, false);
	world_bind(&w, VARIABLES, BINDING_WRITTEN);
	world_bind(&w, RECEIVED, BINDING_RECEIVED);
	enum rc rc = template_resolve(w.scope, tree_of(&w, resolutions[_i].value), &resolved, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", resolutions[_i].why, err.text);
	const char *text = text_of(&w, resolved);
	ck_assert_msg(
		strcmp(text, resolutions[_i].resolved) == 0, "%s: %s", resolutions[_i].why, text);
	world_close(&w);
}
END_TEST

static const struct {
	const char *value, *text, *why;
} refusals[] = {
	{ "\"${fille}\"", "unknown variable \"fille\"; did you mean \"file\"?", "nearest name" },
	{ "\"${quite-another}\"", "unknown variable \"quite-another\"", "nothing near" },
	{ "\"${file.nam}\"", "\"file\" has no \"nam\"; did you mean \"name\"?",
		"a path that leads nowhere" },
	{ "\"${file.zzzzzz}\"", "\"file\" has no \"zzzzzz\"", "nothing is near" },
	{ "\"${n.x}\"", "\"n\" has no \"x\"", "a path into a number" },
	{ "\"${list.9}\"", "\"list\" has no \"9\"", "past the end" },
	{ "\"${list.-1}\"", "\"list\" has no \"-1\"", "no index" },
	{ "\"${page.Headers.ETag}\"", "\"page\" has no \"Headers\"; did you mean \"headers\"?",
		"only fields ignore case" },
	{ "\"x${none.0}\"", "\"none\" is null, which can't stand inside text", "null" },
	{ "\"x${list}\"", "\"list\" is a list, which can't stand inside text", "list" },
	{ "\"x${file}\"", "\"file\" is an object, which can't stand inside text", "object" },
	{ "\"${one}\"", "\"one\" leads back to itself", "a circle of two" },
	{ "\"${self}\"", "\"self\" leads back to itself", "a circle through a member" },
	{ "\"${n\"", "expected } to close ${", "not closed" },
	{ "\"${}\"", "expected a name such as ${file.name}, found ${}", "no name" },
	{ "\"${a b}\"", "expected a name such as ${file.name}, found ${a b}", "not a name" },
	{ "\"${file.}\"", "expected a path such as ${page.headers.ETag}, found ${file.}",
		"an empty part" },
	{ "\"${file..name}\"", "expected a path such as ${page.headers.ETag}, found ${file..name}",
		"an empty part between" },
	{ "\"${unique.x}\"", "\"unique\" has no \"x\"", "a text has no parts" },
	{ "\"${env.ONUS_TEST_NOT_SET}\"", "the environment has no variable \"ONUS_TEST_NOT_SET\"",
		"environment" },
	{ "\"${later}\"", "\"later\" is not known here yet", "declared only" },
	{ "{\"${key}\": 1, \"K\": 2}", "two members have the name \"K\"", "twice, written behind" },
	{ "{\"K\": 1, \"${key}\": 2}", "two members have the name \"K\"", "twice, written before" },
};

START_TEST(refuses)
{
	struct world w;
	struct err err = { 0 };
	cJSON *resolved;
	world_open(&w, false);
	world_bind(&w, VARIABLES, BINDING_WRITTEN);
	world_bind(&w, RECEIVED, BINDING_RECEIVED);
	world_bind(&w, "{\"later\": null}", BINDING_RECEIVED);
	enum rc rc = template_resolve(w.scope, tree_of(&w, refusals[_i].value), &resolved, &err);
	ck_assert_msg(rc == RC_USAGE, "%s", refusals[_i].why);
	ck_assert_msg(
		strcmp(err.text, refusals[_i].text) == 0, "%s: %s", refusals[_i].why, err.text);
	world_close(&w);
}
END_TEST

static const struct {
	const char *value, *resolved, *why;
	bool waits;
} lenient[] = {
	{ "\"${later}\"", "\"${later}\"", "alone", true },
	{ "\"a ${later} ${n}\"", "\"a ${later} ${n}\"", "text as a whole", true },
	{ "{\"${later}\": 1}", "{\"${later}\":1}", "a key", true },
	{ "[\"${n}\", \"${later.x.y}\"]", "[3,\"${later.x.y}\"]", "the rest is resolved", true },
	{ "\"${over}\"", "\"${later}\"", "by way of a variable", true },
	{ "\"${inside.a.b}\"", "\"${inside.a.b}\"", "a path into what is not known", true },
	{ "\"${made}\"", "\"${made}\"", "a generator that lacks its list", true },
	{ "[\"${n}\"]", "[3]", "known", false },
};

START_TEST(waits)
{
	struct world w;
	struct err err = { 0 };
	cJSON *resolved;
	world_open(&w, true);
	world_bind(&w,
		"{\"n\": 3, \"over\": \"${later}\", \"inside\": {\"a\": \"${later}\"},"
		" \"made\": {\"generate\": \"pick\", \"from\": \"${later}\", \"count\": 1}}",
		BINDING_WRITTEN);
	world_bind(&w, "{\"later\": null}", BINDING_RECEIVED);
	enum rc rc = template_resolve(w.scope, tree_of(&w, lenient[_i].value), &resolved, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", lenient[_i].why, err.text);
	const char *text = text_of(&w, resolved);
	ck_assert_msg(strcmp(text, lenient[_i].resolved) == 0, "%s: %s", lenient[_i].why, text);
	ck_assert_msg(
		template_waits(w.scope, resolved) == lenient[_i].waits, "%s", lenient[_i].why);
	world_close(&w);
}
END_TEST

/* Ten lists of ten, each of the ones before: 10^10 values, of which no more than the cap are ever made. */
START_TEST(growth_has_an_end)
{
	struct world w;
	struct err err = { 0 };
	cJSON *resolved, *object = cJSON_CreateObject();
	world_open(&w, false);
	cJSON_AddStringToObject(object, "v0", "ten bytes.");
	for (int i = 1; i <= 10; i++) {
		cJSON *list = cJSON_CreateArray();
		for (int j = 0; j < 10; j++)
			cJSON_AddItemToArray(
				list, cJSON_CreateString(arena_print(w.arena, "${v%d}", i - 1)));
		cJSON_AddItemToObject(object, arena_print(w.arena, "v%d", i), list);
	}
	arena_defer(w.arena, drop_tree, object);
	scope_bind_all(w.scope, object);
	ck_assert(template_resolve(w.scope, tree_of(&w, "\"${v2}\""), &resolved, &err) == RC_OK);
	ck_assert_int_eq(cJSON_GetArraySize(resolved->child), 10);
	ck_assert(
		template_resolve(w.scope, tree_of(&w, "\"${v10}\""), &resolved, &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "with its variables in place this has more than 16777216 bytes");
	ck_assert(w.root.overgrown);
	world_close(&w);
}
END_TEST

/* Nothing at all, a hundred thousand million times: what is counted is the work, too. */
START_TEST(work_has_an_end)
{
	struct world w;
	struct err err = { 0 };
	const char *text;
	char ten[96];
	world_open(&w, false);
	cJSON *object = cJSON_CreateObject();
	arena_defer(w.arena, drop_tree, object);
	cJSON_AddStringToObject(object, "v0", "");
	for (int i = 1; i <= 11; i++) {
		ten[0] = '\0';
		for (size_t j = 0, at = 0; j < 10; j++)
			at += (size_t)snprintf(ten + at, sizeof ten - at, "${v%d}", i - 1);
		cJSON_AddStringToObject(object, arena_print(w.arena, "v%d", i), ten);
	}
	scope_bind_all(w.scope, object);
	ck_assert(template_text(w.scope, "${v3}", &text, &err) == RC_OK);
	ck_assert_str_eq(text, "");
	ck_assert(template_text(w.scope, "${v11}", &text, &err) == RC_USAGE);
	world_close(&w);
}
END_TEST

/* A generator's cap is 64 MiB: one of them may stand for a long body. */
START_TEST(generators_may_be_long)
{
	struct world w;
	struct err err = { 0 };
	cJSON *resolved;
	world_open(&w, false);
	world_bind(
		&w, "{\"long\": {\"generate\": \"text\", \"length\": 30000000}}", BINDING_WRITTEN);
	ck_assert_msg(template_resolve(w.scope, tree_of(&w, "{\"a\": \"${long}\"}"), &resolved,
			      &err) == RC_OK,
		"%s", err.text);
	ck_assert_uint_eq(strlen(resolved->child->valuestring), 30000000);
	ck_assert(template_resolve(w.scope, tree_of(&w, "[\"${long}\", \"${long}\"]"), &resolved,
			  &err) == RC_USAGE);
	world_close(&w);
}
END_TEST

/* What was brought has caps of its own, too, and is not copied: here some 40 MiB of nodes and text. */
START_TEST(long_lists_are_shared)
{
	struct world w;
	struct err err = { 0 };
	cJSON *resolved, *list = cJSON_CreateArray();
	char name[41];
	world_open(&w, false);
	for (int i = 0; i < 400000; i++) {
		snprintf(name, sizeof name, "%040d", i);
		cJSON_AddItemToArray(list, cJSON_CreateString(name));
	}
	scope_bind_owned(w.scope, "all", list, BINDING_RECEIVED);
	world_bind(&w, "{\"body\": {\"ids\": \"${all}\"}}", BINDING_WRITTEN);
	ck_assert_msg(template_resolve(w.scope,
			      tree_of(&w, "{\"equals\": \"${all}\", \"json\": \"${body}\"}"),
			      &resolved, &err) == RC_USAGE,
		"it is written out twice");
	ck_assert_msg(template_resolve(w.scope, tree_of(&w, "{\"json\": \"${body}\"}"), &resolved,
			      &err) == RC_OK,
		"%s", err.text);
	ck_assert_ptr_eq(json_get(json_get(resolved, "json"), "ids")->child, list->child);
	ck_assert(json_equal(json_get(json_get(resolved, "json"), "ids"), list));
	world_close(&w);
}
END_TEST

START_TEST(generators_run_once)
{
	struct world w;
	struct err err = { 0 };
	const char *first, *second;
	world_open(&w, false);
	world_bind(&w,
		"{\"id\": {\"generate\": \"uuid\"}, \"ids\": {\"generate\": \"range\","
		" \"from\": 1, \"to\": \"${n}\"}, \"n\": 4}",
		BINDING_WRITTEN);
	ck_assert(template_text(w.scope, "${id}", &first, &err) == RC_OK);
	ck_assert(template_text(w.scope, "${id}", &second, &err) == RC_OK);
	ck_assert_str_eq(first, second);
	ck_assert(template_text(w.scope, "${ids.3}", &first, &err) == RC_OK);
	ck_assert_str_eq(first, "4");
	ck_assert(template_text(w.scope, "${ids.4}", &first, &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "\"ids\" has no \"4\"");
	world_close(&w);
}
END_TEST

START_TEST(unique_and_environment)
{
	struct world w;
	struct err err = { 0 };
	const char *text;
	world_open(&w, false);
	ck_assert(template_text(w.scope, "${unique} ${unique}", &text, &err) == RC_OK);
	ck_assert_str_eq(text, "u-1 u-2");
	setenv("ONUS_TEST_SECRET", "hush", 1);
	for (int i = 0; i < 3; i++)
		ck_assert(template_text(w.scope, "${env.ONUS_TEST_SECRET}", &text, &err) == RC_OK);
	unsetenv("ONUS_TEST_SECRET");
	ck_assert_str_eq(text, "hush");
	ck_assert_uint_eq(w.root.secret_count, 1);
	ck_assert_str_eq(w.root.secrets[0], "hush");
	ck_assert_ptr_null(w.root.secrets[1]);
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("template");
	tcase_add_loop_test(tests, resolves, 0, COUNT(resolutions));
	tcase_add_loop_test(tests, refuses, 0, COUNT(refusals));
	tcase_add_loop_test(tests, waits, 0, COUNT(lenient));
	tcase_add_test(tests, growth_has_an_end);
	tcase_add_test(tests, work_has_an_end);
	tcase_add_test(tests, generators_may_be_long);
	tcase_add_test(tests, long_lists_are_shared);
	tcase_add_test(tests, generators_run_once);
	tcase_add_test(tests, unique_and_environment);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("case/template");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
