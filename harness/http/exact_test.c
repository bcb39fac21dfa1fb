#include "http/server_testing.h"

#include "http/framing_violation.h"

#define OK      "HTTP/1.1 200 OK\r\n"
#define TEXT(t) t, sizeof(t) - 1
#define S(target, ...)                                                                             \
	{                                                                                          \
		target, TEXT(__VA_ARGS__), AFTER_KEEP, 0, 0, NULL                                  \
	}

static const struct scenario scenarios[] = {
	S("/head", OK "Content-Length: 5\r\n\r\n"),
	S("/hello", OK "Content-Length: 5\r\n\r\nhello"),
	S("/304", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
	S("/304-body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello"),
	S("/204-body", "HTTP/1.1 204 No Content\r\n\r\nhello"),
	S("/surplus", OK "Content-Length: 5\r\n\r\nhellomore"),
	S("/two", OK "Content-Length: 1\r\n\r\na" OK "Content-Length: 1\r\n\r\nb"),
	{ "/late", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 38, 5, NULL },
	{ "/later", TEXT(OK "Content-Length: 5\r\n\r\nhellomore"), AFTER_KEEP, 43, 300, NULL },
	{ "/once", TEXT(OK "Content-Length: 5\r\n\r\n"), AFTER_CLOSE, 0, 0, NULL },
	{ "/short", TEXT(OK "Content-Length: 50\r\n\r\nhello"), AFTER_CLOSE, 0, 0, NULL },
	{ "/nothing", TEXT(""), AFTER_CLOSE, 0, 0, NULL },
	{ "/reset", TEXT(""), AFTER_RESET, 0, 0, NULL },
	{ "/hold", TEXT(""), AFTER_HOLD, 0, 0, NULL },
	{ "/endless", TEXT(OK), AFTER_ENDLESS, 0, 0, "A: 345678901234567890123456789012\r\n" },
	{ "/flood", TEXT(OK "\r\n"), AFTER_ENDLESS, 0, 0, "0123456789012345678901234567890123456" },
	{ "/refused",
		TEXT("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno"),
		AFTER_CLOSE, 0, 0, NULL },
};

static void set_up(struct world *w)
{
	world_init(w, scenarios, sizeof scenarios / sizeof *scenarios);
}

static struct exchange *ask_within(
	struct world *w, const char *method, const char *target, int64_t within_ns)
{
	static const struct request_header conditional = { "If-None-Match", "\"a\"" };
	const struct request request = {
		.method = method,
		.target = target,
		.headers = &conditional,
		.header_count = 1,
		.within_ns = within_ns,
	};
	return client_exchange(w->client, &request);
}

static struct exchange *ask(struct world *w, const char *method, const char *target)
{
	return ask_within(w, method, target, 10 * NS_PER_S);
}

struct row {
	const char *why, *method, *target;
	enum failure failure;
	int status;
	const char *body, *violation;
	bool closed;
};

static const struct row rows[] = {
	{ "HEAD", "HEAD", "/head", FAILURE_NONE, 200, "", NULL, false },
	{ "HEAD with a body", "HEAD", "/hello", FAILURE_NONE, 200, "", "body-on-head", false },
	{ "304", "GET", "/304", FAILURE_NONE, 304, "", NULL, false },
	{ "304 with a body", "GET", "/304-body", FAILURE_NONE, 304, "", "body-on-304", false },
	{ "204 with a body", "DELETE", "/204-body", FAILURE_NONE, 204, "", "body-on-204", false },
	{ "a conditional GET that is served", "GET", "/hello", FAILURE_NONE, 200, "hello", NULL,
		false },
	{ "surplus", "GET", "/surplus", FAILURE_NONE, 200, "hello", "surplus", false },
	{ "cut", "GET", "/short", FAILURE_CLOSED, 200, "hello", "truncated", true },
	{ "closed without a byte", "HEAD", "/nothing", FAILURE_CLOSED, 0, "", NULL, true },
	{ "reset without a byte", "HEAD", "/reset", FAILURE_RESET, 0, "", NULL, true },
	{ "no answer", "HEAD", "/hold", FAILURE_TIMEOUT, 0, "", NULL, false },
	{ "endless headers", "HEAD", "/endless", FAILURE_LIMIT, 0, "", NULL, false },
	{ "a body that outlasts the time", "GET", "/flood", FAILURE_TIMEOUT, 200, NULL, NULL,
		false },
};

static void check_exchange(const struct row *row, const struct exchange *x)
{
	ck_assert_msg(x->failure == row->failure, "%s: failure %d (%s)", row->why, x->failure,
		x->failure_text ? x->failure_text : "-");
	ck_assert_msg(x->status == row->status, "%s: status %d", row->why, x->status);
	ck_assert_msg(x->violation_count == (row->violation ? 1 : 0), "%s: %zu violations",
		row->why, x->violation_count);
	if (row->violation)
		ck_assert_str_eq(x->violations[0].name, row->violation);
	if (row->body)
		ck_assert(slice_is(x->layers[LAYER_DECODED].kept, row->body));
	ck_assert_msg(x->closed == row->closed, "%s: closed %d", row->why, x->closed);
}

START_TEST(answers_are_judged)
{
	struct world w;
	set_up(&w);
	bool outlasts = rows[_i].failure == FAILURE_TIMEOUT;
	struct exchange *x = ask_within(
		&w, rows[_i].method, rows[_i].target, outlasts ? 200 * NS_PER_MS : 10 * NS_PER_S);
	check_exchange(&rows[_i], x);
	exchange_free(x);
	x = ask(&w, "HEAD", "/head");
	ck_assert_msg(x->failure == FAILURE_NONE, "behind %s: %s", rows[_i].why, x->failure_text);
	ck_assert_uint_eq(x->violation_count, 0);
	exchange_free(x);
	world_release(&w);
}
END_TEST

/* A busy machine may delay the server for longer than the grace, though not always. */
START_TEST(what_follows_a_head_is_heard)
{
	struct world w;
	bool late = false, end = false;
	set_up(&w);
	for (int i = 0; i < 50 && !(late && end); i++) {
		struct exchange *x = ask(&w, "HEAD", "/late");
		late = late ||
		       (x->violation_count && strcmp(x->violations[0].name, "body-on-head") == 0);
		exchange_free(x);
		x = ask(&w, "HEAD", "/once");
		end = end || x->closed;
		exchange_free(x);
	}
	ck_assert(late && end);
	world_release(&w);
}
END_TEST

START_TEST(connections_are_reused)
{
	struct world w;
	set_up(&w);
	bool reused[4];
	static const char *const targets[] = { "/head", "/head", "/once", "/head" };
	for (size_t i = 0; i < 4; i++) {
		struct exchange *x = ask(&w, "HEAD", targets[i]);
		ck_assert_int_eq(x->failure, FAILURE_NONE);
		reused[i] = x->reused;
		exchange_free(x);
	}
	ck_assert(!reused[0] && reused[1] && reused[2] && !reused[3]);
	ck_assert_int_eq(w.server.connections, 2);
	world_release(&w);
}
END_TEST

/* What comes long after an answer is told with the next one, which it can't have asked for. */
START_TEST(late_surplus_is_unasked)
{
	struct world w;
	set_up(&w);
	struct exchange *x = ask(&w, "GET", "/later");
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert_uint_eq(x->violation_count, 0);
	exchange_free(x);
	usleep(800 * 1000);
	x = ask(&w, "HEAD", "/head");
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert_uint_eq(x->violation_count, 1);
	ck_assert_str_eq(x->violations[0].name, "unasked");
	ck_assert(!x->reused);
	exchange_free(x);
	world_release(&w);
}
END_TEST

static struct exchange *raw(struct world *w, const struct raw_item *items, size_t count)
{
	const struct request request = {
		.method = "GET",
		.target = "/raw",
		.raw = items,
		.raw_count = count,
		.within_ns = 10 * NS_PER_S,
	};
	return client_exchange(w->client, &request);
}

#define BYTES(t)                                                                                   \
	{                                                                                          \
		RAW_BYTES, { (const uint8_t *)(t), sizeof(t) - 1 }, 0                              \
	}

START_TEST(raw_is_sent_as_written)
{
	struct world w;
	char last[SERVER_LAST_BYTES];
	set_up(&w);
	static const struct raw_item items[] = { BYTES("GET /hello HTTP/1.1\r\n"),
		{ RAW_PAUSE, { NULL, 0 }, 50 * NS_PER_MS }, BYTES("hOsT:x\r\n\r\n") };
	struct exchange *x = raw(&w, items, 3);
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert(slice_is(x->layers[LAYER_WIRE].kept, "hello"));
	server_last(&w.server, last);
	ck_assert_str_eq(last, "GET /hello HTTP/1.1\r\nhOsT:x\r\n\r\n");
	ck_assert(slice_is(x->sent, last));
	ck_assert_int_ge(x->timing.sent_ns - x->timing.start_ns, 50 * NS_PER_MS);
	exchange_free(x);
	world_release(&w);
}
END_TEST

START_TEST(raw_head_is_known)
{
	struct world w;
	set_up(&w);
	static const struct raw_item item = BYTES("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n");
	struct exchange *x = raw(&w, &item, 1);
	ck_assert_uint_eq(x->violation_count, 1);
	ck_assert_str_eq(x->violations[0].name, "body-on-head");
	exchange_free(x);
	world_release(&w);
}
END_TEST

START_TEST(raw_requests_are_counted)
{
	struct world w;
	set_up(&w);
	static const struct raw_item one = BYTES("GET /two HTTP/1.1\r\nHost: x\r\n\r\n");
	static const struct raw_item two = BYTES(
		"GET /two HTTP/1.1\r\nContent-Length: 2\r\n\r\nxyGET /hello HTTP/1.1\r\n\r\n");
	struct exchange *x = raw(&w, &one, 1);
	ck_assert_uint_eq(x->violation_count, 1);
	ck_assert_str_eq(x->violations[0].name, "surplus");
	exchange_free(x);
	x = raw(&w, &two, 1);
	ck_assert_uint_eq(x->violation_count, 0);
	ck_assert(slice_is(x->layers[LAYER_WIRE].kept, "a"));
	exchange_free(x);
	world_release(&w);
}
END_TEST

START_TEST(our_own_end_is_no_failure)
{
	struct world w;
	set_up(&w);
	static const struct raw_item closing[] = { BYTES("GET /hello HTT"),
		{ RAW_CLOSE, { 0 }, 0 } };
	static const struct raw_item resetting[] = { BYTES("GET /hold HTTP/1.1\r\n\r\n"),
		{ RAW_PAUSE, { 0 }, 20 * NS_PER_MS }, { RAW_RESET, { 0 }, 0 } };
	struct exchange *x = raw(&w, closing, 2);
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert_int_eq(x->status, 0);
	exchange_free(x);
	x = raw(&w, resetting, 3);
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert_int_eq(x->status, 0);
	exchange_free(x);
	world_release(&w);
}
END_TEST

/* The server answers the head and closes while megabytes are still to be sent. */
START_TEST(early_answer_is_read)
{
	struct world w;
	set_up(&w);
	static uint8_t megabytes[8 << 20];
	const struct raw_item items[] = { BYTES("POST /refused HTTP/1.1\r\n\r\n"),
		{ RAW_BYTES, { megabytes, sizeof megabytes }, 0 } };
	struct exchange *x = raw(&w, items, 2);
	ck_assert_msg(x->status == 413, "status %d, %s", x->status, x->failure_text);
	ck_assert_int_eq(x->failure, FAILURE_NONE);
	ck_assert(x->closed);
	exchange_free(x);
	world_release(&w);
}
END_TEST

START_TEST(nobody_listens)
{
	struct world w;
	set_up(&w);
	const struct client_options options = { .scheme = "http", .host = "127.0.0.1", .port = 1 };
	struct client *client = client_new(w.engine, &options);
	static const char *const methods[] = { "HEAD", "GET" };
	for (size_t i = 0; i < 2; i++) {
		const struct request request = {
			.method = methods[i], .target = "/", .within_ns = NS_PER_S
		};
		struct exchange *x = client_exchange(client, &request);
		ck_assert_int_eq(x->failure, FAILURE_REFUSED);
		exchange_free(x);
	}
	client_free(client);
	world_release(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("exact");
	TCase *tests = tcase_create("exact");
	tcase_add_loop_test(tests, answers_are_judged, 0, sizeof rows / sizeof *rows);
	tcase_add_test(tests, what_follows_a_head_is_heard);
	tcase_add_test(tests, connections_are_reused);
	tcase_add_test(tests, late_surplus_is_unasked);
	tcase_add_test(tests, raw_is_sent_as_written);
	tcase_add_test(tests, raw_head_is_known);
	tcase_add_test(tests, raw_requests_are_counted);
	tcase_add_test(tests, our_own_end_is_no_failure);
	tcase_add_test(tests, early_answer_is_read);
	tcase_add_test(tests, nobody_listens);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
