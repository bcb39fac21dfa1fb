#include "report/result_read.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "report/report.h"

enum { MOST_BYTES = 1 << 20 };

/* The goldens hold what report_test.c wrote: a run with all that a result can say. */
static const char golden[] = "harness/report/golden/json.txt";

static char *rendered(const char *name, const struct run_result *result)
{
	struct report_style style = { 0 };
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	ck_assert_ptr_nonnull(out);
	report_print(report_find(name), result, &style, out);
	fclose(out);
	return bytes;
}

/* Written, read and written again: the same bytes, also by the other report that shares the form. */
START_TEST(round_trip)
{
	static const char *const names[] = { "json", "ndjson" };
	struct arena *arena = arena_new();
	struct run_result result;
	struct err err = { 0 };
	enum rc rc = result_read_file(golden, arena, &result, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", err.where, err.text);
	ck_assert_ptr_eq(result.arena, arena);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[64];
		struct buf expected;
		snprintf(path, sizeof path, "harness/report/golden/%s.txt", names[i]);
		buf_init(&expected, MOST_BYTES);
		ck_assert_int_eq(buf_read_file(&expected, path, &err), RC_OK);
		char *found = rendered(names[i], &result);
		ck_assert_str_eq(found, (const char *)expected.data);
		free(found);
		buf_release(&expected);
	}
	arena_free(arena);
}
END_TEST

START_TEST(values)
{
	struct arena *arena = arena_new();
	struct run_result result;
	struct err err = { 0 };
	ck_assert_int_eq(result_read_file(golden, arena, &result, &err), RC_OK);
	ck_assert_uint_eq(result.case_count, 9);
	ck_assert_uint_eq(result.seed, 0x9a1f);
	ck_assert_uint_eq(result.planned, 12);
	ck_assert_uint_eq(result.id_width, 71);
	ck_assert_int_eq(result.duration_ns, 2149000000);
	ck_assert_int_eq(result_exit(&result), 2);
	ck_assert_int_eq(result.cases[1].outcome, OUTCOME_FAILED);
	ck_assert_uint_eq(result.cases[1].finding_count, 3);
	ck_assert_int_eq(result.cases[1].findings[1].place.line, 18);
	ck_assert_str_eq(result.cases[1].findings[1].expected,
		"\"Grüße, 世界\" & <b>'bold'</b>\nsecond line | of *two*");
	ck_assert_ptr_null(result.cases[1].findings[1].exchange);
	ck_assert_int_eq(result.problems[0].kind, PROBLEM_FLOOR);
	ck_assert_ptr_null(result.problems[0].place.file);
	arena_free(arena);
}
END_TEST

static const char least[] =
	"{\"schema\": \"onus-result/1\", \"version\": \"0.1.0\", \"seed\": \"0x1\", \"duration_ns\": 1, "
	"\"planned\": 1, \"problems\": [], \"cases\": [{\"id\": \"a\", \"file\": \"a.json\", "
	"\"outcome\": \"failed\", \"cells\": 1, \"checks\": 1, \"requests\": 1, \"duration_ns\": 1, "
	"\"problems\": [], \"findings\": [{\"place\": {\"line\": 1, \"col\": 2}, \"request\": \"\", "
	"\"details\": \"\", \"what\": \"\", \"expected\": \"\", \"found\": \"\", \"cell\": \"\"}]}]}";

