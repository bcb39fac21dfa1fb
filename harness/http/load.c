#include "http/load.h"

#include "http/load_setup.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>

/* What the threads need to wake up at the gate, so that the first requests aren't late. */
#define START_NS NS_PER_MS

static bool is_measured(const struct load_plan *plan, int64_t at_s)
{
	return at_s * NS_PER_S >= plan->warm_up_ns &&
	       (at_s + 1) * NS_PER_S <= plan->warm_up_ns + plan->measure_ns;
}

static void take_seconds(const struct load_setup *setup, struct load_result *result)
{
	const struct load_plan *plan = setup->plan;
	struct load_second second;
	while (load_series_take(setup->series, &second)) {
		second.measured = second.measured && is_measured(plan, second.at_s);
		result->seconds = mem_grow(
			result->seconds, result->second_count + 1, sizeof *result->seconds);
		result->seconds[result->second_count++] = second;
		if (plan->second)
			plan->second(plan->self, &second);
	}
}

/* The caller's thread does nothing but this while the others work. */
static void watch(const struct load_setup *setup, struct load_result *result)
{
	struct pollfd ready = { .fd = load_series_fd(setup->series), .events = POLLIN };
	bool over;
	do {
		if (poll(&ready, 1, -1) < 0 && errno != EINTR)
			BUG("poll: errno %d", errno);
		over = load_series_over(setup->series);
		take_seconds(setup, result);
	} while (!over);
}

/* Signals are the caller's thread's. */
static enum rc start_thread(struct load_thread *thread, struct err *err)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int code = pthread_create(&thread->id, NULL, load_thread_run, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = code;
	return code ? err_errno(err, RC_ENVIRONMENT, "", "pthread_create") : RC_OK;
}

static void move_gate(struct load_setup *setup, bool open)
{
	pthread_mutex_lock(&setup->gate.lock);
	load_setup_times(setup, clock_now_ns() + START_NS);
	setup->gate.state = open ? LOAD_GATE_OPEN : LOAD_GATE_GIVEN_UP;
	pthread_cond_broadcast(&setup->gate.moved);
	pthread_mutex_unlock(&setup->gate.lock);
}

static enum rc run_threads(struct load_setup *setup, struct load_thread *threads,
	struct load_result *result, struct err *err)
{
	enum rc rc = RC_OK;
	size_t made = 0, started = 0;
	while (rc == RC_OK && made < setup->threads) {
		rc = load_thread_init(&threads[made], setup, made, err);
		made++;
	}
	while (rc == RC_OK && started < setup->threads) {
		rc = start_thread(&threads[started], err);
		started += rc == RC_OK;
	}
	move_gate(setup, rc == RC_OK);
	if (rc == RC_OK)
		watch(setup, result);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i].id, NULL);
	for (size_t i = 0; rc == RC_OK && i < started; i++)
		load_result_add(result, threads[i].result);
	for (size_t i = 0; i < made; i++)
		load_thread_release(&threads[i]);
	return rc;
}

enum rc load_run(const struct load_plan *plan, struct load_result **result, struct err *err)
{
	struct load_setup setup;
	struct rlimit before;
	*result = NULL;
	enum rc rc = load_setup_init(&setup, plan, err);
	if (rc == RC_OK)
		rc = load_descriptors_raise(&setup, &before, err);
	if (rc != RC_OK)
		goto release_setup;
	setup.series = load_series_new(setup.threads);
	if (!setup.series) {
		rc = err_errno(err, RC_ENVIRONMENT, "", "eventfd");
		goto lower_limit;
	}
	struct load_thread *threads = mem_alloc(setup.threads, sizeof *threads);
	*result = load_result_new();
	if (setup.dns_ns >= 0)
		hist_record((*result)->hists[LOAD_DNS], setup.dns_ns);
	rc = run_threads(&setup, threads, *result, err);
	(*result)->start_ns = setup.start_ns;
	free(threads);
	load_series_free(setup.series);
	if (rc != RC_OK) {
		load_result_free(*result);
		*result = NULL;
	}
lower_limit:
	setrlimit(RLIMIT_NOFILE, &before);
release_setup:
	load_setup_release(&setup);
	return rc;
}
