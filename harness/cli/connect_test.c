#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/connect.h"

static const struct {
	const char *text;
	bool takes;
} resolves[] = {
	{ "example.org:443:127.0.0.1", true },
	{ "example.org:443:::1", true },
	{ "example.org:443:[::1]", true },
	{ "example.org:80:127.0.0.1,[2001:db8::1]", true },
	{ "[::1]:80:127.0.0.1", true },
	{ "x", false },
	{ "", false },
	{ "example.org", false },
	{ "example.org:443", false },
	{ "example.org:443:", false },
	{ ":443:127.0.0.1", false },
	{ "example.org:0:127.0.0.1", false },
	{ "example.org:65536:127.0.0.1", false },
	{ "example.org:https:127.0.0.1", false },
	{ "example.org:443:localhost", false },
	{ "example.org:443:127.0.0.1,x", false },
	{ "[::1:80:127.0.0.1", false },
	{ "[x]:80:127.0.0.1", false },
};

START_TEST(resolved)
{
	struct err err = { 0 };
	enum rc rc = connect_check_resolve(resolves[_i].text, &err);
	ck_assert_msg((rc == RC_OK) == resolves[_i].takes, "%s: %s", resolves[_i].text, err.text);
	if (rc == RC_OK)
		return;
	ck_assert_int_eq(rc, RC_USAGE);
	ck_assert_str_eq(err.where, "--resolve");
	ck_assert_int_eq(strncmp(err.text, "expected HOST:PORT:ADDRESS, found ", 34), 0);
}
END_TEST

/* What the words after `onus load` make of the address of an https server, or the option that is refused and why. */
static const struct {
	const char *words, *scheme, *line, *text;
} rows[] = {
	{ "", "http", "http/1.1", NULL },
	{ "--http2", "https", "h2", NULL },
	{ "--http2c", "http", "h2c", NULL },
	{ "--unix-socket /s --proxy-protocol", "http", "http/1.1 proxy unix=/s", NULL },
	{ "--insecure --resolve h:1:127.0.0.1", "https", "http/1.1 insecure resolve=h:1:127.0.0.1",
		NULL },
	{ "--cert /dev/null", "https", "http/1.1 cert=/dev/null key=/dev/null", NULL },
	{ "--cert /dev/null --key /dev/zero --cacert /dev/full", "https",
		"http/1.1 cacert=/dev/full cert=/dev/null key=/dev/zero", NULL },
	{ "--http2", "http", "--http2", "expected an https URL; --http2c goes without TLS" },
	{ "--http2c", "https", "--http2c", "expected an http URL; --http2 goes over TLS" },
	{ "--http2 --http2c", "https", "--http2c", "expected one of --http2 and --http2c" },
	{ "--cert /dev/null", "http", "--cert", "expected an https URL" },
	{ "--key /dev/null", "https", "--key", "expected --cert beside it" },
	{ "--insecure", "http", "--insecure", "expected an https URL" },
	{ "--cert /no/such", "https", "/no/such",
		"expected the client's certificate: No such file or directory" },
	{ "--resolve h:1", "https", "--resolve", "expected HOST:PORT:ADDRESS, found \"h:1\"" },
};

static const char *line_of(const struct client_options *a, struct arena *arena)
{
	const struct {
		const char *name, *text;
	} texts[] = { { " unix=", a->unix_path }, { " cacert=", a->cacert },
		{ " cert=", a->certificate }, { " key=", a->key },
		{ " resolve=", a->resolve ? a->resolve[0] : NULL } };
	const char *line = arena_text(arena, protocol_name(a->protocol));
	line = arena_print(arena, "%s%s%s", line, a->proxy_line ? " proxy" : "",
		a->insecure ? " insecure" : "");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].text)
			line = arena_print(arena, "%s%s%s", line, texts[i].name, texts[i].text);
	return line;
}

static void parse(const char *words, enum option_set set, struct options *options)
{
	char *argv[16] = { "onus" }, *rest = NULL;
	int argc = 1;
	struct err err = { 0 };
	for (char *word = strtok_r(arena_text(options->arena, words), " ", &rest); word;
		word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	ck_assert_msg(options_parse(argc, argv, set, options, &err) == RC_OK, "%s", err.text);
}

START_TEST(read_as_they_are)
{
	struct options options = { .arena = arena_new() };
	struct client_options address = { .scheme = rows[_i].scheme, .host = "h", .port = 1 };
	struct err err = { 0 };
	parse(rows[_i].words, OPTIONS_LOAD, &options);
	enum rc rc = connect_read(&options, &address, &err);
	ck_assert_str_eq(rc == RC_OK ? line_of(&address, options.arena) : err.where, rows[_i].line);
	if (rows[_i].text)
		ck_assert_str_eq(err.text, rows[_i].text);
	ck_assert_int_eq(rc != RC_OK, rows[_i].text != NULL);
	arena_free(options.arena);
}
END_TEST

START_TEST(said_again_as_they_were)
{
	static const char words[] = " --resolve h:1:::1 --cacert c --insecure --cert 'a b' --key k "
				    "--http2 --unix-socket /s --proxy-protocol";
	struct options options = { .arena = arena_new() };
	char *argv[] = { "run", "--http2", "--proxy-protocol", "--key", "k", "--unix-socket", "/s",
		"--cert", "a b", "--insecure", "--cacert", "c", "--resolve", "h:1:::1" };
	struct err err = { 0 };
	ck_assert_int_eq(
		options_parse(sizeof argv / sizeof *argv, argv, OPTIONS_RUN, &options, &err),
		RC_OK);
	ck_assert_str_eq(connect_again(&options), words);
	arena_free(options.arena);
}
END_TEST

static const struct {
	const char *words, *given;
} needing[] = {
	{ "", NULL },
	{ "--insecure", NULL },
	{ "--cacert c", NULL },
	{ "--resolve h:1:::1", "--resolve" },
	{ "--http2", "--http2" },
	{ "--http2c", "--http2c" },
	{ "--unix-socket s", "--unix-socket" },
	{ "--proxy-protocol", "--proxy-protocol" },
	{ "--cert c --key k", "--cert" },
	{ "--key k", "--key" },
};

START_TEST(some_need_a_target)
{
	struct options options = { .arena = arena_new() };
	parse(needing[_i].words, OPTIONS_RUN, &options);
	ck_assert_pstr_eq(connect_given(&options), needing[_i].given);
	arena_free(options.arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("connect");
	tcase_add_loop_test(tests, resolved, 0, sizeof resolves / sizeof *resolves);
	tcase_add_loop_test(tests, read_as_they_are, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, said_again_as_they_were);
	tcase_add_loop_test(tests, some_need_a_target, 0, sizeof needing / sizeof *needing);
	Suite *suite = suite_create("cli/connect");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
