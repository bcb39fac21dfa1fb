#include "http/load_bench_testing.h"
#include "http/load_testing.h"

#include <sys/resource.h>

#define CLOSE_ANSWER "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
#define GZIP_HELLO                                                                                 \
	"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05" \
	"\x00\x00\x00" /* python3: gzip.compress(b"hello") */

static const struct scenario scenarios[] = {
	{ .target = "/ok", TEXT(OK_ANSWER) },
	{ .target = "/slow", TEXT(OK_ANSWER), .pause_ms = 20 },
	{ .target = "/close", TEXT(CLOSE_ANSWER), AFTER_CLOSE },
	{ .target = "/redirect",
		TEXT("HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n") },
	{ .target = "/missing", TEXT("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") },
	{ .target = "/nothing", TEXT(""), AFTER_CLOSE },
	{ .target = "/gone", TEXT(""), AFTER_RESET },
	{ .target = "/short",
		TEXT("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
		AFTER_CLOSE },
	{ .target = "/short-chunk",
		TEXT("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"),
		AFTER_CLOSE },
	{ .target = "/torn",
		TEXT("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
		AFTER_RESET },
	{ .target = "/silent", TEXT(""), AFTER_HOLD },
	{ .target = "/stuck",
		TEXT("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
		AFTER_HOLD },
	{ .target = "/garbage", TEXT("\x7f\x45LF nothing that speaks HTTP\r\n\r\n"), AFTER_CLOSE },
	{ .target = "/endless",
		TEXT("HTTP/1.1 200 OK\r\n\r\n"),
		AFTER_ENDLESS,
		.more = "more and more " },
	{ .target = "/gzip",
		TEXT("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n" GZIP_HELLO) },
	{ .target = "/gzip-chunked",
		TEXT("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
		     "19\r\n" GZIP_HELLO "\r\n0\r\n\r\n") },
	{ .target = "*",
		TEXT("HTTP/1.1 505 HTTP Version Not Supported\r\nContent-Length: 0\r\n\r\n"),
		AFTER_HOLD },
	{ .target = "/not-gzip",
		TEXT("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello") },
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static struct load_request get(const char *target)
{
	return (struct load_request){ .method = "GET", .target = target, .weight = 1 };
}

static bool open_no_more(struct rlimit *before)
{
	struct rlimit low;
	getrlimit(RLIMIT_NOFILE, before);
	low = *before;
	low.rlim_cur = 3;
	return setrlimit(RLIMIT_NOFILE, &low) == 0;
}

/* How each kind of failure comes about; every request of the run must have failed so. */
static const struct failure_row {
	const char *why, *target;
	enum load_failure failure;
	const char *code;
	enum protocol protocol;
	bool nobody_listens;
} failures[] = {
	{ "nobody listens", "/ok", .failure = LOAD_REFUSED, .code = "SC", .nobody_listens = true },
	{ "closed without a byte", "/nothing", .failure = LOAD_CLOSED_EARLY, .code = "SD" },
	{ "closed within a length", "/short", .failure = LOAD_CLOSED_EARLY, .code = "SD" },
	{ "closed within a chunk", "/short-chunk", .failure = LOAD_CLOSED_EARLY, .code = "SD" },
	{ "reset without a byte", "/gone", .failure = LOAD_RESET, .code = "SR" },
	{ "reset in the body", "/torn", .failure = LOAD_RESET, .code = "SR" },
	{ "no head in time", "/silent", .failure = LOAD_TIMEOUT_HEAD, .code = "sH" },
	{ "no end in time", "/stuck", .failure = LOAD_TIMEOUT_BODY, .code = "sD" },
	{ "no end ever", "/endless", .failure = LOAD_TIMEOUT_BODY, .code = "sD" },
	{ "not HTTP", "/garbage", .failure = LOAD_FRAMING, .code = "PH" },
	{ "HTTP/2 to a server that has none", "/ok", .failure = LOAD_CLOSED_EARLY, .code = "SD",
		.protocol = PROTOCOL_HTTP2C },
};

START_TEST(each_kind_of_failure)
{
	const struct failure_row *row = &failures[_i];
	struct server server;
	struct load_request request = get(row->target);
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 3, 6);
	plan.timeout_ns = 200 * NS_PER_MS;
	plan.address.protocol = row->protocol;
	if (row->nobody_listens)
		plan.address.port = 1;
	struct load_result *result = run(row->why, &plan);
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		ck_assert_msg(result->all.failed[i] == (i == row->failure ? 6 : 0),
			"%s: %llu of 6 are %s", row->why, (unsigned long long)result->all.failed[i],
			load_failure_at(i)->name);
	ck_assert_str_eq(load_failure_at(row->failure)->code, row->code);
	ck_assert_uint_eq(result->all.answered, 0);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

/* Speaks first, and no TLS. */
static void *speak(void *self)
{
	int fd;
	while ((fd = accept(*(int *)self, NULL, NULL)) >= 0) {
		char hello[4096];
		ck_assert_int_gt(recv(fd, hello, sizeof hello, 0), 0);
		server_write(fd, TEXT("220 mail.example ESMTP\r\n"));
		close(fd);
	}
	return NULL;
}

START_TEST(no_tls_is_spoken)
{
	struct server server;
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof address;
	struct load_request request = get("/ok");
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(server.fd, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(server.fd, 8), 0);
	getsockname(server.fd, (struct sockaddr *)&address, &size);
	server.port = ntohs(address.sin_port);
	pthread_create(&server.thread, NULL, speak, &server.fd);
	struct load_plan plan = closed_plan(&server, &request, 2, 4);
	plan.address.scheme = "https";
	struct load_result *result = run("no TLS", &plan);
	ck_assert_uint_eq(result->all.failed[LOAD_TLS], 4);
	ck_assert_uint_eq(result->all.sent, 4);
	ck_assert_uint_eq(result->connections_opened, 0);
	load_result_free(result);
	shutdown(server.fd, SHUT_RDWR);
	pthread_join(server.thread, NULL);
	close(server.fd);
}
END_TEST

/* Of two kinds in turn the second meets, mostly, a connection that has served: it's told apart, and sent once. */
START_TEST(a_connection_that_ends_under_a_request)
{
	static const char *const targets[] = { "/nothing", "/gone" };
	struct server server;
	const struct load_request requests[] = { get("/ok"), get(targets[_i]) };
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, requests, 1, 100);
	plan.request_count = 2;
	struct load_result *result = run(targets[_i], &plan);
	const struct load_counts *all = &result->all;
	enum load_failure fresh = _i ? LOAD_RESET : LOAD_CLOSED_EARLY;
	ck_assert_uint_gt(all->failed[LOAD_RESET_IDLE], 5);
	ck_assert_uint_gt(all->failed[fresh], 5);
	ck_assert_uint_eq(all->failed[LOAD_RESET_IDLE] + all->failed[fresh] + all->answered, 100);
	/* Each failure has cost a connection, and nothing was sent over another instead. */
	uint64_t failed = load_counts_failed(all);
	ck_assert_uint_ge(result->connections_opened, failed);
	ck_assert_uint_le(result->connections_opened, failed + 1);
	ck_assert_uint_eq(result->connections_ended_by_server, failed);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

static void take_descriptors(void *self, const struct load_second *second)
{
	struct rlimit *before = self;
	if (second->at_s == 0)
		ck_assert(open_no_more(before));
}

/* The test's own limit, lowered while the load goes on: each further connection finds no descriptor. */
START_TEST(no_descriptor_is_left)
{
	struct rlimit before;
	struct load_request request = get("/ok");
	struct load_result *result;
	struct err err = { 0 };
	struct load_plan plan = closed_plan(NULL, &request, 2, 0);
	getrlimit(RLIMIT_NOFILE, &before);
	plan.measure_ns = 1500 * NS_PER_MS;
	plan.second = take_descriptors;
	plan.self = &before;
	ck_assert(http_init(&err) == RC_OK);
	ck_assert_msg(load_run(&plan, &result, &err) == RC_OK, "%s", err.text);
	setrlimit(RLIMIT_NOFILE, &before);
	check_counts("no descriptor", &result->all);
	ck_assert_uint_gt(result->all.failed[LOAD_REFUSED], 4);
	ck_assert_uint_gt(result->all.failed[LOAD_LOCAL], 1);
	ck_assert_uint_eq(load_counts_failed(&result->all), result->all.sent);
	/* A user rests behind a connection that it could not have. */
	ck_assert_uint_le(result->all.sent, 32);
	load_result_free(result);
}
END_TEST

static const struct answer_row {
	const char *why, *target;
	int status_class, expected_status;
	const char *expected_coding;
	bool must_be_coded;
	bool unexpected_status, unexpected_coding, undecodable, coded;
	uint64_t wire_bytes, decoded_bytes; /* of one answer */
} answers[] = {
	{ "plain", "/ok", 2, 0, .wire_bytes = sizeof OK_ANSWER - 1, .decoded_bytes = 5 },
	{ "as expected", "/ok", 2, 200, "identity", .wire_bytes = 43, .decoded_bytes = 5 },
	{ "a redirect is an answer", "/redirect", 3, 0, .wire_bytes = 56 },
	{ "but not the one", "/redirect", 3, 200, .unexpected_status = true, .wire_bytes = 56 },
	{ "an error is an answer", "/missing", 4, 0, .unexpected_status = true, .wire_bytes = 45 },
	{ "an expected one", "/missing", 4, 404, .wire_bytes = 45 },
	{ "gzip", "/gzip", 2, 0, "gzip", true, .coded = true, .wire_bytes = 88,
		.decoded_bytes = 5 },
	{ "gzip, chunked", "/gzip-chunked", 2, 0, "GZIP", true, .coded = true, .wire_bytes = 107,
		.decoded_bytes = 5 },
	{ "not br", "/gzip", 2, 0, "br", .unexpected_coding = true, .coded = true, .wire_bytes = 88,
		.decoded_bytes = 5 },
	{ "not coded", "/ok", 2, 0, .must_be_coded = true, .unexpected_coding = true,
		.wire_bytes = 43, .decoded_bytes = 5 },
	{ "none wanted", "/gzip", 2, 0, "identity", .unexpected_coding = true, .coded = true,
		.wire_bytes = 88, .decoded_bytes = 5 },
	{ "not what it says", "/not-gzip", 2, 0, "gzip", .undecodable = true, .coded = true,
		.wire_bytes = 67 },
};

START_TEST(answers_are_judged_and_counted)
{
	const struct answer_row *row = &answers[_i];
	struct server server;
	struct load_request request = get(row->target);
	request.expected_status = row->expected_status;
	request.expected_coding = row->expected_coding;
	request.must_be_coded = row->must_be_coded;
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 2, 10);
	plan.decode = true;
	struct load_result *result = run(row->why, &plan);
	const struct load_counts *all = &result->all;
	ck_assert_uint_eq(all->answered, 10);
	ck_assert_uint_eq(all->statuses[row->status_class], 10);
	ck_assert_uint_eq(all->unexpected_statuses, row->unexpected_status ? 10 : 0);
	ck_assert_uint_eq(all->unexpected_codings, row->unexpected_coding ? 10 : 0);
	ck_assert_uint_eq(all->undecodable, row->undecodable ? 10 : 0);
	ck_assert_uint_eq(all->coded, row->coded ? 10 : 0);
	ck_assert_msg(all->wire_bytes == 10 * row->wire_bytes, "%s: %llu bytes", row->why,
		(unsigned long long)all->wire_bytes);
	ck_assert_uint_eq(all->decoded_bytes, 10 * row->decoded_bytes);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

START_TEST(each_user_has_its_connection)
{
	struct server server;
	struct load_request request = get("/ok");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 40, 2000);
	plan.threads = 1 + (size_t)_i % 2;
	plan.users.think_ns = _i < 2 ? 0 : NS_PER_MS;
	struct load_result *result = run("users", &plan);
	ck_assert_uint_eq(result->measured.answered, 2000);
	ck_assert_uint_eq(result->connections_opened, 40);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_FIRST]), 40);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_CONNECT]), 40);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_TLS_TIME]), 0);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_RESPONSE]), 0);
	ck_assert_uint_eq(result->thread_count, plan.threads);
	ck_assert_int_eq(server.connections, 40);
	ck_assert(!result->partial);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

