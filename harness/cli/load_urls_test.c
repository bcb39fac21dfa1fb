#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/load_urls.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const struct {
	const char *text, *server, *target, *why;
	double weight;
} good[] = {
	{ "http://127.0.0.1:8080/", "http 127.0.0.1 8080", "/", NULL, 1 },
	{ "http://127.0.0.1:8080", "http 127.0.0.1 8080", "/", "no path", 1 },
	{ "https://example.org/a/b", "https example.org 443", "/a/b", "the scheme's port", 1 },
	{ "http://h", "http h 80", "/", "the scheme's port", 1 },
	{ "http://[::1]:8080/x", "http [::1] 8080", "/x", "RFC 3986 section 3.2.2", 1 },
	{ "http://h/a?b=c&d", "http h 80", "/a?b=c&d", "a query", 1 },
	{ "http://h?q=1", "http h 80", "/?q=1", "RFC 9112 section 3.2.1: an empty path is /", 1 },
	{ "http://h/a#part", "http h 80", "/a", "a fragment is never sent", 1 },
	{ "http://h#part", "http h 80", "/", "a fragment is never sent", 1 },
	{ "http://h/a/../b/./c", "http h 80", "/a/../b/./c", "as written", 1 },
	{ "http://h/%7euser//x", "http h 80", "/%7euser//x", "as written", 1 },
	{ "http://h/a?x=http://other/", "http h 80", "/a?x=http://other/", "one in the query", 1 },
	{ "3*http://h/a", "http h 80", "/a", "a weight", 3 },
	{ "0.25*http://h/a", "http h 80", "/a", "a weight", 0.25 },
	{ "http://h/a*b", "http h 80", "/a*b", "a star in the path is no weight", 1 },
	{ "HTTP://h/", "http h 80", "/", "RFC 3986 section 3.1: schemes have no case", 1 },
};

START_TEST(taken)
{
	struct arena *arena = arena_new();
	struct load_urls urls = { 0 };
	struct err err = { 0 };
	enum rc rc = load_urls_add(&urls, good[_i].text, arena, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", good[_i].text, err.text);
	ck_assert_str_eq(
		arena_print(arena, "%s %s %d", urls.scheme, urls.host, urls.port), good[_i].server);
	ck_assert_uint_eq(urls.count, 1);
	ck_assert_str_eq(urls.list[0].target, good[_i].target);
	ck_assert_double_eq(urls.list[0].weight, good[_i].weight);
	ck_assert_int_eq(urls.tls, strncmp(good[_i].server, "https", 5) == 0);
	arena_free(arena);
}
END_TEST

#define FORM "expected a URL such as http://127.0.0.1:8080/"

static const struct {
	const char *text, *error;
} bad[] = {
	{ "127.0.0.1:8080/x",
		FORM ", found \"127.0.0.1:8080/x\"; did you mean http://127.0.0.1:8080/x?" },
	{ "/x", FORM ", found \"/x\"" },
	{ "", FORM ", found \"\"" },
	{ "ftp://h/", FORM ", found the scheme \"ftp\"" },
	{ "http://", FORM },
	{ "http:///x", FORM },
	{ "http://h:0/", "expected a port from 1 to 65535" },
	{ "http://h:65536/", FORM },
	{ "http://h:x/", FORM },
	{ "http://a b/", FORM },
	{ "http://[::1/", FORM },
	{ "http://u:p@h/", "expected a URL without user and password" },
	{ "http://h/a b", "expected a URL without spaces and control characters, found \"/a b\"" },
	{ "http://h/a\r\nX: y", "expected a URL" },
	{ "0*http://h/", "expected a weight above 0 in front of the *, found \"0\"" },
	{ "-1*http://h/", "expected a weight above 0 in front of the *, found \"-1\"" },
	{ "x*http://h/", "expected a weight above 0 in front of the *, found \"x\"" },
	{ "*http://h/", "expected a weight above 0 in front of the *, found \"\"" },
	{ "inf*http://h/", "expected a weight above 0 in front of the *, found \"inf\"" },
};

START_TEST(refused)
{
	struct arena *arena = arena_new();
	struct load_urls urls = { 0 };
	struct err err = { 0 };
	ck_assert_msg(
		load_urls_add(&urls, bad[_i].text, arena, &err) == RC_USAGE, "%s", bad[_i].text);
	ck_assert_msg(strncmp(err.text, bad[_i].error, strlen(bad[_i].error)) == 0, "%s: %s",
		bad[_i].text, err.text);
	ck_assert_uint_eq(urls.count, 0);
	arena_free(arena);
}
END_TEST

START_TEST(of_one_server)
{
	static const char *const others[] = { "https://h:80/", "http://h:81/", "http://g/" };
	struct arena *arena = arena_new();
	struct load_urls urls = { 0 };
	struct err err = { 0 };
	ck_assert(load_urls_add(&urls, "http://h/a", arena, &err) == RC_OK);
	ck_assert(load_urls_add(&urls, "2*http://H:80/b", arena, &err) == RC_OK);
	ck_assert_uint_eq(urls.count, 2);
	for (size_t i = 0; i < sizeof others / sizeof(const char *); i++) {
		ck_assert(load_urls_add(&urls, others[i], arena, &err) == RC_USAGE);
		ck_assert_ptr_nonnull(strstr(err.text, "expected all URLs to be of one server"));
	}
	ck_assert_str_eq(urls.host, "H");
	ck_assert_uint_eq(urls.count, 2);
	while (urls.count < LOAD_URLS_MAX)
		ck_assert(load_urls_add(&urls, "http://h/a", arena, &err) == RC_OK);
	ck_assert(load_urls_add(&urls, "http://h/a", arena, &err) == RC_USAGE);
	arena_free(arena);
}
END_TEST

START_TEST(lines)
{
	struct arena *arena = arena_new();
	struct load_urls urls = { 0 };
	struct err err = { 0 };
	ck_assert(load_urls_add_lines(&urls,
			  slice_of("# a mix\n\nhttp://h/a\r\n  3*http://h/b  \nhttp://h/c"), arena,
			  &err) == RC_OK);
	ck_assert_uint_eq(urls.count, 3);
	ck_assert_str_eq(urls.list[0].target, "/a");
	ck_assert_double_eq(urls.list[1].weight, 3);
	ck_assert_str_eq(urls.list[2].target, "/c");
	ck_assert(
		load_urls_add_lines(&urls, slice_of("http://h/d\nh/e\n"), arena, &err) == RC_USAGE);
	ck_assert_str_eq(err.where, "standard input:2");
	ck_assert(load_urls_add_lines(&urls, slice_of("\n#\n"), arena, &err) == RC_USAGE);
	ck_assert_str_eq(err.text, "expected URLs, one a line, found none");
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_urls");
	tcase_add_loop_test(tests, taken, 0, COUNT(good));
	tcase_add_loop_test(tests, refused, 0, COUNT(bad));
	tcase_add_test(tests, of_one_server);
	tcase_add_test(tests, lines);
	Suite *suite = suite_create("cli/load_urls");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
