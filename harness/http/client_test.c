#include "http/server_testing.h"

#define OK      "HTTP/1.1 200 OK\r\n"
#define TEXT(t) t, sizeof(t) - 1
#define S(target, ...)                                                                             \
	{                                                                                          \
		target, TEXT(__VA_ARGS__), AFTER_KEEP, 0, 0, NULL                                  \
	}

static const struct scenario scenarios[] = {
	S("/hello", OK "Content-Length: 5\r\n\r\nhello"),
	S("/chunked", OK "Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nT: v\r\n\r\n"),
	S("/zero", OK "Content-Length: 0\r\n\r\n"),
	S("/zero-surplus", OK "Content-Length: 0\r\n\r\nmore"),
	S("/surplus", OK "Content-Length: 5\r\n\r\nhellomore"),
	S("/204-body", "HTTP/1.1 204 No Content\r\n\r\nbody"),
	S("/304-body", "HTTP/1.1 304 Not Modified\r\n\r\nbody"),
	S("/chunked-surplus", OK "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nmore"),
	S("/bad-chunk", OK "Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n"),
	S("/lf", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"),
	S("/fold", OK "A: b\r\n c\r\nContent-Length: 5\r\n\r\nhello"),
	S("/nul", OK "A: b\0c\r\nContent-Length: 5\r\n\r\nhello"),
	S("/lengths", OK "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
	S("/bad-length", OK "Content-Length: five\r\n\r\nhello"),
	S("/both", OK
		"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
	S("/early", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" OK
		    "Content-Length: 5\r\n\r\nhello"),
	{ "/switch",
		TEXT("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxyz"),
		AFTER_HOLD, 0, 0, NULL },
	{ "/09", TEXT("<html>hello</html>"), AFTER_CLOSE, 0, 0, NULL },
	{ "/ssh", TEXT("SSH-2.0-OpenSSH\r\n"), AFTER_HOLD, 0, 0, NULL },
	{ "/close", TEXT(OK "\r\nhello"), AFTER_CLOSE, 0, 0, NULL },
	{ "/asked-close", TEXT(OK "Connection: close\r\nContent-Length: 5\r\n\r\nhello"),
		AFTER_CLOSE, 0, 0, NULL },
	{ "/close-surplus", TEXT(OK "Connection: close\r\nContent-Length: 5\r\n\r\nhellomore"),
		AFTER_CLOSE, 0, 0, NULL },
	{ "/short", TEXT(OK "Content-Length: 50\r\n\r\nhello"), AFTER_CLOSE, 0, 0, NULL },
	{ "/short-chunk", TEXT(OK "Transfer-Encoding: chunked\r\n\r\n50\r\nhello"), AFTER_CLOSE, 0,
		0, NULL },
	{ "/short-head", TEXT(OK "Content-Len"), AFTER_CLOSE, 0, 0, NULL },
	{ "/nothing", TEXT(""), AFTER_CLOSE, 0, 0, NULL },
	{ "/reset", TEXT(""), AFTER_RESET, 0, 0, NULL },
	{ "/reset-body", TEXT(OK "Content-Length: 50\r\n\r\nhello"), AFTER_RESET, 44, 50, NULL },
	{ "/later", TEXT(OK "Content-Length: 5\r\n\r\nhellomore"), AFTER_KEEP, 43, 300, NULL },
	{ "/quits", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_CLOSE, 0, 0, NULL },
	{ "/hold", TEXT(""), AFTER_HOLD, 0, 0, NULL },
	{ "/hold-body", TEXT(OK "Content-Length: 50\r\n\r\nhello"), AFTER_HOLD, 0, 0, NULL },
	{ "/slow", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 20, 60, NULL },
	{ "/endless-head", TEXT(OK), AFTER_ENDLESS, 0, 0, "A: 345678901234567890123456789012\r\n" },
	{ "/endless-line", TEXT(OK "A: "), AFTER_ENDLESS, 0, 0, "0123456789012345678901234567890" },
	{ "/endless-body", TEXT(OK "\r\n"), AFTER_ENDLESS, 0, 0,
		"0123456789012345678901234567890" },
};

struct row {
	const char *why, *target;
	enum failure failure;
	int status;
	const char *body, *violations;
	bool closed;
};

static const struct row rows[] = {
	{ "a length", "/hello", FAILURE_NONE, 200, "hello", "", false },
	{ "chunked, with extension and trailer", "/chunked", FAILURE_NONE, 200, "hello", "",
		false },
	{ "nothing", "/zero", FAILURE_NONE, 200, "", "", false },
	{ "libcurl drops these", "/zero-surplus", FAILURE_NONE, 200, "", "surplus", false },
	{ "surplus in one piece with the body", "/surplus", FAILURE_NONE, 200, "hello", "surplus",
		false },
	{ "surplus behind chunks", "/chunked-surplus", FAILURE_NONE, 200, "", "surplus", false },
	{ "204 to a GET", "/204-body", FAILURE_NONE, 204, "", "body-on-204", false },
	{ "304 to a GET without condition", "/304-body", FAILURE_NONE, 304, "", "body-on-304",
		false },
	{ "a bad chunk", "/bad-chunk", FAILURE_FRAMING, 200, "", "bad-chunk-size", false },
	{ "LF alone", "/lf", FAILURE_NONE, 200, "hello", "bare-lf", false },
	{ "a fold", "/fold", FAILURE_NONE, 200, "hello", "obs-fold", false },
	{ "lengths that differ", "/lengths", FAILURE_FRAMING, 200, "", "lengths-differ", false },
	{ "libcurl stops at it", "/bad-length", FAILURE_FRAMING, 0, "", "unreadable", false },
	{ "both", "/both", FAILURE_NONE, 200, "hello", "length-and-chunked", false },
	{ "1xx first", "/early", FAILURE_NONE, 200, "hello", "", false },
	{ "101 is the end of HTTP", "/switch", FAILURE_NONE, 101, "", "", false },
	{ "HTTP/0.9", "/09", FAILURE_FRAMING, 0, "", "bad-status-line", true },
	{ "another protocol", "/ssh", FAILURE_FRAMING, 0, "", "bad-status-line", false },
	{ "until the end", "/close", FAILURE_NONE, 200, "hello", "", true },
	{ "it says so", "/asked-close", FAILURE_NONE, 200, "hello", "", true },
	{ "surplus before the end", "/close-surplus", FAILURE_NONE, 200, "hello", "surplus", true },
	{ "cut in the body", "/short", FAILURE_CLOSED, 200, "hello", "truncated", true },
	{ "cut in a chunk", "/short-chunk", FAILURE_CLOSED, 200, "hello", "truncated", true },
	{ "cut in the head", "/short-head", FAILURE_CLOSED, 0, "", "truncated", true },
	{ "closed without a byte", "/nothing", FAILURE_CLOSED, 0, "", "", true },
	{ "reset without a byte", "/reset", FAILURE_RESET, 0, "", "", true },
	{ "reset in the body", "/reset-body", FAILURE_RESET, 200, "hello", "", true },
	{ "no answer", "/hold", FAILURE_TIMEOUT, 0, "", "", false },
	{ "no whole answer", "/hold-body", FAILURE_TIMEOUT, 200, "hello", "", false },
	{ "slow, but in time", "/slow", FAILURE_NONE, 200, "hello", "", false },
	{ "endless headers", "/endless-head", FAILURE_LIMIT, 0, "", "", false },
	{ "an endless line", "/endless-line", FAILURE_LIMIT, 0, "", "", false },
};

static void set_up(struct world *w)
{
	world_init(w, scenarios, sizeof scenarios / sizeof *scenarios);
}

static struct exchange *get_within(struct world *w, const char *target, int64_t within_ns)
{
	const struct request request = {
		.method = "GET", .target = target, .within_ns = within_ns
	};
	return client_exchange(w->client, &request);
}

static struct exchange *get(struct world *w, const char *target)
{
	return get_within(w, target, 10 * NS_PER_S);
}

static void check_exchange(const struct row *row, const struct exchange *x)
{
	char names[256];
	violation_names(x, names, sizeof names);
	ck_assert_msg(x->failure == row->failure, "%s: failure %d (%s), violations %s", row->why,
		x->failure, x->failure_text ? x->failure_text : "-", names);
	ck_assert_msg((x->failure == FAILURE_NONE) == (x->failure_text == NULL), "%s", row->why);
	ck_assert_msg(x->status == row->status, "%s: status %d", row->why, x->status);
	ck_assert_msg(strcmp(names, row->violations) == 0, "%s: violations %s", row->why, names);
	ck_assert_msg(slice_is(x->layers[LAYER_DECODED].kept, row->body), "%s: body %.*s", row->why,
		SLICE_PRINT(x->layers[LAYER_DECODED].kept));
	/* Behind bytes that are no HTTP, the end may be seen or not. */
	if (row->failure != FAILURE_FRAMING)
		ck_assert_msg(x->closed == row->closed, "%s: closed %d", row->why, x->closed);
	ck_assert_int_ge(x->timing.end_ns, x->timing.start_ns);
}

START_TEST(answers_are_judged)
{
	struct world w;
	set_up(&w);
	bool outlasts = rows[_i].failure == FAILURE_TIMEOUT;
	struct exchange *x =
		get_within(&w, rows[_i].target, outlasts ? 200 * NS_PER_MS : 10 * NS_PER_S);
	check_exchange(&rows[_i], x);
	exchange_free(x);
	/* Whatever it was, the next request is served and finds nothing left over. */
	x = get(&w, "/hello");
	ck_assert_msg(
		x->failure == FAILURE_NONE, "behind %s: %s", rows[_i].target, x->failure_text);
	ck_assert_uint_eq(x->violation_count, 0);
	ck_assert(slice_is(x->layers[LAYER_WIRE].kept, "hello"));
	exchange_free(x);
	world_release(&w);
}
END_TEST

/* One cap, and one text, over either kind of connection. */
START_TEST(a_long_line_is_told_alike)
{
	static const struct request_header condition = { "If-None-Match", "\"x\"" };
	static const char *const targets[] = { "/endless-line", "/endless-head" };
	for (size_t i = 0; i < 2; i++) {
		struct world w;
		struct request request = {
			.method = "GET", .target = targets[i], .within_ns = 10 * NS_PER_S
		};
		set_up(&w);
		struct exchange *ordinary = client_exchange(w.client, &request);
		request.headers = &condition;
		request.header_count = 1;
		struct exchange *plain = client_exchange(w.client, &request);
		ck_assert_int_eq(ordinary->failure, FAILURE_LIMIT);
		ck_assert_int_eq(plain->failure, FAILURE_LIMIT);
		ck_assert_str_eq(ordinary->failure_text, plain->failure_text);
		ck_assert(strstr(plain->failure_text, "outgrew") != NULL);
		exchange_free(ordinary);
		exchange_free(plain);
		world_release(&w);
	}
}
END_TEST

/* Over either kind of connection, and where the file is not as long as was said. */
START_TEST(a_file_is_sent_as_it_is)
{
	enum { FILE_BYTES = 60000 };
	static const struct request_header condition = { "If-None-Match", "\"x\"" };
	static char bytes[FILE_BYTES];
	struct world w;
	char last[SERVER_LAST_BYTES];
	FILE *file = tmpfile();
	for (int i = 0; i < FILE_BYTES; i++)
		bytes[i] = (char)('a' + i % 23);
	ck_assert_uint_eq(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
	fflush(file);
	const struct request_file whole = { fileno(file), FILE_BYTES },
				  longer = { fileno(file), FILE_BYTES + 1 };
	set_up(&w);
	for (size_t plain = 0; plain < 2; plain++) {
		struct request request = {
			.method = "PUT",
			.target = "/hello",
			.headers = &condition,
			.header_count = plain,
			.file = &whole,
			.within_ns = 10 * NS_PER_S,
		};
		struct exchange *x = client_exchange(w.client, &request);
		ck_assert_msg(x->failure == FAILURE_NONE, "%zu: %s", plain, x->failure_text);
		ck_assert_uint_eq(x->sent_body_bytes, FILE_BYTES);
		server_last(&w.server, last);
		const char *body = strstr(last, "\r\n\r\n");
		ck_assert(strstr(last, "Content-Length: 60000\r\n") && body);
		ck_assert_int_eq(memcmp(body + 4, bytes, strlen(body + 4)), 0);
		ck_assert(slice_find(x->sent, slice_from(bytes, sizeof bytes)) != SIZE_MAX);
		exchange_free(x);
		request.file = &longer;
		x = client_exchange(w.client, &request);
		ck_assert_int_eq(x->failure, FAILURE_LOCAL);
		exchange_free(x);
	}
	world_release(&w);
	fclose(file);
}
END_TEST

START_TEST(connections_are_reused)
{
	struct world w;
	bool reused[4];
	static const char *const targets[] = { "/hello", "/chunked", "/surplus", "/hello" };
	set_up(&w);
	for (size_t i = 0; i < 4; i++) {
		struct exchange *x = get(&w, targets[i]);
		ck_assert_int_eq(x->failure, FAILURE_NONE);
		reused[i] = x->reused;
		exchange_free(x);
	}
	/* What brought surplus is not used again. */
	ck_assert(!reused[0] && reused[1] && reused[2] && !reused[3]);
	ck_assert_int_eq(w.server.connections, 2);
	world_release(&w);
}
END_TEST

/* RFC 9112 section 9.3.1: a connection that was closed while idle is no failure of the next request. */
START_TEST(a_closed_idle_connection_is_replaced)
{
	struct world w;
	set_up(&w);
	for (int i = 0; i < 20; i++) {
		struct exchange *x = get(&w, "/quits");
		ck_assert_msg(x->failure == FAILURE_NONE, "%s", x->failure_text);
		ck_assert(!x->reused);
		exchange_free(x);
	}
	world_release(&w);
}
END_TEST

START_TEST(late_surplus_is_unasked)
{
	struct world w;
	set_up(&w);
	struct exchange *x = get(&w, "/later");
	ck_assert_uint_eq(x->violation_count, 0);
	exchange_free(x);
	usleep(800 * 1000);
	x = get(&w, "/hello");
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert_uint_eq(x->violation_count, 1);
	ck_assert_str_eq(x->violations[0].name, "unasked");
	ck_assert(!x->reused);
	exchange_free(x);
	world_release(&w);
}
END_TEST

START_TEST(only_what_is_written_is_sent)
{
	struct world w;
	char expected[512], last[SERVER_LAST_BYTES];
	static const struct request_header headers[] = { { "X-One", "1" }, { "X-Empty", "" },
		{ "X-One", "2" } };
	const struct request request = {
		.method = "POST",
		.target = "/hello",
		.headers = headers,
		.header_count = 3,
		.body = slice_of("abc"),
		.within_ns = 10 * NS_PER_S,
	};
	set_up(&w);
	struct exchange *x = client_exchange(w.client, &request);
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	snprintf(expected, sizeof expected,
		"POST /hello HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-One: 1\r\nX-Empty:\r\nX-One: 2\r\n"
		"Content-Length: 3\r\n\r\nabc",
		w.server.port);
	server_last(&w.server, last);
	ck_assert_str_eq(last, expected);
	ck_assert(slice_is(x->sent, expected));
	ck_assert_uint_eq(x->sent_body_bytes, 3);
	exchange_free(x);
	world_release(&w);
}
END_TEST

START_TEST(targets_go_as_written)
{
	static const char *const targets[] = { "/a/../b", "/%2e%2E/x", "/a//b?x=%00&y", "/a#b", "*",
		"http://other/", "/with space", "relative" };
	struct world w;
	char expected[256], last[SERVER_LAST_BYTES];
	set_up(&w);
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		struct exchange *x = get(&w, targets[i]);
		snprintf(expected, sizeof expected, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n",
			targets[i], w.server.port);
		server_last(&w.server, last);
		ck_assert_str_eq(last, expected);
		exchange_free(x);
	}
	world_release(&w);
}
END_TEST

START_TEST(layers_of_a_chunked_answer)
{
	struct world w;
	set_up(&w);
	struct exchange *x = get(&w, "/chunked");
	ck_assert(x->chunked);
	ck_assert_uint_eq(
		x->layers[LAYER_WIRE].bytes, strlen("5;x=y\r\nhello\r\n0\r\nT: v\r\n\r\n"));
	ck_assert_uint_eq(x->layers[LAYER_DECHUNKED].bytes, 5);
	ck_assert_uint_eq(x->trailers.count, 1);
	ck_assert(x->timing.sent_ns && x->timing.first_byte_ns >= x->timing.sent_ns &&
		  x->timing.headers_ns >= x->timing.first_byte_ns &&
		  x->timing.end_ns >= x->timing.headers_ns);
	exchange_free(x);
	x = get(&w, "/early");
	ck_assert_uint_eq(x->interim, 1);
	ck_assert_uint_eq(x->headers.count, 1);
	exchange_free(x);
	world_release(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("client");
	TCase *tests = tcase_create("client");
	tcase_add_loop_test(tests, answers_are_judged, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, a_long_line_is_told_alike);
	tcase_add_test(tests, a_file_is_sent_as_it_is);
	tcase_add_test(tests, connections_are_reused);
	tcase_add_test(tests, a_closed_idle_connection_is_replaced);
	tcase_add_test(tests, late_surplus_is_unasked);
	tcase_add_test(tests, only_what_is_written_is_sent);
	tcase_add_test(tests, targets_go_as_written);
	tcase_add_test(tests, layers_of_a_chunked_answer);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