START_TEST(a_server_that_closes_each_connection)
{
	struct server server;
	struct load_request request = get("/close");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 4, 100);
	struct load_result *result = run("close", &plan);
	ck_assert_uint_eq(result->all.answered, 100);
	ck_assert_uint_eq(result->connections_opened, 100);
	ck_assert_uint_eq(result->connections_ended_by_server, 100);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_SERVICE]), 0);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_FIRST]), 100);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

START_TEST(what_is_sent_is_what_is_named)
{
	static const struct request_header headers[] = { { "X-One", "1" }, { "X-Empty", "" } };
	static const char *const expected[] = {
		"GET /ok HTTP/1.1\r\nHost: %s\r\nX-One: 1\r\nX-Empty:\r\n\r\n",
		"POST /ok HTTP/1.1\r\nHost: %s\r\nX-One: 1\r\nX-Empty:\r\nContent-Length: 3\r\n"
		"\r\nabc",
		"PUT /ok HTTP/1.1\r\nHost: %s\r\nX-One: 1\r\nX-Empty:\r\nContent-Length: 0\r\n"
		"\r\n",
	};
	static const char *const methods[] = { "GET", "POST", "PUT" };
	struct server server;
	char last[SERVER_LAST_BYTES], host[32], text[256];
	struct load_request request = get("/ok");
	request.method = methods[_i];
	request.headers = headers;
	request.header_count = 2;
	if (_i == 1)
		request.body = slice_of("abc");
	server_start(&server, scenarios, SCENARIOS);
	snprintf(host, sizeof host, "127.0.0.1:%d", server.port);
	snprintf(text, sizeof text, expected[_i], host);
	struct load_plan plan = closed_plan(&server, &request, 1, 2);
	struct load_result *result = run(methods[_i], &plan);
	ck_assert_uint_eq(result->all.answered, 2);
	server_last(&server, last);
	ck_assert_str_eq(last, text);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

/* The server knows no PROXY protocol: it finds no target in what comes first, and closes. */
START_TEST(the_proxy_line_comes_first)
{
	struct server server;
	char last[SERVER_LAST_BYTES];
	struct load_request request = get("/ok");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 1, 1);
	plan.address.proxy_line = true;
	struct load_result *result = run("PROXY", &plan);
	server_last(&server, last);
	ck_assert_msg(strncmp(last, "PROXY TCP4 127.0.0.1 127.0.0.1 ", 31) == 0, "found %s", last);
	ck_assert_ptr_nonnull(strstr(last, "\r\nGET /ok HTTP/1.1\r\n"));
	load_result_free(result);
	server_stop(&server);
}
END_TEST

