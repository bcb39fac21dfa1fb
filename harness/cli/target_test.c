#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/target.h"

static const struct {
	const char *url, *scheme, *host;
	int port;
} urls[] = {
	{ "http://127.0.0.1:8080", "http", "127.0.0.1", 8080 },
	{ "http://127.0.0.1:8080/", "http", "127.0.0.1", 8080 },
	{ "http://localhost", "http", "localhost", 80 },
	{ "https://example.org", "https", "example.org", 443 },
	{ "HTTPS://example.org:8443/", "https", "example.org", 8443 },
	{ "https://[::1]/", "https", "[::1]", 443 },
	{ "http://[2001:db8::1]:65535", "http", "[2001:db8::1]", 65535 },
};

START_TEST(taken)
{
	struct arena *arena = arena_new();
	struct client_options target;
	struct err err = { 0 };
	ck_assert_msg(target_parse(urls[_i].url, arena, &target, &err) == RC_OK, "%s: %s",
		urls[_i].url, err.text);
	ck_assert_str_eq(target.scheme, urls[_i].scheme);
	ck_assert_str_eq(target.host, urls[_i].host);
	ck_assert_int_eq(target.port, urls[_i].port);
	arena_free(arena);
}
END_TEST

#define FORM "expected a URL such as http://127.0.0.1:8080, found "

static const struct {
	const char *url, *text;
} refusals[] = {
	{ "", FORM "\"\"" },
	{ "127.0.0.1:8080", FORM "\"127.0.0.1:8080\"" },
	{ "localhost", FORM "\"localhost\"" },
	{ "http://", FORM "\"http://\"" },
	{ "http://a b/", FORM "\"http://a b/\"" },
	{ "http://host:99999", FORM "\"http://host:99999\"" },
	{ "http://host:x", FORM "\"http://host:x\"" },
	{ "ftp://host/", FORM "the scheme \"ftp\"" },
	{ "http://host/api", "expected a URL without a path: the cases have the targets" },
	{ "http://host/?x=1", "expected a URL without a path: the cases have the targets" },
	{ "http://host/#x", "expected a URL without a path: the cases have the targets" },
	{ "http://u:p@host/",
		"expected a URL without user and password: the cases have the headers" },
	{ "http://host:0", "expected a port from 1 to 65535" },
};

START_TEST(refused)
{
	struct arena *arena = arena_new();
	struct client_options target;
	struct err err = { 0 };
	ck_assert_msg(target_parse(refusals[_i].url, arena, &target, &err) == RC_USAGE, "%s",
		refusals[_i].url);
	ck_assert_str_eq(err.where, "--target");
	ck_assert_str_eq(err.text, refusals[_i].text);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("target");
	tcase_add_loop_test(tests, taken, 0, sizeof urls / sizeof *urls);
	tcase_add_loop_test(tests, refused, 0, sizeof refusals / sizeof *refusals);
	Suite *suite = suite_create("cli/target");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
