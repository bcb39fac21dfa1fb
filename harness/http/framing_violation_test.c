#include "http/framing_testing.h"

static const struct row rows[] = {
	{ "another protocol", "GET", TEXT("SSH-2.0-OpenSSH_9.2\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 0, "", "bad-status-line" },
	{ "HTTP/0.9: a body alone", "GET", TEXT("<html>"), FRAMING_BROKEN, FRAMING_UNKNOWN, 0, "",
		"bad-status-line" },
	{ "the name is case-sensitive", "GET", TEXT("http/1.1 200 OK\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 0, "", "bad-status-line" },
	{ "another major version", "GET", TEXT("HTTP/2 200\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 0, "", "bad-status-line" },
	{ "two digits of status", "GET", TEXT("HTTP/1.1 20 OK\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 0, "", "bad-status-line" },
	{ "four digits of status", "GET", TEXT("HTTP/1.1 2000 OK\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 0, "", "bad-status-line" },
	{ "an empty line before the answer", "GET", TEXT("\r\n" OK "\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 0, "", "bad-status-line" },
	{ "the space behind the status is due", "GET",
		TEXT("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"), FRAMING_DONE, FRAMING_LENGTH,
		200, "", "bad-status-line" },
	{ "no status of any class", "GET", TEXT("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"),
		FRAMING_DONE, FRAMING_LENGTH, 999, "", "bad-status-line" },
	{ "LF alone", "GET", TEXT("HTTP/1.1 200 OK\nContent-Length: 1\n\nx"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "x", "bare-lf" },
	{ "LF alone in chunks", "GET", TEXT(CHUNKED "1\nx\r\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "x", "bare-lf" },
	{ "LF alone behind a chunk's data", "GET", TEXT(CHUNKED "1\r\nx\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "x", "bare-lf" },
	{ "CR alone", "GET", TEXT(OK "A: b\rContent-Length: 9\r\nContent-Length: 0\r\n\r\n"),
		FRAMING_DONE, FRAMING_LENGTH, 200, "", "bare-cr" },
	{ "a folded line", "GET", TEXT(OK "A: b\r\n\tc\r\nContent-Length: 0\r\n\r\n"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "", "obs-fold" },
	{ "a folded line before any header", "GET",
		TEXT(OK " Content-Length: 9\r\nContent-Length: 0\r\n\r\n"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "", "obs-fold" },
	{ "no colon", "GET", TEXT(OK "Garbage\r\nContent-Length: 0\r\n\r\n"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "", "bad-header-name" },
	{ "a name with a space in it", "GET", TEXT(OK "A b: c\r\nContent-Length: 0\r\n\r\n"),
		FRAMING_DONE, FRAMING_LENGTH, 200, "", "bad-header-name" },
	{ "an empty name", "GET", TEXT(OK ": c\r\nContent-Length: 0\r\n\r\n"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "", "bad-header-name" },
	{ "a user agent drops the space before a colon", "GET",
		TEXT(OK "Content-Length : 1\r\n\r\nx"), FRAMING_DONE, FRAMING_LENGTH, 200, "x",
		"space-before-colon" },
	{ "NUL", "GET", TEXT(OK "A: b\0c\r\nContent-Length: 0\r\n\r\n"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "", "nul-in-header" },
	{ "another control byte", "GET", TEXT(OK "A: \x01\r\nContent-Length: 0\r\n\r\n"),
		FRAMING_DONE, FRAMING_LENGTH, 200, "", "control-in-header" },
	{ "a negative length", "GET", TEXT(OK "Content-Length: -1\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 200, "", "bad-length" },
	{ "a signed length", "GET", TEXT(OK "Content-Length: +5\r\n\r\nhello"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 200, "", "bad-length" },
	{ "2^63", "GET", TEXT(OK "Content-Length: 9223372036854775808\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 200, "", "bad-length" },
	{ "an empty length", "GET", TEXT(OK "Content-Length:\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 200, "", "bad-length" },
	{ "RFC 9112 section 6.3 rule 5: two lengths", "GET",
		TEXT(OK "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx"), FRAMING_BROKEN,
		FRAMING_UNKNOWN, 200, "", "lengths-differ" },
	{ "two lengths in one line", "GET", TEXT(OK "Content-Length: 1, 2\r\n\r\nxx"),
		FRAMING_BROKEN, FRAMING_UNKNOWN, 200, "", "lengths-differ" },
	{ "the same length twice can be used", "GET",
		TEXT(OK "Content-Length: 2\r\nContent-Length: 2\r\n\r\nxx"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "xx", "length-repeated" },
	{ "chunked goes before a length", "GET",
		TEXT(OK "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
		FRAMING_DONE, FRAMING_CHUNKED, 200, "x", "length-and-chunked" },
	{ "1xx with a length", "GET",
		TEXT("HTTP/1.1 100 Continue\r\nContent-Length: 2\r\n\r\n" OK
		     "Content-Length: 0\r\n\r\n"),
		FRAMING_DONE, FRAMING_LENGTH, 200, "", "length-in-1xx" },
	{ "1xx with a transfer coding", "GET",
		TEXT("HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n" OK
		     "Content-Length: 0\r\n\r\n"),
		FRAMING_DONE, FRAMING_LENGTH, 200, "", "transfer-coding-in-1xx" },
	{ "204 with a length", "GET", TEXT("HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n"),
		FRAMING_DONE, FRAMING_NO_BODY, 204, "", "length-in-204" },
	{ "204 with a transfer coding", "GET",
		TEXT("HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n"), FRAMING_DONE,
		FRAMING_NO_BODY, 204, "", "transfer-coding-in-204" },
	{ "a coding that was not asked for", "GET",
		TEXT(OK "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "", "unknown-transfer-coding" },
	{ "identity is none since RFC 7230", "GET", TEXT(OK "Transfer-Encoding: identity\r\n\r\nx"),
		FRAMING_IN_BODY, FRAMING_CLOSE, 200, "x", "unknown-transfer-coding" },
	{ "a smuggling classic: xchunked", "GET",
		TEXT(OK "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"), FRAMING_IN_BODY,
		FRAMING_CLOSE, 200, "0\r\n\r\n", "unknown-transfer-coding" },
	{ "another: chunked behind a vertical tab", "GET",
		TEXT(OK "Transfer-Encoding: \x0b"
			"chunked\r\n\r\n0\r\n\r\n"),
		FRAMING_IN_BODY, FRAMING_CLOSE, 200, "0\r\n\r\n",
		"control-in-header unknown-transfer-coding" },
	{ "RFC 9112 section 6.3 rule 4: until the end", "GET",
		TEXT(OK "Transfer-Encoding: chunked, gzip\r\n\r\nx"), FRAMING_IN_BODY,
		FRAMING_CLOSE, 200, "x", "unknown-transfer-coding chunked-not-last" },
	{ "chunked twice", "GET",
		TEXT(OK "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
		FRAMING_DONE, FRAMING_CHUNKED, 200, "", "chunked-twice" },
	{ "HTTP/1.0 has no transfer codings", "GET",
		TEXT("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
		FRAMING_DONE, FRAMING_CHUNKED, 200, "", "chunked-in-http10" },
	{ "0x is no digit", "GET", TEXT(CHUNKED "0x3\r\nabc\r\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "", "bad-chunk-extension bad-header-name" },
	{ "a chunk's size is missing", "GET", TEXT(CHUNKED "\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_CHUNKED, 200, "", "bad-chunk-size" },
	{ "a negative chunk", "GET", TEXT(CHUNKED "-1\r\n\r\n"), FRAMING_BROKEN, FRAMING_CHUNKED,
		200, "", "bad-chunk-size" },
	{ "a space before a size", "GET", TEXT(CHUNKED " 1\r\nx\r\n0\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_CHUNKED, 200, "", "bad-chunk-size" },
	{ "2^64 + 3: some count it as 3", "GET",
		TEXT(CHUNKED "10000000000000003\r\nabc\r\n0\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_CHUNKED, 200, "", "bad-chunk-size" },
	{ "2^63 - 1 is the largest", "GET", TEXT(CHUNKED "7fffffffffffffff\r\nabc"),
		FRAMING_IN_BODY, FRAMING_CHUNKED, 200, "abc", "truncated" },
	{ "a space behind a size", "GET", TEXT(CHUNKED "1 \r\nx\r\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "x", "bad-chunk-extension" },
	{ "an extension without name", "GET", TEXT(CHUNKED "1;\r\nx\r\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "x", "bad-chunk-extension" },
	{ "an open quotation", "GET", TEXT(CHUNKED "1;a=\"b\r\nx\r\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "x", "bad-chunk-extension" },
	{ "data longer than its size", "GET", TEXT(CHUNKED "1\r\nxy\r\n0\r\n\r\n"), FRAMING_BROKEN,
		FRAMING_CHUNKED, 200, "x", "bad-chunk-end" },
	{ "RFC 9110 section 6.5.1", "GET", TEXT(CHUNKED "0\r\nContent-Length: 5\r\n\r\n"),
		FRAMING_DONE, FRAMING_CHUNKED, 200, "", "trailer-not-allowed" },
	{ "a body behind HEAD's head", "HEAD", TEXT(OK "Content-Length: 5\r\n\r\nhello"),
		FRAMING_DONE, FRAMING_NO_BODY, 200, "", "body-on-head" },
	{ "a body behind 204", "GET", TEXT("HTTP/1.1 204 No\r\n\r\nx"), FRAMING_DONE,
		FRAMING_NO_BODY, 204, "", "body-on-204" },
	{ "a body behind 304", "GET", TEXT("HTTP/1.1 304 No\r\n\r\nx"), FRAMING_DONE,
		FRAMING_NO_BODY, 304, "", "body-on-304" },
	{ "more than the length", "GET", TEXT(OK "Content-Length: 1\r\n\r\nxy"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "x", "surplus" },
	{ "more than the chunks", "GET", TEXT(CHUNKED "0\r\n\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "", "surplus" },
	{ "an answer that nobody asked for", "GET",
		TEXT(OK "Content-Length: 0\r\n\r\n" OK "Content-Length: 0\r\n\r\n"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "", "surplus" },
	{ "cut in the status line", "GET", TEXT("HTTP/1.1 20"), FRAMING_IN_HEAD, FRAMING_UNKNOWN, 0,
		"", "truncated" },
	{ "cut in the head", "GET", TEXT(OK "Content-Length: 5\r\n"), FRAMING_IN_HEAD,
		FRAMING_UNKNOWN, 0, "", "truncated" },
	{ "cut behind a 1xx", "GET", TEXT("HTTP/1.1 100 Continue\r\n\r\n"), FRAMING_IN_HEAD,
		FRAMING_UNKNOWN, 0, "", "truncated" },
	{ "cut in the body", "GET", TEXT(OK "Content-Length: 5\r\n\r\nhell"), FRAMING_IN_BODY,
		FRAMING_LENGTH, 200, "hell", "truncated" },
	{ "cut before the last chunk", "GET", TEXT(CHUNKED "1\r\nx\r\n"), FRAMING_IN_BODY,
		FRAMING_CHUNKED, 200, "x", "truncated" },
	{ "cut before the empty line of the last chunk", "GET", TEXT(CHUNKED "1\r\nx\r\n0\r\n"),
		FRAMING_IN_BODY, FRAMING_CHUNKED, 200, "x", "truncated" },
};

START_TEST(table_holds)
{
	check_cuts(&rows[_i]);
}
END_TEST

/* What only the connection can see: client_test.c provokes the first two, http2_test.c the others. */
static bool of_the_connection(const char *name)
{
	static const char *const names[] = { "unasked", "unreadable", "other-version",
		"stream-reset", "refused-stream", "goaway", "connection-error" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

START_TEST(every_kind_is_provoked)
{
	for (size_t i = 0; framing_violation_at(i); i++) {
		const struct framing_violation *row = framing_violation_at(i);
		ck_assert(row->name && row->help && row->source);
		bool found = of_the_connection(row->name);
		for (size_t r = 0; r < sizeof rows / sizeof *rows && !found; r++)
			found = strstr(rows[r].violations, row->name) != NULL;
		ck_assert_msg(found, "no row provokes %s", row->name);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("framing_violation");
	TCase *tests = tcase_create("framing_violation");
	tcase_add_loop_test(tests, table_holds, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, every_kind_is_provoked);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
