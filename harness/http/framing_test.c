#include "http/framing_testing.h"

static const struct row rows[] = {
	{ "RFC 9112 section 6.2: a length", "GET", TEXT(OK "Content-Length: 5\r\n\r\nhello"),
		FRAMING_DONE, FRAMING_LENGTH, 200, "hello", "" },
	{ "a length of 0", "GET", TEXT(OK "Content-Length: 0\r\n\r\n"), FRAMING_DONE,
		FRAMING_LENGTH, 200, "", "" },
	{ "white space around the value is no part of it", "GET",
		TEXT(OK "Content-Length: \t 2 \r\n\r\nhi"), FRAMING_DONE, FRAMING_LENGTH, 200, "hi",
		"" },
	{ "RFC 9112 section 6.3 rule 8: until the end", "GET", TEXT(OK "\r\nall of it"),
		FRAMING_IN_BODY, FRAMING_CLOSE, 200, "all of it", "" },
	{ "HTTP/1.0 until the end", "GET", TEXT("HTTP/1.0 200 OK\r\n\r\nold"), FRAMING_IN_BODY,
		FRAMING_CLOSE, 200, "old", "" },
	{ "RFC 9112 section 7.1: chunks in either case of hex", "GET",
		TEXT(CHUNKED "a\r\n0123456789\r\nA\r\nabcdefghij\r\n0\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "0123456789abcdefghij", "" },
	{ "leading zeros are digits", "GET", TEXT(CHUNKED "0003\r\nabc\r\n000\r\n\r\n"),
		FRAMING_DONE, FRAMING_CHUNKED, 200, "abc", "" },
	{ "chunk data may look like chunks", "GET",
		TEXT(CHUNKED "a\r\n0\r\n\r\n5\r\n\r\n\r\n0\r\n\r\n"), FRAMING_DONE, FRAMING_CHUNKED,
		200, "0\r\n\r\n5\r\n\r\n", "" },
	{ "RFC 9112 section 7.1.1: extensions", "GET",
		TEXT(CHUNKED "3;name\r\nabc\r\n2 ; a=b ;c = \"q;\\\"\"\r\nde\r\n0;last\r\n\r\n"),
		FRAMING_DONE, FRAMING_CHUNKED, 200, "abcde", "" },
	{ "RFC 9112 section 7.1.2: trailers", "GET",
		TEXT(CHUNKED "1\r\nx\r\n0\r\nDigest: abc\r\nOther: 1\r\n\r\n"), FRAMING_DONE,
		FRAMING_CHUNKED, 200, "x", "" },
	{ "RFC 9112 section 6.3 rule 1: HEAD", "HEAD", TEXT(OK "Content-Length: 5\r\n\r\n"),
		FRAMING_DONE, FRAMING_NO_BODY, 200, "", "" },
	{ "HEAD with the chunked of its GET", "HEAD", TEXT(CHUNKED), FRAMING_DONE, FRAMING_NO_BODY,
		200, "", "" },
	{ "304 with the length of its 200", "GET",
		TEXT("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"), FRAMING_DONE,
		FRAMING_NO_BODY, 304, "", "" },
	{ "204", "GET", TEXT("HTTP/1.1 204 No Content\r\n\r\n"), FRAMING_DONE, FRAMING_NO_BODY, 204,
		"", "" },
	{ "a reason may be empty, its space may not", "GET",
		TEXT("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"), FRAMING_DONE, FRAMING_LENGTH,
		200, "", "" },
	{ "RFC 9110 section 15.2: 1xx come before", "GET",
		TEXT("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" OK
		     "Content-Length: 1\r\n\r\nx"),
		FRAMING_DONE, FRAMING_LENGTH, 200, "x", "" },
	{ "101 is final; what follows is another protocol", "GET",
		TEXT("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x81\x05hello"),
		FRAMING_DONE, FRAMING_TUNNEL, 101, "", "" },
	{ "RFC 9112 section 6.3 rule 2: CONNECT", "CONNECT",
		TEXT("HTTP/1.1 200 Connected\r\nContent-Length: 5\r\n\r\nbytes"), FRAMING_DONE,
		FRAMING_TUNNEL, 200, "", "" },
	{ "nothing at all is no answer, and nothing is truncated", "GET", TEXT(""), FRAMING_IN_HEAD,
		FRAMING_UNKNOWN, 0, "", "" },
};

START_TEST(table_holds)
{
	check_cuts(&rows[_i]);
}
END_TEST

START_TEST(lines_are_read)
{
	struct outcome o = { 0 };
	static const char bytes[] =
		"HTTP/1.0 404 Not  Found\r\nA: one\r\nb:two \r\nA:\r\nF: x\r\n  y\r\n"
		"\t\r\n z\r\nContent-Length: 3\r\n\r\nabc";
	static const char *const expected[][2] = { { "A", "one" }, { "b", "two" }, { "A", "" },
		{ "F", "x y z" }, { "Content-Length", "3" } };
	outcome_init(&o, "GET");
	framing_push(&o.framing, slice_from(bytes, sizeof bytes - 1));
	const struct head *head = &o.framing.head;
	ck_assert_int_eq(head->version, 10);
	ck_assert(slice_is(head->reason, "Not  Found"));
	ck_assert_uint_eq(head->headers.count, 5);
	for (size_t i = 0; i < 5; i++) {
		ck_assert(slice_is(head->headers.list[i].name, expected[i][0]));
		ck_assert_msg(slice_is(head->headers.list[i].value, expected[i][1]), "value %.*s",
			SLICE_PRINT(head->headers.list[i].value));
	}
	ck_assert_uint_eq(o.framing.head_bytes.len, sizeof bytes - 1 - 3);
	outcome_release(&o);
}
END_TEST

START_TEST(layers_of_chunks)
{
	struct outcome o = { 0 };
	static const char body[] = "3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n";
	outcome_init(&o, "GET");
	framing_push(&o.framing, slice_of(CHUNKED));
	framing_push(&o.framing, slice_of(body));
	framing_push(&o.framing, slice_of("more"));
	ck_assert(slice_is(buf_slice(&o.wire), body));
	ck_assert_uint_eq(o.framing.trailers.count, 1);
	ck_assert(slice_is(o.framing.trailers.list[0].value, "v"));
	ck_assert_uint_eq(o.framing.surplus_bytes, 4);
	outcome_release(&o);
}
END_TEST

struct cap_row {
	const char *why, *start, *again;
	size_t times;
	enum framing_state state;
};

static const struct cap_row cap_rows[] = {
	{ "headers just below the cap", OK, "A: 34567890123456\r\n", 13000, FRAMING_IN_HEAD },
	{ "endless headers", OK, "A: 34567890123456\r\n", 14000, FRAMING_LIMIT },
	{ "an endless line", OK "A: ", "0123456789", 27000, FRAMING_LIMIT },
	{ "endless interim answers", "", "HTTP/1.1 100 Continue\r\n\r\n", 11000, FRAMING_LIMIT },
	{ "an endless extension", CHUNKED "1;", "abcdefghij", 2000, FRAMING_LIMIT },
	{ "endless trailers", CHUNKED "0\r\n", "A: 34567890123456\r\n", 14000, FRAMING_LIMIT },
	{ "an endless status line", "HTTP/1.1 200 ", "O", 300000, FRAMING_LIMIT },
	{ "a million folds are read in linear time", OK "A: b\r\n", " \r\n", 80000,
		FRAMING_IN_HEAD },
};

START_TEST(caps_hold)
{
	struct outcome o = { 0 };
	const struct cap_row *row = &cap_rows[_i];
	outcome_init(&o, "GET");
	framing_push(&o.framing, slice_of(row->start));
	for (size_t i = 0; i < row->times; i++)
		framing_push(&o.framing, slice_of(row->again));
	ck_assert_msg(o.framing.state == row->state, "%s: state %d", row->why, o.framing.state);
	ck_assert_uint_le(o.framing.pending.cap, HTTP_HEAD_MAX_BYTES + 1);
	outcome_release(&o);
}
END_TEST

START_TEST(several_requests_make_no_surplus)
{
	struct outcome o = { 0 };
	outcome_init(&o, "GET");
	o.framing.more_requests = true;
	framing_push(&o.framing, slice_of(OK "Content-Length: 0\r\n\r\n" OK "\r\n"));
	ck_assert_int_eq(o.framing.state, FRAMING_DONE);
	ck_assert_uint_eq(o.framing.violations.count, 0);
	outcome_release(&o);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("framing");
	TCase *tests = tcase_create("framing");
	tcase_add_loop_test(tests, table_holds, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, lines_are_read);
	tcase_add_test(tests, layers_of_chunks);
	tcase_add_loop_test(tests, caps_hold, 0, sizeof cap_rows / sizeof *cap_rows);
	tcase_add_test(tests, several_requests_make_no_surplus);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