/* At 100/s to a server that takes 20 ms and one request at a time, request k of 30 is due at 10k ms, done at 20(k+1). */
START_TEST(the_wait_for_the_bound_counts)
{
	struct server server;
	struct load_request request = get("/slow");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = open_plan(&server, &request, 100, 300 * NS_PER_MS);
	plan.max_in_flight = 1;
	struct load_result *result = run("bound", &plan);
	const struct hist *response = result->hists[LOAD_RESPONSE];
	const struct hist *lag = result->hists[LOAD_SEND_LAG];
	ck_assert_uint_eq(result->measured.answered, 30);
	ck_assert_uint_eq(hist_count(response), 30);
	ck_assert_uint_eq(hist_count(lag), 30);
	ck_assert_uint_ge(result->bound_hits, 28);
	ck_assert_uint_le(result->bound_hits, 29);
	ck_assert_uint_eq(result->unsent, 0);
	ck_assert_uint_eq(result->in_flight_max, 1);
	/* A server on a busy machine is slower than that, never faster. */
	ck_assert_int_ge(hist_max(response), (20 * 30 - 10 * 29) * NS_PER_MS);
	ck_assert_int_ge(hist_quantile(response, 0.5), (20 * 15 - 10 * 14) * NS_PER_MS * 99 / 100);
	ck_assert_int_ge(hist_max(lag), (20 * 29 - 10 * 29) * NS_PER_MS);
	ck_assert_int_lt(
		hist_quantile(result->hists[LOAD_SERVICE], 0.5), hist_quantile(response, 0.5) / 2);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

START_TEST(a_schedule_is_kept_by_all_threads_together)
{
	struct server server;
	struct load_request request = get("/ok");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = open_plan(&server, &request, 500, 1200 * NS_PER_MS);
	plan.warm_up_ns = 200 * NS_PER_MS;
	plan.measure_ns = 800 * NS_PER_MS;
	plan.tail_ns = 200 * NS_PER_MS;
	plan.threads = 1 + (size_t)_i;
	struct load_result *result = run("schedule", &plan);
	ck_assert_uint_eq(result->all.answered, 600);
	ck_assert_uint_eq(result->measured.answered, 400);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_RESPONSE]), 400);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_SEND_LAG]), 400);
	ck_assert_uint_eq(result->unsent, 0);
	/* By the plan, however late the threads looked at the clock. */
	ck_assert_int_eq(result->measured_ns, plan.measure_ns);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

