#include <errno.h>
#include <sys/stat.h>

#include "drive/drive_testing.h"
#include "drive/require.h"
#include "sut/cap.h"

/* As dpkg --compare-versions orders such numbers. */
static const struct {
	const char *wanted, *found;
	bool holds;
} versions[] = {
	{ ">= 2.4", "2.4", true },
	{ ">= 2.4", "2.10", true },
	{ ">= 2.10", "2.9", false },
	{ ">= 2.4", "2.4.0", true },
	{ ">= 2.4.1", "2.4", false },
	{ "> 2.4", "2.4", false },
	{ "> 2.4", "2.4.1", true },
	{ "> 2", "10.0", true },
	{ "< 3", "2.99.99", true },
	{ "< 3", "3.0", false },
	{ "<= 3", "3.0.0", true },
	{ "<= 3", "3.0.1", false },
	{ "= 1.22.1", "1.22.1", true },
	{ "= 1.22.1", "1.22", false },
	{ "== 1.22", "1.22.0", true },
	{ ">=2", "2", true },
	{ ">= 20230101", "20221231.5", false },
};

START_TEST(compared)
{
	ck_assert_msg(
		require_version(versions[_i].wanted, versions[_i].found) == versions[_i].holds,
		"%s of %s", versions[_i].wanted, versions[_i].found);
}
END_TEST

#define CASE(requires) "{\"title\": \"t\", \"requires\": [" requires "], \"steps\": [\"/\"]}"

/* "tool" says that it is 2.4.1; "old" only with -v; "mute" says nothing. */
static const struct {
	const char *text, *reason, *error, *why;
} requirements[] = {
	{ CASE("{\"command\": \"tool\"}"), NULL, NULL, "there" },
	{ CASE("{\"command\": \"onus-no-such\"}"), "onus-no-such not found in PATH", NULL, "not" },
	{ CASE("{\"command\": \"./tool\"}"), NULL, NULL, "a path" },
	{ CASE("{\"command\": \"./none\"}"), "./none not found in PATH", NULL, "no such path" },
	{ CASE("{\"command\": \"folder\"}"), "folder not found in PATH", NULL, "a folder" },
	{ CASE("{\"command\": \"plain\"}"), "plain not found in PATH", NULL, "not executable" },
	{ CASE("{\"command\": \"tool\", \"version\": \">= 2.4\"}"), NULL, NULL, "new enough" },
	{ CASE("{\"command\": \"tool\", \"version\": \">= 2.5\"}"),
		"tool is 2.4.1, needed is >= 2.5", NULL, "too old" },
	{ CASE("{\"command\": \"old\", \"version\": \"= 1.6\"}"), NULL, NULL, "by -v" },
	{ CASE("{\"command\": \"mute\", \"version\": \">= 1\"}"), NULL, "mute tells no version",
		"none" },
	{ CASE("{\"command\": \"tool\"}, {\"command\": \"none\"}"), "none not found in PATH", NULL,
		"all of them" },
	{ CASE("{\"sut\": \"owned\"}"), NULL, NULL, "it has its own SUT" },
	{ CASE("{\"feature\": \"memory_cap\"}, {\"command\": \"none\"}"), "*", NULL,
		"one way or the other" },
};

static void program(const char *path, const char *text, mode_t mode)
{
	FILE *file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_int_eq(chmod(path, mode), 0);
}

/* In a folder of their own, and in PATH before what looks programs up is forked. */
static void programs(char *folder)
{
	char path[4096];
	ck_assert(mkdtemp(folder) && chdir(folder) == 0);
	program("tool", "#!/bin/sh\necho tool version 2.4.1-3, built 2023\n", 0755);
	program("old", "#!/bin/sh\ntest $1 = -v && echo old/1.6 >&2 || echo usage\n", 0755);
	program("mute", "#!/bin/sh\n", 0755);
	program("plain", "#!/bin/sh\n", 0644);
	ck_assert_int_eq(mkdir("folder", 0755), 0);
	snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
	setenv("PATH", path, 1);
}

/* What a machine allows is asked of it here as well, by a group that is made. */
static const char *capped(struct bench *b)
{
	struct cap cap;
	char why[1024];
	if (!cap_open(&cap, 1 << 20)) {
		cap_why(&cap, errno, why, sizeof why);
		return arena_text(b->arena, why);
	}
	cap_close(&cap);
	return "none not found in PATH";
}

