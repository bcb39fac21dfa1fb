#include "http/request.h"

#include <check.h>
#include <stdlib.h>

#define BYTES(t)                                                                                   \
	{                                                                                          \
		RAW_BYTES, { (const uint8_t *)(t), sizeof(t) - 1 }, 0                              \
	}

struct way_row {
	const char *why, *method, *target;
	struct request_header header;
	bool plain;
};

static const struct way_row ways[] = {
	{ "an ordinary GET", "GET", "/a?b=c", { "Accept", "*/*" }, false },
	{ "an empty value", "GET", "/", { "Accept", "" }, false },
	{ "bytes above ASCII", "GET", "/\xc3\xa9", { "A", "\xc3\xa9" }, false },
	{ "HEAD", "HEAD", "/", { "A", "b" }, true },
	{ "a condition", "GET", "/", { "If-None-Match", "*" }, true },
	{ "a condition in another case", "PUT", "/", { "if-match", "*" }, true },
	{ "If-Range", "GET", "/", { "If-Range", "\"a\"" }, true },
	{ "libcurl would drop the space", "GET", "/", { "A", " b" }, true },
	{ "libcurl would send no Host", "GET", "/", { "Host", "" }, true },
	{ "a name that is no token", "GET", "/", { "A b", "c" }, true },
	{ "a line end in a value", "GET", "/", { "A", "b\r\nC: d" }, true },
	{ "a space in the target", "GET", "/a b", { "A", "b" }, true },
	{ "asterisk-form", "OPTIONS", "*", { "A", "b" }, true },
	{ "a method that is no token", "G T", "/", { "A", "b" }, true },
};

START_TEST(ways_are_chosen)
{
	const struct way_row *row = &ways[_i];
	const struct request request = { .method = row->method,
		.target = row->target,
		.headers = &row->header,
		.header_count = 1 };
	ck_assert_msg(request_is_plain(&request) == row->plain, "%s", row->why);
}
END_TEST

struct raw_row {
	const char *why;
	struct raw_item item;
	size_t count;
	const char *method;
};

static const struct raw_row raws[] = {
	{ "one", BYTES("GET / HTTP/1.1\r\n\r\n"), 1, "GET" },
	{ "HEAD", BYTES("HEAD / HTTP/1.1\r\n\r\n"), 1, "HEAD" },
	{ "none that is whole", BYTES("GET / HT"), 1, "GET" },
	{ "an empty line behind it", BYTES("GET / HTTP/1.1\r\n\r\n\r\n"), 1, "GET" },
	{ "two", BYTES("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n"), 2, "GET" },
	{ "LF alone", BYTES("GET / HTTP/1.1\n\nHEAD / HTTP/1.1\n\n"), 2, "GET" },
	{ "the second is not whole", BYTES("GET / HTTP/1.1\r\n\r\nGET / "), 2, "GET" },
	{ "a body that looks like one",
		BYTES("PUT / HTTP/1.1\r\nContent-Length: 18\r\n\r\n"
		      "GET / HTTP/1.1\r\n\r\n"),
		1, "GET" },
	{ "one behind a body",
		BYTES("PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
		      "abGET / HTTP/1.1\r\n\r\n"),
		2, "GET" },
	{ "chunked goes before a length",
		BYTES("PUT / HTTP/1.1\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n"
		      "1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n"),
		2, "GET" },
	{ "a body that is short", BYTES("PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\nab"), 1,
		"GET" },
};

START_TEST(raw_requests_are_counted)
{
	const struct raw_row *row = &raws[_i];
	const struct request request = { .raw = &row->item, .raw_count = 1 };
	struct raw_facts facts = request_raw_facts(&request);
	ck_assert_msg(facts.count == row->count, "%s: %zu", row->why, facts.count);
	ck_assert_str_eq(facts.method, row->method);
}
END_TEST

struct head_row {
	const char *why;
	struct request request;
	const char *head;
};

static const struct request_header host = { "host", "other" };
static const struct request_header length = { "Content-Length", "9" };

static const struct head_row heads[] = {
	{ "Host is the only addition", { .method = "HEAD", .target = "/../a" },
		"HEAD /../a HTTP/1.1\r\nHost: h:1\r\n\r\n" },
	{ "unless it is named",
		{ .method = "GET", .target = "/", .headers = &host, .header_count = 1 },
		"GET / HTTP/1.1\r\nhost: other\r\n\r\n" },
	{ "or left out on purpose", { .method = "GET", .target = "/", .without_host = true },
		"GET / HTTP/1.1\r\n\r\n" },
	{ "RFC 9110 section 8.6: POST without a body", { .method = "POST", .target = "/" },
		"POST / HTTP/1.1\r\nHost: h:1\r\nContent-Length: 0\r\n\r\n" },
	{ "a length that is named stays, though wrong",
		{ .method = "PUT", .target = "/", .headers = &length, .header_count = 1 },
		"PUT / HTTP/1.1\r\nHost: h:1\r\nContent-Length: 9\r\n\r\n" },
};

START_TEST(heads_are_written)
{
	struct buf head;
	buf_init(&head, 4096);
	request_write_head(&heads[_i].request, "h:1", &head);
	ck_assert_str_eq((const char *)head.data, heads[_i].head);
	buf_release(&head);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("request");
	TCase *tests = tcase_create("request");
	tcase_add_loop_test(tests, ways_are_chosen, 0, sizeof ways / sizeof *ways);
	tcase_add_loop_test(tests, raw_requests_are_counted, 0, sizeof raws / sizeof *raws);
	tcase_add_loop_test(tests, heads_are_written, 0, sizeof heads / sizeof *heads);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
