/* What comes over HTTP/2, and how it breaks off. Frames after RFC 9113, fields after RFC 7541. */
#include "http/http2_testing.h"
#include "http/load.h"

#define HEAD_200 FRAME(HEADERS, END_HEADERS, STATUS_200)
/* All before it has been read by the client, which answers a PING in order. */
#define SEEN               FRAME(PING, 0, "12345678")
#define BODY(text)         FRAME(DATA, END_STREAM, text)
#define FIELD(name, value) "\x00" name value
#define X_SUM                                                                                      \
	FIELD("\x05"                                                                               \
	      "x-sum",                                                                             \
		"\x02"                                                                             \
		"42")
#define LENGTH_9                                                                                   \
	FIELD("\x0e"                                                                               \
	      "content-length",                                                                    \
		"\x01"                                                                             \
		"9")
/* Stream 2^31-1, or none, and the error's number: RFC 9113 section 7. */
#define GOAWAY_OK   FRAME(GOAWAY, 0, "\x7f\xff\xff\xff\x00\x00\x00\x00")
#define GOAWAY_CALM FRAME(GOAWAY, 0, "\x00\x00\x00\x00\x00\x00\x00\x0b")

static const struct row {
	const char *why, *method;
	struct frame frames[FRAMES_MAX];
	enum failure failure;
	int status;
	const char *body, *violations;
	const char *says; /* a part of the violation's text, or NULL */
} rows[] = {
	{ "an answer", "GET", { HEAD_200, BODY("abc") }, FAILURE_NONE, 200, "abc", "", NULL },
	{ "in several frames, the last one empty", "GET",
		{ HEAD_200, FRAME(DATA, 0, "ab"), FRAME(DATA, 0, "c"), BODY("") }, FAILURE_NONE,
		200, "abc", "", NULL },
	{ "no body at all", "GET", { FRAME(HEADERS, END_HEADERS | END_STREAM, STATUS_200) },
		FAILURE_NONE, 200, "", "", NULL },
	{ "a length that is true", "GET",
		{ FRAME(HEADERS, END_HEADERS, STATUS_200 LENGTH_9), BODY("123456789") },
		FAILURE_NONE, 200, "123456789", "", NULL },
	{ "HEAD tells a length and brings nothing", "HEAD",
		{ FRAME(HEADERS, END_HEADERS | END_STREAM, STATUS_200 LENGTH_9) }, FAILURE_NONE,
		200, "", "", NULL },
	{ "trailers", "GET",
		{ HEAD_200, FRAME(DATA, 0, "abc"),
			FRAME(HEADERS, END_HEADERS | END_STREAM, X_SUM) },
		FAILURE_NONE, 200, "abc", "", NULL },
	{ "section 6.5.1 of RFC 9110 holds for all versions", "GET",
		{ HEAD_200, FRAME(DATA, 0, "abc"),
			FRAME(HEADERS, END_HEADERS | END_STREAM,
				FIELD("\x03"
				      "age",
					"\x01"
					"1")) },
		FAILURE_NONE, 200, "abc", "trailer-not-allowed", NULL },
	{ "103 before it", "GET",
		{ FRAME(HEADERS, END_HEADERS,
			  "\x08\x03"
			  "103"),
			HEAD_200, BODY("abc") },
		FAILURE_NONE, 200, "abc", "", NULL },
	{ "reset before the head", "GET", { FRAME(RST_STREAM, 0, "\x00\x00\x00\x02") },
		FAILURE_RESET, 0, "", "stream-reset", "INTERNAL_ERROR" },
	{ "reset in the body", "GET",
		{ HEAD_200, FRAME(DATA, 0, "ab"), SEEN, FRAME(RST_STREAM, 0, "\x00\x00\x00\x02") },
		FAILURE_RESET, 200, "ab", "stream-reset", "INTERNAL_ERROR" },
	{ "cancelled", "GET",
		{ HEAD_200, FRAME(DATA, 0, "ab"), SEEN, FRAME(RST_STREAM, 0, "\x00\x00\x00\x08") },
		FAILURE_RESET, 200, "ab", "stream-reset", "CANCEL" },
	{ "refused, and not asked for again", "GET", { FRAME(RST_STREAM, 0, "\x00\x00\x00\x07") },
		FAILURE_RESET, 0, "", "refused-stream", "REFUSED_STREAM" },
	{ "the connection is given up", "GET", { GOAWAY_CALM, { CLOSE, 0, "", 0 } }, FAILURE_RESET,
		0, "", "goaway", "ENHANCE_YOUR_CALM (11)" },
	{ "closed before the head", "GET", { { CLOSE, 0, "", 0 } }, FAILURE_CLOSED, 0, "", "",
		NULL },
	{ "closed in the body", "GET",
		{ HEAD_200, FRAME(DATA, 0, "ab"), SEEN, { CLOSE, 0, "", 0 } }, FAILURE_CLOSED, 200,
		"ab", "truncated", "before the end of the stream" },
	{ "section 8.1.1: fewer bytes than Content-Length says", "GET",
		{ FRAME(HEADERS, END_HEADERS, STATUS_200 LENGTH_9), FRAME(DATA, 0, "123"), SEEN,
			BODY("") },
		FAILURE_RESET, 200, "123", "stream-reset", "PROTOCOL_ERROR" },
	{ "section 8.2.2: a field of the connection", "GET",
		{ FRAME(HEADERS, END_HEADERS,
			  STATUS_200 FIELD("\x0a"
					   "connection",
				  "\x05"
				  "close")),
			BODY("abc") },
		FAILURE_RESET, 0, "", "stream-reset", "PROTOCOL_ERROR" },
	{ "section 3.4: another frame than SETTINGS comes first", "GET",
		{ { RAW_TEXT, 0, "\0\0\x04\0\0\0\0\0\0\0\0\0\0", 13 } }, FAILURE_FRAMING, 0, "",
		"connection-error", "begins with SETTINGS" },
	{ "a server of HTTP/1.1", "GET",
		{ { RAW_TEXT, 0, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", 47 } },
		FAILURE_FRAMING, 0, "", "other-version", "HTTP/1.1 400 Bad Request" },
};

struct world {
	struct http2_server server;
	struct engine *engine;
	struct client *client;
	bool headed;
};

static void world_init(struct world *w, const struct frame *frames, int waits_for)
{
	struct err err = { 0 };
	ck_assert_msg(http_init(&err) == RC_OK, "%s", err.text);
	http2_start_server(&w->server, frames, waits_for);
	const struct client_options options = { .scheme = "http",
		.host = "127.0.0.1",
		.port = w->server.port,
		.protocol = PROTOCOL_HTTP2C };
	w->engine = engine_new();
	w->client = client_new(w->engine, &options);
}

static void world_release(struct world *w)
{
	client_free(w->client);
	engine_free(w->engine);
	http2_stop_server(&w->server);
}

static void names_of(const struct exchange *x, char *text, size_t size)
{
	size_t len = 0;
	text[0] = 0;
	for (size_t i = 0; i < x->violation_count; i++)
		len += (size_t)snprintf(
			text + len, size - len, "%s%s", i ? " " : "", x->violations[i].name);
}

START_TEST(answers_as_they_end)
{
	const struct row *row = &rows[_i];
	const struct request request = {
		.method = row->method, .target = "/", .within_ns = 10 * NS_PER_S
	};
	struct world w;
	char names[256];
	world_init(&w, row->frames, 1);
	struct exchange *x = client_exchange(w.client, &request);
	names_of(x, names, sizeof names);
	ck_assert_msg(x->failure == row->failure && x->status == row->status &&
			      strcmp(names, row->violations) == 0,
		"%s: failure %d (%s), status %d, violations %s (%s)", row->why, x->failure,
		x->failure_text ? x->failure_text : "-", x->status, names,
		x->violation_count ? x->violations[0].text : "-");
	ck_assert_msg(slice_is(x->layers[LAYER_DECODED].kept, row->body), "%s", row->why);
	ck_assert_msg(x->layers[LAYER_WIRE].bytes == strlen(row->body), "%s", row->why);
	ck_assert_msg(!row->says || strstr(x->violations[0].text, row->says), "%s: %s", row->why,
		x->violations[0].text);
	ck_assert_msg(
		w.server.connections == 1, "%s: %d connections", row->why, w.server.connections);
	exchange_free(x);
	world_release(&w);
}
END_TEST

START_TEST(heads_and_trailers_are_told)
{
	static const struct frame frames[] = { FRAME(HEADERS, END_HEADERS,
						       "\x08\x03"
						       "103"),
		FRAME(HEADERS, END_HEADERS, STATUS_200 LENGTH_9 X_SUM X_SUM),
		FRAME(DATA, 0, "123456789"), FRAME(HEADERS, END_HEADERS | END_STREAM, X_SUM),
		{ 0 } };
	const struct request request = {
		.method = "GET", .target = "/", .within_ns = NS_PER_S * 10
	};
	struct world w;
	world_init(&w, frames, 1);
	struct exchange *x = client_exchange(w.client, &request);
	ck_assert_int_eq(x->version, 20);
	ck_assert_uint_eq(x->interim, 1);
	ck_assert_uint_eq(x->reason.len, 0);
	ck_assert(x->has_length && x->length == 9 && !x->chunked);
	ck_assert_uint_eq(exchange_header_lines(x, "x-sum"), 2);
	ck_assert_str_eq(exchange_header(x, "X-Sum"), "42, 42");
	ck_assert_uint_eq(x->trailers.count, 1);
	ck_assert(slice_is(x->trailers.list[0].name, "x-sum"));
	ck_assert(slice_is(x->trailers.list[0].value, "42"));
	ck_assert(slice_starts(x->head, "HTTP/2 200"));
	ck_assert(slice_starts(x->sent, "GET / HTTP/2\r\n"));
	const struct timing *t = &x->timing;
	ck_assert(t->start_ns <= t->sent_ns && t->sent_ns <= t->first_byte_ns &&
		  t->first_byte_ns <= t->headers_ns && t->headers_ns <= t->end_ns);
	exchange_free(x);
	world_release(&w);
}
END_TEST

/* Both are on their way at once, over one connection, and answered the last first. */
START_TEST(several_streams_share_a_connection)
{
	static const struct frame frames[] = { HEAD_200, BODY("abc"), { 0 } };
	enum { COUNT = 4 };
	const struct request request = { .method = "POST",
		.target = "/",
		.body = slice_from("x", 1),
		.within_ns = NS_PER_S * 10 };
	struct world w;
	struct transfer *transfers[COUNT];
	world_init(&w, frames, COUNT);
	for (int round = 0; round < 2; round++) {
		int reused = 0;
		for (size_t i = 0; i < COUNT; i++)
			transfers[i] = client_start(w.client, &request);
		for (size_t i = 0; i < COUNT; i++) {
			struct exchange *x = transfer_take(transfers[i]);
			ck_assert_msg(x->status == 200, "%s", x->failure_text);
			ck_assert_uint_eq(x->sent_body_bytes, 1);
			reused += x->reused;
			exchange_free(x);
		}
		ck_assert_int_eq(reused, round ? COUNT : COUNT - 1);
	}
	ck_assert_int_eq(w.server.connections, 1);
	ck_assert_int_eq(w.server.requests, 2L * COUNT);
	world_release(&w);
}
END_TEST

/* A server that ends a connection in order has answered: the next request goes over another, HTTP/2 from its start. */
START_TEST(another_connection_follows)
{
	static const struct frame goes[] = { HEAD_200, BODY("abc"), GOAWAY_OK, { CLOSE, 0, "", 0 },
		{ 0 } };
	static const struct frame stays[] = { HEAD_200, BODY("abc"), { 0 } };
	struct request request = { .method = "GET", .target = "/", .within_ns = NS_PER_S * 10 };
	for (int fresh = 0; fresh < 2; fresh++) {
		struct world w;
		world_init(&w, fresh ? stays : goes, 1);
		request.fresh = fresh;
		for (int i = 1; i <= 3; i++) {
			struct exchange *x = client_exchange(w.client, &request);
			ck_assert_msg(x->status == 200 && !x->reused, "%d: %s", i,
				x->failure_text ? x->failure_text : "reused");
			ck_assert_uint_eq(x->violation_count, 0);
			exchange_free(x);
			ck_assert_int_eq(w.server.connections, i);
		}
		world_release(&w);
	}
}
END_TEST

START_TEST(no_answer_in_time)
{
	static const struct frame nothing[] = { FRAME(SETTINGS, ACK, ""), { 0 } };
	static const struct frame head[] = { HEAD_200, { 0 } };
	const struct request request = {
		.method = "GET", .target = "/", .within_ns = 100 * NS_PER_MS
	};
	for (int i = 0; i < 2; i++) {
		struct world w;
		world_init(&w, i ? head : nothing, i ? 1 : 2);
		struct exchange *x = client_exchange(w.client, &request);
		ck_assert_int_eq(x->failure, FAILURE_TIMEOUT);
		ck_assert_int_eq(x->status, i ? 200 : 0);
		exchange_free(x);
		world_release(&w);
	}
}
END_TEST

static bool is_headed(void *self)
{
	const struct world *w = self;
	return w->headed;
}

static void on_head(void *self, int64_t now_ns)
{
	struct world *w = self;
	(void)now_ns;
	w->headed = true;
}

static void on_content(void *self, struct slice decoded, int64_t now_ns)
{
	(void)self, (void)decoded, (void)now_ns;
}

/* The server sees whoever leaves a stream, and others stay. */
START_TEST(left_streams_are_seen_to_be)
{
	static const struct frame frames[] = { HEAD_200, FRAME(DATA, 0, "data: x\n\n"), { 0 } };
	struct world w = { 0 };
	const struct request_watch watch = { &w, on_head, on_content };
	const struct request request = {
		.method = "GET", .target = "/", .within_ns = CLOCK_NEVER, .watch = &watch
	};
	world_init(&w, frames, 1);
	struct transfer *streams[2];
	for (int i = 0; i < 2; i++) {
		w.headed = false;
		streams[i] = client_start(w.client, &request);
		ck_assert_int_eq(
			engine_run(w.engine, is_headed, &w, clock_now_ns() + 10 * NS_PER_S), RC_OK);
	}
	ck_assert_int_eq(w.server.open, 2);
	struct exchange *x = transfer_leave(streams[0]);
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert_int_eq(x->status, 200);
	exchange_free(x);
	for (int i = 0; i < 10000 && w.server.open > 1; i++)
		usleep(1000);
	ck_assert_int_eq(w.server.open, 1);
	ck_assert(!transfer_done(streams[1]));
	/* Another request beside it begins HTTP/2 on a connection of its own. */
	const struct request beside = {
		.method = "GET", .target = "/", .within_ns = 300 * NS_PER_MS
	};
	x = client_exchange(w.client, &beside);
	ck_assert_int_eq(x->status, 200);
	ck_assert_int_eq(x->failure, FAILURE_TIMEOUT);
	ck_assert_int_eq(w.server.connections, 3);
	exchange_free(x);
	exchange_free(transfer_leave(streams[1]));
	world_release(&w);
}
END_TEST

/* Bodies that are larger than what libcurl reads at once, of contract requests, watched ones and a load. */
START_TEST(large_bodies_arrive_whole)
{
	enum { FRAME_BYTES = 16384, FRAMES = 6 };
	static char part[FRAME_BYTES];
	struct frame frames[FRAMES_MAX] = { HEAD_200 };
	struct world w = { 0 };
	memset(part, 'x', sizeof part);
	for (int i = 1; i <= FRAMES; i++)
		frames[i] = (struct frame){ DATA, i == FRAMES ? END_STREAM : 0, part, FRAME_BYTES };
	const struct request_watch watch = { &w, on_head, on_content };
	struct request request = { .method = "GET", .target = "/", .within_ns = 30 * NS_PER_S };
	world_init(&w, frames, 1);
	for (int i = 0; i < 4; i++) {
		request.watch = i % 2 ? &watch : NULL;
		struct exchange *x = client_exchange(w.client, &request);
		ck_assert_msg(x->failure == FAILURE_NONE, "%s", x->failure_text);
		ck_assert_uint_eq(x->layers[LAYER_DECODED].bytes, (size_t)FRAMES * FRAME_BYTES);
		exchange_free(x);
	}
	const struct load_request asked = { .method = "GET", .target = "/", .weight = 1 };
	struct load_plan plan = { .address = { .scheme = "http",
					  .host = "127.0.0.1",
					  .port = w.server.port,
					  .protocol = PROTOCOL_HTTP2C },
		.requests = &asked,
		.request_count = 1,
		.users = { .users = 3, .length_ns = CLOCK_NEVER },
		.measure_ns = 60 * NS_PER_S,
		.measure_requests = 30,
		.timeout_ns = 30 * NS_PER_S,
		.drain_ns = 30 * NS_PER_S,
		.threads = 1,
		.stop_fd = -1 };
	struct load_result *result;
	struct err err = { 0 };
	ck_assert_msg(load_run(&plan, &result, &err) == RC_OK, "%s", err.text);
	ck_assert_uint_ge(result->all.sent, 30);
	ck_assert_uint_eq(result->all.answered, result->all.sent);
	load_result_free(result);
	world_release(&w);
}
END_TEST

static const struct {
	const char *why, *method, *target;
	struct request_header header;
	bool without_host;
	const char *says;
} refused[] = {
	{ "a field of the connection", "GET", "/", { "Connection", "close" }, false, "8.2.2" },
	{ "another", "POST", "/", { "transfer-encoding", "chunked" }, false, "8.2.2" },
	{ "TE but trailers", "GET", "/", { "TE", "gzip" }, false, "8.2.2" },
	{ "no Host", "GET", "/", { "A", "b" }, true, ":authority" },
	{ "an empty Host", "GET", "/", { "Host", "" }, false, ":authority" },
	{ "a name that is none", "GET", "/", { "a b", "c" }, false, "token" },
	{ "a line break", "GET", "/", { "a", "b\r\nc: d" }, false, "control" },
	{ "a method that is none", "G T", "/", { "a", "b" }, false, "method" },
	{ "CONNECT", "CONNECT", "h:1", { "a", "b" }, false, "CONNECT" },
	{ "a space", "GET", "/a b", { "a", "b" }, false, "target" },
	{ "no path", "OPTIONS", "*", { "a", "b" }, false, "target" },
};

START_TEST(what_cannot_be_sent_is_not)
{
	static const struct frame frames[] = { HEAD_200, BODY("abc"), { 0 } };
	const struct request request = { .method = refused[_i].method,
		.target = refused[_i].target,
		.headers = &refused[_i].header,
		.header_count = 1,
		.without_host = refused[_i].without_host,
		.within_ns = NS_PER_S * 10 };
	struct world w;
	world_init(&w, frames, 1);
	struct exchange *x = client_exchange(w.client, &request);
	ck_assert_msg(x->failure == FAILURE_LOCAL, "%s: %d", refused[_i].why, x->failure);
	ck_assert_msg(strstr(x->failure_text, refused[_i].says), "%s", x->failure_text);
	ck_assert_int_eq(w.server.connections, 0);
	exchange_free(x);
	world_release(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("http2");
	TCase *tests = tcase_create("http2");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, answers_as_they_end, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, heads_and_trailers_are_told);
	tcase_add_test(tests, several_streams_share_a_connection);
	tcase_add_test(tests, another_connection_follows);
	tcase_add_test(tests, no_answer_in_time);
	tcase_add_test(tests, left_streams_are_seen_to_be);
	tcase_add_test(tests, large_bodies_arrive_whole);
	tcase_add_loop_test(tests, what_cannot_be_sent_is_not, 0, sizeof refused / sizeof *refused);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