/* 60 answers of at least 20 ms each, one after the other: a second and some more, which is not measured as a whole. */
START_TEST(a_second_in_which_the_run_ends_is_not_measured)
{
	struct server server;
	struct load_request request = get("/slow");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 2, 120);
	plan.threads = 2;
	struct load_result *result = run("so many", &plan);
	ck_assert_uint_ge(result->second_count, 2);
	for (size_t i = 0; i < result->second_count; i++) {
		int64_t end_ns = (int64_t)(i + 1) * NS_PER_S;
		ck_assert_msg(!result->seconds[i].measured || end_ns <= result->measured_ns,
			"second %zu of %lld ns", i, (long long)result->measured_ns);
	}
	ck_assert(result->seconds[0].measured);
	ck_assert(!result->seconds[result->second_count - 1].measured);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

START_TEST(time_outs_are_in_the_histogram_at_their_limit)
{
	struct server server;
	struct load_request request = get("/silent");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = open_plan(&server, &request, 100, 200 * NS_PER_MS);
	plan.timeout_ns = 150 * NS_PER_MS;
	struct load_result *result = run("time-outs", &plan);
	ck_assert_uint_eq(result->all.failed[LOAD_TIMEOUT_HEAD], 20);
	ck_assert_uint_eq(result->censored, 20);
	ck_assert_int_eq(hist_min(result->hists[LOAD_SERVICE]), 150 * NS_PER_MS);
	ck_assert_int_eq(hist_max(result->hists[LOAD_SERVICE]), 150 * NS_PER_MS);
	ck_assert_int_ge(hist_min(result->hists[LOAD_RESPONSE]), 150 * NS_PER_MS);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

START_TEST(the_drain_is_bounded)
{
	struct server server;
	struct load_request request = get("/silent");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = _i ? open_plan(&server, &request, 100, 100 * NS_PER_MS)
				   : closed_plan(&server, &request, 5, 0);
	plan.max_in_flight = 5;
	plan.measure_ns = 100 * NS_PER_MS;
	plan.timeout_ns = 600 * NS_PER_S;
	plan.drain_ns = 100 * NS_PER_MS;
	int64_t start_ns = clock_now_ns();
	struct load_result *result = run("drain", &plan);
	ck_assert_int_lt(clock_now_ns() - start_ns, 5 * NS_PER_S);
	ck_assert_uint_eq(result->all.sent, 5);
	ck_assert_uint_eq(result->all.unanswered, 5);
	ck_assert_uint_eq(result->unsent, _i ? 5 : 0);
	ck_assert(!result->partial);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

static void *stop_soon(void *self)
{
	const uint64_t one = 1;
	usleep(300 * 1000);
	ck_assert_int_eq(write(*(int *)self, &one, sizeof one), sizeof one);
	return NULL;
}

START_TEST(stopped_it_tells_what_it_has)
{
	struct server server;
	pthread_t thread;
	struct load_request request = get(_i ? "/silent" : "/ok");
	int fd = eventfd(0, EFD_CLOEXEC);
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 4, 0);
	plan.measure_ns = 600 * NS_PER_S;
	plan.timeout_ns = 600 * NS_PER_S;
	plan.drain_ns = 600 * NS_PER_S;
	plan.threads = 2;
	plan.stop_fd = fd;
	int64_t start_ns = clock_now_ns();
	pthread_create(&thread, NULL, stop_soon, &fd);
	struct load_result *result = run("stopped", &plan);
	ck_assert_int_lt(clock_now_ns() - start_ns, 10 * NS_PER_S);
	ck_assert(result->partial);
	ck_assert_uint_le(result->all.unanswered, 4);
	ck_assert_uint_eq(result->all.unanswered + result->all.answered, result->all.sent);
	if (_i)
		ck_assert_uint_eq(result->all.unanswered, 4);
	ck_assert_int_gt(result->measured_ns, 0);
	ck_assert_int_lt(result->measured_ns, 10 * NS_PER_S);
	pthread_join(thread, NULL);
	close(fd);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

START_TEST(a_ramp_is_in_no_percentile)
{
	struct server server;
	struct load_request request = get("/ok");
	server_start(&server, scenarios, SCENARIOS);
	struct load_plan plan = closed_plan(&server, &request, 10, 0);
	plan.users.kind = USERS_RAMP;
	plan.users.ramp_ns = 300 * NS_PER_MS;
	plan.users.length_ns = 1000 * NS_PER_MS;
	plan.users.think_ns = 5 * NS_PER_MS;
	plan.warm_up_ns = users_ramp_end(&plan.users);
	plan.measure_ns = 500 * NS_PER_MS;
	plan.tail_ns = 200 * NS_PER_MS;
	struct load_result *result = run("ramp", &plan);
	ck_assert_uint_gt(result->measured.answered, 0);
	ck_assert_uint_lt(result->measured.sent, result->all.sent);
	ck_assert_uint_eq(hist_count(result->hists[LOAD_SERVICE]), result->measured.answered);
	/* All have connected while they were let in. */
	ck_assert_uint_eq(hist_count(result->hists[LOAD_FIRST]), 0);
	ck_assert_uint_eq(result->connections_opened, 10);
	ck_assert_int_ge(result->measured_ns, 450 * NS_PER_MS);
	load_result_free(result);
	server_stop(&server);
}
END_TEST

static void spoil_name(struct load_plan *plan, struct load_request *request)
{
	(void)request;
	plan->address.host = "no-such-host.invalid";
}

/* More than any limit allows; descriptors are counted before any is opened. */
static void spoil_users(struct load_plan *plan, struct load_request *request)
{
	struct rlimit now;
	(void)request;
	getrlimit(RLIMIT_NOFILE, &now);
	now.rlim_max = now.rlim_cur;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &now), 0);
	plan->users.users = now.rlim_max;
}