START_TEST(required)
{
	struct bench b;
	struct err err = { 0 };
	const char *reason;
	char folder[] = "/tmp/require_test.XXXXXX";
	programs(folder);
	bench_open(&b, NULL, 0);
	bench_suite(&b, "{\"sut\": {\"command\": [\"x\"]}}");
	struct case_file *one = bench_load(&b, requirements[_i].text, "x");
	enum rc rc = require_check(&b.run, one, b.arena, &reason, &err);
	ck_assert_msg(rc == (requirements[_i].error ? RC_ENVIRONMENT : RC_OK), "%s: %s",
		requirements[_i].why, err.text);
	if (requirements[_i].error)
		ck_assert_str_eq(err.text, requirements[_i].error);
	else if (requirements[_i].reason && requirements[_i].reason[0] == '*')
		ck_assert_pstr_eq(reason, capped(&b));
	else if (requirements[_i].reason)
		ck_assert_pstr_eq(reason, requirements[_i].reason);
	else
		ck_assert_msg(!reason, "%s: %s", requirements[_i].why, reason);
	case_free(one);
	bench_close(&b);
	files_remove(folder);
}
END_TEST

static const struct {
	const char *text;
	bool runs;
	const char *why;
} targeted[] = {
	{ "{\"title\": \"t\", \"steps\": [\"/\"]}", true, "any case" },
	{ CASE("{\"sut\": \"owned\"}"), false, "it says so" },
	{ CASE("{\"feature\": \"memory_cap\"}"), false, "a cap is of a SUT that onus starts" },
	{ "{\"title\": \"t\", \"sut\": {\"env\": {}}, \"steps\": [\"/\"]}", false, "sut" },
	{ "{\"title\": \"t\", \"suts\": {\"a\": {}}, \"to\": \"a\", \"steps\": [\"/\"]}", false,
		"suts" },
	{ "{\"title\": \"t\", \"steps\": [{\"group\": [{\"refuses\": {\"env\": {}}}]}]}", false,
		"refuses, deep inside" },
};

START_TEST(of_a_target)
{
	struct bench b;
	struct err err = { 0 };
	const char *reason;
	bench_open(&b, NULL, 0);
	struct case_file *one = bench_load(&b, targeted[_i].text, "x");
	b.target = (struct client_options){ .scheme = "http", .host = "127.0.0.1", .port = 1 };
	b.run.target = &b.target;
	ck_assert(require_check(&b.run, one, b.arena, &reason, &err) == RC_OK);
	ck_assert_msg((reason == NULL) == targeted[_i].runs, "%s", targeted[_i].why);
	b.run.target = NULL;
	case_free(one);
	bench_close(&b);
}
END_TEST

static const struct {
	const char *steps, *reason;
} framed[] = {
	{ "[\"/\"]", NULL },
	{ "[{\"raw\": [\"GET / HTTP/1.1\"]}]",
		"`raw` sends bytes of HTTP/1.1, and HTTP/2 is spoken here" },
	{ "[{\"parallel\": {\"a\": [{\"get\": \"/\", \"expect\": {\"connection\": \"closed\"}}]}}]",
		"`connection: closed` is of HTTP/1.1: in HTTP/2 a stream ends, and its connection is kept" },
};

/* What HTTP/2 does not have is skipped with its reason, and never counts as done. */
START_TEST(of_a_target_over_http2)
{
	struct bench b;
	struct err err = { 0 };
	const char *reason;
	bench_open(&b, NULL, 0);
	const char *text =
		arena_print(b.arena, "{\"title\": \"t\", \"steps\": %s}", framed[_i].steps);
	struct case_file *one = bench_load(&b, text, "x");
	b.target = (struct client_options){
		.scheme = "http", .host = "127.0.0.1", .port = 1, .protocol = PROTOCOL_HTTP2C
	};
	b.run.target = &b.target;
	ck_assert(require_check(&b.run, one, b.arena, &reason, &err) == RC_OK);
	ck_assert_pstr_eq(reason, framed[_i].reason);
	b.target.protocol = PROTOCOL_HTTP1;
	ck_assert(require_check(&b.run, one, b.arena, &reason, &err) == RC_OK);
	ck_assert_ptr_null(reason);
	b.run.target = NULL;
	case_free(one);
	bench_close(&b);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("require");
	tcase_add_loop_test(tests, compared, 0, COUNT(versions));
	tcase_add_loop_test(tests, required, 0, COUNT(requirements));
	tcase_add_loop_test(tests, of_a_target, 0, COUNT(targeted));
	tcase_add_loop_test(tests, of_a_target_over_http2, 0, COUNT(framed));
	Suite *suite = suite_create("drive/require");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
