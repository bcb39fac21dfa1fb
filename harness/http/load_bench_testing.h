/*
 * load_bench_testing: `load_test bench HOST PORT TARGET USERS SECONDS [THREADS [RATE [PROTOCOL [STREAMS]]]]` drives a
 * server and prints what the load itself cost: no test is judged by the clock. PROTOCOL: 1, 2 (TLS, unverified), 2c.
 */
#ifndef HTTP_LOAD_BENCH_TESTING_H
#define HTTP_LOAD_BENCH_TESTING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "http/load.h"

static inline double bench_us(const struct load_result *result, enum load_hist which, double share)
{
	return (double)hist_quantile(result->hists[which], share) / 1e3;
}

static inline void bench_print(const struct load_result *result)
{
	struct rusage used;
	uint64_t answered = result->all.answered ? result->all.answered : 1;
	double user_us, system_us;
	getrusage(RUSAGE_SELF, &used);
	user_us = (double)used.ru_utime.tv_sec * 1e6 + (double)used.ru_utime.tv_usec;
	system_us = (double)used.ru_stime.tv_sec * 1e6 + (double)used.ru_stime.tv_usec;
	printf("answered %llu failed %llu unanswered %llu %s  rate %.0f/s\n",
		(unsigned long long)result->all.answered,
		(unsigned long long)load_counts_failed(&result->all),
		(unsigned long long)result->all.unanswered,
		load_counts_add_up(&result->all) ? "adds up" : "DOES NOT ADD UP",
		(double)result->measured.answered * 1e9 / (double)result->measured_ns);
	printf("cpu/request %.2f us (user %.2f, system %.2f)  connections %llu  memory %ld KiB\n",
		(user_us + system_us) / (double)answered, user_us / (double)answered,
		system_us / (double)answered, (unsigned long long)result->connections_opened,
		used.ru_maxrss);
	for (size_t i = 0; i < LOAD_HIST_COUNT; i++)
		if (hist_count(result->hists[i]))
			printf("%-10s %8llu  p50 %9.1f  p99 %9.1f  max %9.1f us\n",
				load_hist_name(i), (unsigned long long)hist_count(result->hists[i]),
				bench_us(result, i, 0.5), bench_us(result, i, 0.99),
				bench_us(result, i, 1));
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		if (result->all.failed[i])
			printf("%s %s %llu\n", load_failure_at(i)->code, load_failure_at(i)->name,
				(unsigned long long)result->all.failed[i]);
}

static inline int bench(int argc, char **argv)
{
	const char *const given[] = { "127.0.0.1", "80", "/", "64", "3", "1", "0", "1", "1" };
	const char *word[sizeof given / sizeof *given];
	struct err err = { 0 };
	struct load_result *result;
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		word[i] = (int)i < argc ? argv[i] : given[i];
	uint64_t users = strtoull(word[3], NULL, 10);
	const struct load_request request = { .method = "GET", .target = word[2], .weight = 1 };
	struct load_plan plan = { .requests = &request,
		.request_count = 1,
		.max_in_flight = users,
		.measure_ns = strtoll(word[4], NULL, 10) * NS_PER_S,
		.timeout_ns = 5 * NS_PER_S,
		.drain_ns = 5 * NS_PER_S,
		.threads = strtoull(word[5], NULL, 10),
		.streams = strtoull(word[8], NULL, 10),
		.stop_fd = -1 };
	plan.users = (struct users_plan){ .users = users, .length_ns = plan.measure_ns };
	plan.arrival = (struct arrival_plan){ .rate_per_s = strtod(word[6], NULL),
		.length_ns = plan.measure_ns };
	plan.model = plan.arrival.rate_per_s > 0 ? LOAD_OPEN : LOAD_CLOSED;
	plan.address = (struct client_options){ .scheme = "http",
		.host = word[0],
		.port = (int)strtol(word[1], NULL, 10),
		.insecure = true };
	if (strcmp(word[7], "2") == 0) {
		plan.address.protocol = PROTOCOL_HTTP2;
		plan.address.scheme = "https";
	} else if (strcmp(word[7], "2c") == 0) {
		plan.address.protocol = PROTOCOL_HTTP2C;
	}
	if (http_init(&err) != RC_OK || load_run(&plan, &result, &err) != RC_OK) {
		err_print(err.where, &err);
		return EXIT_FAILURE;
	}
	bench_print(result);
	load_result_free(result);
	return EXIT_SUCCESS;
}

#endif