/* Each row changes one thing in the least result that is read. where is the pointer of the error; NULL: it is taken. */
static const struct {
	const char *why, *old, *new, *where;
} rows[] = {
	{ "the least result", "", "", NULL },
	{ "what can be NULL may be null", "\"seed\"", "\"fault\": null, \"seed\"", NULL },
	{ "totals are worked out again, not read", "\"seed\"",
		"\"totals\": 7, \"exit\": 0, \"seed\"", NULL },
	{ "2^53 is the last whole number of JSON", "\"planned\": 1",
		"\"planned\": 9007199254740992", NULL },
	{ "the whole of 64 bits", "0x1", "0xffffffffffffffff", NULL },
	{ "no JSON", "{\"schema\"", "{schema", "" },
	{ "no object", "{\"schema\": \"onus-result/1\"", "[{\"schema\": \"onus-result/1\"", "" },
	{ "another schema", "result/1", "result/2", "/schema" },
	{ "no schema", "\"schema\"", "\"fault\"", "/schema" },
	{ "an unknown member", "\"seed\"", "\"sed\": 1, \"seed\"", "" },
	{ "an unknown member of a case", "\"id\"", "\"totals\": 1, \"id\"", "/cases/0" },
	{ "a member is missing", "\"version\": \"0.1.0\", ", "", "/version" },
	{ "a number for a text", "\"0.1.0\"", "1", "/version" },
	{ "a text for a number", "\"cells\": 1", "\"cells\": \"1\"", "/cases/0/cells" },
	{ "half a check", "\"checks\": 1", "\"checks\": 0.5", "/cases/0/checks" },
	{ "less than nothing", "\"requests\": 1", "\"requests\": -1", "/cases/0/requests" },
	{ "more than 2^53", "\"planned\": 1", "\"planned\": 9007199254740994", "/planned" },
	{ "more than a double holds", "\"planned\": 1", "\"planned\": 1e999", "" },
	{ "a line past an int", "\"line\": 1", "\"line\": 2147483648",
		"/cases/0/findings/0/place/line" },
	{ "a seed without its prefix", "0x1", "1", "/seed" },
	{ "a seed in capitals", "0x1", "0xA", "/seed" },
	{ "a seed with leading zeros", "0x1", "0x01", "/seed" },
	{ "a seed of 65 bits", "0x1", "0x10000000000000000", "/seed" },
	{ "a seed with more behind it", "0x1", "0x1 ", "/seed" },
	{ "an outcome that is none", "\"failed\"", "\"fail\"", "/cases/0/outcome" },
	{ "a list that is none", "\"problems\": [], \"cases\"", "\"problems\": {}, \"cases\"",
		"/problems" },
	{ "an item that is no object", "\"problems\": [], \"cases\"",
		"\"problems\": [1], \"cases\"", "/problems/0" },
	{ "a problem of no kind", "\"problems\": [], \"cases\"",
		"\"problems\": [{\"kind\": \"bug\", \"place\": {\"line\": 0, \"col\": 0}, \"text\": \"\"}], "
		"\"cases\"",
		"/problems/0/kind" },
	{ "passed with a finding", "\"failed\"", "\"passed\"", "/cases/0" },
	{ "skipped with a finding", "\"failed\"", "\"skipped\", \"skip_reason\": \"x\"",
		"/cases/0" },
	{ "an error without a problem", "\"failed\"", "\"error\"", "/cases/0" },
	{ "the same member twice", "\"seed\"", "\"version\": \"2\", \"seed\"", "" },
};

static char *changed(const char *old, const char *new)
{
	const char *at = strstr(least, old);
	ck_assert_ptr_nonnull(at);
	char *text = calloc(1, sizeof least + strlen(new));
	ck_assert_ptr_nonnull(text);
	memcpy(text, least, (size_t)(at - least));
	strcat(text, new);
	strcat(text, at + strlen(old));
	return text;
}

START_TEST(forms)
{
	char *text = changed(rows[_i].old, rows[_i].new);
	struct arena *arena = arena_new();
	struct run_result result;
	struct err err = { 0 };
	enum rc rc = result_read(slice_of(text), arena, &result, &err);
	if (!rows[_i].where) {
		ck_assert_msg(rc == RC_OK, "%s: %s: %s", rows[_i].why, err.where, err.text);
	} else {
		ck_assert_msg(rc == RC_INVALID, "%s: was taken", rows[_i].why);
		ck_assert_msg(!strcmp(err.where, rows[_i].where), "%s: expected %s, found %s: %s",
			rows[_i].why, rows[_i].where, err.where, err.text);
		ck_assert_msg(err.text[0], "%s: no text", rows[_i].why);
	}
	arena_free(arena);
	free(text);
}
END_TEST

START_TEST(no_file)
{
	struct arena *arena = arena_new();
	struct run_result result;
	struct err err = { 0 };
	ck_assert_int_eq(result_read_file("harness/report/golden/absent.txt", arena, &result, &err),
		RC_ENVIRONMENT);
	ck_assert_str_eq(err.where, "harness/report/golden/absent.txt");
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("result_read");
	tcase_add_test(tests, round_trip);
	tcase_add_test(tests, values);
	tcase_add_loop_test(tests, forms, 0, (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tests, no_file);
	Suite *suite = suite_create("report/result_read");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
