#include "case/case_testing.h"
#include "case/expand.h"

#define SUITE "{\"sut\": {\"command\": [\"x\"]}}"

static const struct {
	const char *one, *text, *why;
} expansions[] = {
	{ "{\"title\": \"t\", \"steps\": [\"/a\"]}", "ID/steps/0  get\n  GET /a\n", "the least" },
	{ "{\"title\": \"t\", \"headers\": {\"Accept-Encoding\": \"${accept}\"},"
	  " \"matrix\": {\"accept\": [null, \"gzip\"]},"
	  " \"steps\": [{\"get\": \"/${f}\", \"matrix\": {\"f\": [\"a\", \"b\"]}}]}",
		"ID/steps/0  get  accept=null, f=a\n  GET /a\n"
		"ID/steps/0  get  accept=null, f=b\n  GET /b\n"
		"ID/steps/0  get  accept=gzip, f=a\n  GET /a\n  Accept-Encoding: gzip\n"
		"ID/steps/0  get  accept=gzip, f=b\n  GET /b\n  Accept-Encoding: gzip\n",
		"every cell" },
	{ "{\"title\": \"t\", \"steps\": [{\"get\": \"/\", \"name\": \"page\", \"capture\": {\"id\":"
	  " {\"json\": \"/id\"}}}, {\"group\": [{\"put\": \"/${id}\", \"headers\": {\"If-Match\":"
	  " \"${page.headers.ETag}\", \"Host\": null}, \"json\": {\"id\": \"${id}\"}}]}]}",
		"ID/steps/0  get\n  GET /\n"
		"ID/steps/1/group/0  put\n  PUT /${id}\n  If-Match: ${page.headers.ETag}\n"
		"  Content-Type: application/json\n  (without Host)\n\n  {\"id\":\"${id}\"}\n",
		"what only an answer can bring stays as it is" },
	{ "{\"title\": \"t\", \"variables\": {\"t\": {\"generate\": \"text\", \"length\": 300,"
	  " \"alphabet\": \"x\"}}, \"steps\": [{\"post\": \"/\", \"body\": \"${t}\"},"
	  " {\"post\": \"/\", \"hex\": \"00ff\"}]}",
		"ID/steps/0  post\n  POST /\n\n"
		"  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
		"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\n"
		"ID/steps/1  post\n  POST /\n\n  (2 bytes)\n",
		"long bodies and bytes" },
	{ "{\"title\": \"t\", \"matrix\": {\"n\": {\"generate\": \"around\", \"of\": 2}},"
	  " \"variables\": {\"x\": {\"generate\": \"text\", \"alphabet\": \"x\", \"length\":"
	  " \"${n}\"}}, \"steps\": [\"/${x}\"]}",
		"ID/steps/0  get  n=1\n  GET /x\n"
		"ID/steps/0  get  n=2\n  GET /xx\n"
		"ID/steps/0  get  n=3\n  GET /xxx\n",
		"a generator of the case runs anew in each cell" },
	{ "{\"title\": \"t\", \"steps\": [{\"get\": \"/?${x}\", \"headers\": {\"X\": \"${x}\"},"
	  " \"matrix\": {\"n\": {\"generate\": \"ladder\", \"from\": 1, \"to\": 4}},"
	  " \"variables\": {\"x\": {\"generate\": \"text\", \"alphabet\": \"x\", \"length\":"
	  " \"${n}\"}}}]}",
		"ID/steps/0  get  n=1\n  GET /?x\n  X: x\n"
		"ID/steps/0  get  n=2\n  GET /?xx\n  X: xx\n"
		"ID/steps/0  get  n=4\n  GET /?xxxx\n  X: xxxx\n",
		"targets and headers by a ladder" },
	{ "{\"title\": \"t\", \"steps\": [{\"raw\": [\"GET /${seed} HTTP/1.1\", \"\","
	  " {\"pause\": \"5ms\"}]}, {\"exec\": [\"true\"]}]}",
		"ID/steps/0  raw\n  GET /0x2a HTTP/1.1\n  \n  {\"pause\":\"5ms\"}\n"
		"ID/steps/1  exec\n",
		"raw lines, and the seed" },
	{ "{\"title\": \"t\", \"steps\": [{\"get\": \"/\", \"headers\": {\"Authorization\":"
	  " \"Bearer ${env.ONUS_TEST_EXPAND}\"}}, {\"post\": \"/x\","
	  " \"body\": \"k=${env.ONUS_TEST_EXPAND}&\"}]}",
		"ID/steps/0  get\n  GET /\n  Authorization: Bearer ****\n"
		"ID/steps/1  post\n  POST /x\n\n  k=****&\n",
		"what comes from the environment is masked" },
};

START_TEST(expanded)
{
	struct world w;
	struct err err = { 0 };
	char *text = NULL;
	size_t size;
	world_open(&w, false);
	setenv("ONUS_TEST_EXPAND", "hush", 1);
	world_load_sound(&w, SUITE, expansions[_i].one);
	w.one->id = "ID";
	FILE *out = open_memstream(&text, &size);
	enum rc rc = expand_case(w.one, w.suite, 42, out, &err);
	fclose(out);
	ck_assert_msg(rc == RC_OK, "%s: %s", expansions[_i].why, err.text);
	ck_assert_msg(strcmp(text, expansions[_i].text) == 0, "%s:\n%s", expansions[_i].why, text);
	free(text);
	world_close(&w);
}
END_TEST

/* One seed, one text: what is printed is what a run with it sends. */
START_TEST(seeded)
{
	struct world w;
	struct err err = { 0 };
	char *texts[3];
	size_t size;
	world_open(&w, false);
	world_load_sound(&w, SUITE,
		"{\"title\": \"t\", \"variables\": {\"id\": {\"generate\": \"uuid\"}},"
		" \"steps\": [\"/${id}\", \"/${id}\"]}");
	for (int i = 0; i < 3; i++) {
		FILE *out = open_memstream(&texts[i], &size);
		ck_assert(expand_case(w.one, w.suite, i < 2 ? 7 : 8, out, &err) == RC_OK);
		fclose(out);
	}
	ck_assert_str_eq(texts[0], texts[1]);
	ck_assert_str_ne(texts[0], texts[2]);
	for (int i = 0; i < 3; i++)
		free(texts[i]);
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("expand");
	tcase_add_loop_test(tests, expanded, 0, COUNT(expansions));
	tcase_add_test(tests, seeded);
	Suite *suite = suite_create("case/expand");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
