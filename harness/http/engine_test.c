/* Engines: several clients of one side by side, and several engines in as many threads. */
#include "http/server_testing.h"

#define OK      "HTTP/1.1 200 OK\r\n"
#define TEXT(t) t, sizeof(t) - 1

static const struct scenario scenarios[] = {
	{ "/hello", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 0, 0, NULL },
	{ "/slow", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 20, 100, NULL },
};

static const struct request slow = {
	.method = "GET", .target = "/slow", .within_ns = 10 * NS_PER_S
};

static bool both_done(void *self)
{
	struct transfer **transfers = self;
	return transfer_done(transfers[0]) && transfer_done(transfers[1]);
}

/* Each is sent before the other has ended, in one client and in two. */
START_TEST(transfers_progress_side_by_side)
{
	struct world w;
	world_init(&w, scenarios, sizeof scenarios / sizeof *scenarios);
	const struct client_options options = {
		.scheme = "http", .host = "127.0.0.1", .port = w.server.port
	};
	struct client *other = client_new(w.engine, &options);
	struct client *clients[] = { w.client, other };
	for (int i = 0; i < 2; i++) {
		struct transfer *transfers[] = { client_start(w.client, &slow),
			client_start(clients[i], &slow) };
		ck_assert_int_eq(engine_run(w.engine, both_done, transfers, CLOCK_NEVER), RC_OK);
		struct exchange *x = transfer_take(transfers[0]);
		struct exchange *y = transfer_take(transfers[1]);
		ck_assert_int_eq(x->failure, FAILURE_NONE);
		ck_assert_int_eq(y->failure, FAILURE_NONE);
		ck_assert_int_lt(x->timing.sent_ns, y->timing.end_ns);
		ck_assert_int_lt(y->timing.sent_ns, x->timing.end_ns);
		exchange_free(x);
		exchange_free(y);
	}
	client_free(other);
	world_release(&w);
}
END_TEST

START_TEST(a_deadline_ends_the_wait)
{
	struct world w;
	world_init(&w, scenarios, sizeof scenarios / sizeof *scenarios);
	struct transfer *transfers[] = { client_start(w.client, &slow),
		client_start(w.client, &slow) };
	ck_assert_int_eq(
		engine_run(w.engine, both_done, transfers, clock_now_ns() + 20 * NS_PER_MS),
		RC_TIMEOUT);
	exchange_free(transfer_take(transfers[0]));
	exchange_free(transfer_take(transfers[1]));
	world_release(&w);
}
END_TEST

struct worker {
	int port, failures;
	pthread_t thread;
};

static void *work(void *self)
{
	struct worker *worker = self;
	struct engine *engine = engine_new();
	const struct client_options options = {
		.scheme = "http", .host = "localhost", .port = worker->port
	};
	struct client *client = client_new(engine, &options);
	for (int i = 0; i < 40; i++) {
		const struct request request = {
			.method = i % 8 ? "GET" : "HEAD",
			.target = i % 8 ? "/hello" : "/slow",
			.fresh = i % 5 == 0,
			.within_ns = 10 * NS_PER_S,
		};
		struct exchange *x = client_exchange(client, &request);
		worker->failures += x->failure != FAILURE_NONE;
		exchange_free(x);
	}
	client_free(client);
	engine_free(engine);
	return NULL;
}

START_TEST(threads_share_nothing)
{
	struct world w;
	struct worker workers[2] = { 0 };
	world_init(&w, scenarios, sizeof scenarios / sizeof *scenarios);
	for (int i = 0; i < 2; i++) {
		workers[i].port = w.server.port;
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(workers[i].thread, NULL);
		ck_assert_int_eq(workers[i].failures, 0);
	}
	world_release(&w);
}
END_TEST

START_TEST(versions_are_told)
{
	struct arena *arena = arena_new();
	const char *versions = http_versions(arena);
	static const char *const names[] = { "libcurl ", "nghttp2 ", "zlib ", "brotli ", "zstd " };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ck_assert_msg(strstr(versions, names[i]), "%s", versions);
	ck_assert_ptr_nonnull(strstr(versions, http_libcurl_version()));
	arena_free(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("engine");
	TCase *tests = tcase_create("engine");
	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, transfers_progress_side_by_side);
	tcase_add_test(tests, a_deadline_ends_the_wait);
	tcase_add_test(tests, threads_share_nothing);
	tcase_add_test(tests, versions_are_told);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
