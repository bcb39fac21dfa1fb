/*
 * load_testing: what the tests of load share: a plan against the tests' server, a run of it, and that its sums hold.
 */
#ifndef HTTP_LOAD_TESTING_H
#define HTTP_LOAD_TESTING_H

#include <sys/eventfd.h>

#include "http/load.h"
#include "http/server_testing.h"

#define OK_ANSWER "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
#define TEXT(t)   t, sizeof(t) - 1

/* What a run's callback has seen. */
struct seen {
	size_t count;
	uint64_t sent, answered, failed, bytes;
	bool in_order;
};

static inline void see_second(void *self, const struct load_second *second)
{
	struct seen *seen = self;
	seen->in_order =
		(seen->count == 0 || seen->in_order) && second->at_s == (int64_t)seen->count;
	seen->count++;
	seen->sent += second->sent;
	seen->answered += second->answered;
	seen->failed += second->failed;
	seen->bytes += second->wire_bytes;
}

/* A closed loop of `users` that sends `requests` of one kind. */
static inline struct load_plan closed_plan(const struct server *server,
	const struct load_request *request, uint64_t users, uint64_t requests)
{
	struct load_plan plan = { .requests = request,
		.request_count = 1,
		.users = { .users = users, .length_ns = CLOCK_NEVER },
		.measure_ns = 20 * NS_PER_S,
		.measure_requests = requests,
		.timeout_ns = 10 * NS_PER_S,
		.drain_ns = 10 * NS_PER_S,
		.threads = 1,
		.seed = 7,
		.stop_fd = -1 };
	plan.address = (struct client_options){
		.scheme = "http", .host = "127.0.0.1", .port = server ? server->port : 1
	};
	return plan;
}

static inline struct load_plan open_plan(const struct server *server,
	const struct load_request *request, double rate_per_s, int64_t length_ns)
{
	struct load_plan plan = closed_plan(server, request, 1, 0);
	plan.model = LOAD_OPEN;
	plan.arrival = (struct arrival_plan){ .rate_per_s = rate_per_s, .length_ns = length_ns };
	plan.max_in_flight = 64;
	plan.measure_ns = length_ns;
	return plan;
}

static inline void check_counts(const char *why, const struct load_counts *counts)
{
	uint64_t statuses = 0;
	ck_assert_msg(load_counts_add_up(counts),
		"%s: sent %llu, answered %llu, failed %llu, unanswered %llu", why,
		(unsigned long long)counts->sent, (unsigned long long)counts->answered,
		(unsigned long long)load_counts_failed(counts),
		(unsigned long long)counts->unanswered);
	for (size_t i = 0; i < 6; i++)
		statuses += counts->statuses[i];
	ck_assert_msg(statuses == counts->answered, "%s: statuses of %llu, answered %llu", why,
		(unsigned long long)statuses, (unsigned long long)counts->answered);
}

/* What must hold of every run, however it went. */
static inline void check_result(
	const char *why, const struct load_result *result, const struct seen *seen)
{
	const struct load_counts *all = &result->all, *measured = &result->measured;
	uint64_t times =
		hist_count(result->hists[LOAD_SERVICE]) + hist_count(result->hists[LOAD_FIRST]);
	check_counts(why, all);
	check_counts(why, measured);
	ck_assert_msg(times == measured->answered + result->censored,
		"%s: %llu times, answered %llu, censored %llu", why, (unsigned long long)times,
		(unsigned long long)measured->answered, (unsigned long long)result->censored);
	ck_assert_msg(hist_count(result->hists[LOAD_FIRST_BYTE]) ==
			      hist_count(result->hists[LOAD_LAST_BYTE]),
		"%s: phases differ in number", why);
	ck_assert_msg(seen->in_order && seen->count == result->second_count,
		"%s: %zu seconds seen, %zu given", why, seen->count, result->second_count);
	ck_assert_msg(seen->sent == all->sent && seen->answered == all->answered &&
			      seen->failed == load_counts_failed(all) &&
			      seen->bytes <= all->wire_bytes,
		"%s: the seconds do not add up to the whole", why);
	for (size_t i = 0; i < result->thread_count; i++)
		ck_assert_msg(result->threads[i].cpu_ns > 0 && result->threads[i].measured_cpu_ns <=
								       result->threads[i].cpu_ns,
			"%s: CPU of thread %zu", why, i);
}

static inline struct load_result *run(const char *why, const struct load_plan *plan)
{
	struct load_result *result;
	struct err err = { 0 };
	struct seen seen = { .in_order = true };
	struct load_plan watched = *plan;
	watched.second = see_second;
	watched.self = &seen;
	ck_assert_msg(http_init(&err) == RC_OK, "%s", err.text);
	ck_assert_msg(
		load_run(&watched, &result, &err) == RC_OK, "%s: %s: %s", why, err.where, err.text);
	check_result(why, result, &seen);
	return result;
}

#endif