static void spoil_target(struct load_plan *plan, struct load_request *request)
{
	(void)plan;
	request->target = "ok";
}

static void spoil_method(struct load_plan *plan, struct load_request *request)
{
	(void)plan;
	request->method = "CONNECT";
}

static void spoil_header(struct load_plan *plan, struct load_request *request)
{
	static const struct request_header header = { "X-One", "1\r\nX-Two: 2" };
	(void)plan;
	request->headers = &header;
	request->header_count = 1;
}

static void spoil_scheme(struct load_plan *plan, struct load_request *request)
{
	(void)request;
	plan->address.protocol = PROTOCOL_HTTP2;
}

static void spoil_kinds(struct load_plan *plan, struct load_request *request)
{
	(void)request;
	plan->request_count = 0;
}

static void spoil_key(struct load_plan *plan, struct load_request *request)
{
	(void)request;
	plan->address.key = "no-such-file.pem";
}

static void spoil_threads(struct load_plan *plan, struct load_request *request)
{
	(void)request;
	plan->threads = 0;
}

static void spoil_bound(struct load_plan *plan, struct load_request *request)
{
	*plan = open_plan(NULL, request, 10, NS_PER_S);
	plan->max_in_flight = 0;
}

static const struct refusal {
	const char *why, *part; /* of the text */
	enum rc rc;
	void (*spoil)(struct load_plan *plan, struct load_request *request);
} refusals[] = {
	{ "a name that is none", "no-such-host.invalid: expected an address", RC_ENVIRONMENT,
		spoil_name },
	{ "more users than descriptors", "in flight are possible", RC_ENVIRONMENT, spoil_users },
	{ "no path", "begins with /", RC_USAGE, spoil_target },
	{ "CONNECT", "other than CONNECT", RC_USAGE, spoil_method },
	{ "a header of two lines", "of one line", RC_USAGE, spoil_header },
	{ "HTTP/2 by ALPN without TLS", "needs https", RC_USAGE, spoil_scheme },
	{ "nothing to send", "", RC_USAGE, spoil_kinds },
	{ "no key", "no-such-file.pem", RC_ENVIRONMENT, spoil_key },
	{ "no thread", "threads", RC_USAGE, spoil_threads },
	{ "nothing may be in flight", "max_in_flight", RC_USAGE, spoil_bound },
};

START_TEST(what_can_not_be_run_is_refused)
{
	const struct refusal *row = &refusals[_i];
	struct load_request request = get("/ok");
	struct load_plan plan = closed_plan(NULL, &request, 1, 1);
	struct load_result *result;
	struct err err = { 0 };
	char text[sizeof err.where + sizeof err.text + 3];
	struct rlimit before, behind; /* a run that needs a higher limit puts it back */
	row->spoil(&plan, &request);
	getrlimit(RLIMIT_NOFILE, &before);
	ck_assert(http_init(&err) == RC_OK);
	ck_assert_msg(load_run(&plan, &result, &err) == row->rc, "%s", row->why);
	ck_assert_ptr_null(result);
	snprintf(text, sizeof text, "%s: %s", err.where, err.text);
	ck_assert_msg(strstr(text, row->part) != NULL, "%s: expected %s, found %s", row->why,
		row->part, text);
	getrlimit(RLIMIT_NOFILE, &behind);
	ck_assert_uint_eq(before.rlim_cur, behind.rlim_cur);
}
END_TEST

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "bench"))
		return bench(argc - 2, argv + 2);
	TCase *tests = tcase_create("load");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, each_kind_of_failure, 0, COUNT(failures));
	tcase_add_test(tests, no_tls_is_spoken);
	tcase_add_loop_test(tests, a_connection_that_ends_under_a_request, 0, 2);
	tcase_add_test(tests, no_descriptor_is_left);
	tcase_add_loop_test(tests, answers_are_judged_and_counted, 0, COUNT(answers));
	tcase_add_loop_test(tests, each_user_has_its_connection, 0, 4);
	tcase_add_test(tests, a_server_that_closes_each_connection);
	tcase_add_loop_test(tests, what_is_sent_is_what_is_named, 0, 3);
	tcase_add_test(tests, the_proxy_line_comes_first);
	tcase_add_test(tests, the_wait_for_the_bound_counts);
	tcase_add_loop_test(tests, a_schedule_is_kept_by_all_threads_together, 0, 3);
	tcase_add_test(tests, a_second_in_which_the_run_ends_is_not_measured);
	tcase_add_test(tests, time_outs_are_in_the_histogram_at_their_limit);
	tcase_add_loop_test(tests, the_drain_is_bounded, 0, 2);
	tcase_add_loop_test(tests, stopped_it_tells_what_it_has, 0, 2);
	tcase_add_test(tests, a_ramp_is_in_no_percentile);
	tcase_add_loop_test(tests, what_can_not_be_run_is_refused, 0, COUNT(refusals));
	Suite *suite = suite_create("http/load");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
