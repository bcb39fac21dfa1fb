#include "http/load_call.h"
#include "http/load_held_up.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t cpu_now_ns(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
		BUG("the kernel has no clock for the CPU time of a thread");
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void give_second(struct load_thread *thread, bool whole)
{
	thread->part.whole = whole;
	thread->part.connections = thread->connections;
	thread->part.in_flight = thread->in_flight;
	load_series_add(thread->setup->series, thread->index, thread->second, &thread->part,
		thread->latencies);
	thread->part = (struct load_part){ 0 };
	hist_clear(thread->latencies);
	thread->second++;
}

static int64_t second_end_ns(const struct load_thread *thread)
{
	return thread->setup->start_ns + (thread->second + 1) * NS_PER_S;
}

/* A thread that was held up gives what it did to the first of the seconds that it missed. */
static void on_second(void *self)
{
	struct load_thread *thread = self;
	int64_t now_ns = clock_now_ns();
	while (second_end_ns(thread) <= now_ns)
		give_second(thread, true);
	engine_set_timer(thread->engine, &thread->second_over, second_end_ns(thread));
}

static void on_from(void *self)
{
	struct load_thread *thread = self;
	thread->from_cpu_ns = cpu_now_ns();
	thread->from_wait_ns = load_held_up_so_far();
	thread->from_real_ns = clock_now_ns();
}

static void on_to(void *self)
{
	struct load_thread *thread = self;
	thread->to_cpu_ns = cpu_now_ns();
	thread->to_wait_ns = load_held_up_so_far();
	thread->to_real_ns = clock_now_ns();
}

static void on_timeout(void *self)
{
	struct load_thread *thread = self;
	int64_t limit_ns = thread->setup->plan->timeout_ns;
	int64_t now_ns = clock_now_ns();
	for (struct load_call *call;
		(call = thread->oldest) && call->start_ns + limit_ns <= now_ns;) {
		const struct load_end end = { .now_ns = now_ns,
			.failure = load_failure_of_timeout(call) };
		load_call_end(call, &end);
	}
	load_thread_time(thread);
}

void load_thread_time(struct load_thread *thread)
{
	if (thread->oldest && !thread->timeout.link)
		engine_set_timer(thread->engine, &thread->timeout,
			thread->oldest->start_ns + thread->setup->plan->timeout_ns);
}

uint64_t load_thread_share(const struct load_thread *thread, uint64_t total)
{
	size_t threads = thread->setup->threads;
	return total / threads + (thread->index < total % threads);
}

struct load_group *load_thread_group(struct load_thread *thread, size_t index)
{
	if (index == thread->group_count) {
		size_t count = thread->group_count + 1;
		thread->groups = mem_grow(thread->groups, count, sizeof(struct load_group *));
		thread->groups[index] = load_group_new(thread, index, thread->setup->group_size);
		thread->group_count = count;
	}
	return thread->groups[index];
}

enum rc load_thread_init(
	struct load_thread *thread, struct load_setup *setup, size_t index, struct err *err)
{
	enum rc rc = RC_OK;
	char *name = mem_print("load %zu", index);
	*thread = (struct load_thread){ .setup = setup,
		.index = index,
		.engine = engine_new(),
		.timeout = { .fire = on_timeout, .self = thread },
		.second_over = { .fire = on_second, .self = thread },
		.from = { .fire = on_from, .self = thread },
		.to = { .fire = on_to, .self = thread } };
	rng_init(&thread->rng, setup->plan->seed, name);
	free(name);
	thread->result = load_result_new();
	thread->result->threads = mem_alloc(1, sizeof *thread->result->threads);
	thread->result->thread_count = 1;
	thread->result->kinds =
		mem_alloc(setup->plan->request_count, sizeof *thread->result->kinds);
	thread->result->kind_count = setup->plan->request_count;
	thread->latencies = hist_new();
	if (!thread->engine)
		return err_errno(err, RC_ENVIRONMENT, "", "epoll_create1");
	if (setup->plan->stop_fd >= 0)
		rc = engine_interrupt(thread->engine, setup->plan->stop_fd, err);
	return rc;
}

void load_thread_release(struct load_thread *thread)
{
	engine_free(thread->engine);
	hist_free(thread->latencies);
	load_result_free(thread->result);
}

static bool over(void *self)
{
	const struct load_thread *thread = self;
	return !thread->in_flight && thread->setup->way->over(thread, clock_now_ns());
}

static void drive(struct load_thread *thread)
{
	const struct load_setup *setup = thread->setup;
	engine_set_timer(thread->engine, &thread->second_over, second_end_ns(thread));
	engine_set_timer(thread->engine, &thread->from, setup->from_ns);
	engine_set_timer(thread->engine, &thread->to, setup->to_ns);
	setup->way->start(thread);
	enum rc rc =
		engine_run(thread->engine, over, thread, setup->end_ns + setup->plan->drain_ns);
	thread->result->partial = rc == RC_CLOSED;
}

void load_thread_end_calls(struct load_thread *thread)
{
	thread->closing = true;
	for (struct load_call *call; (call = thread->oldest);) {
		const struct load_end end = { .now_ns = clock_now_ns(), .unanswered = true };
		load_call_end(call, &end);
	}
}

void load_thread_close_groups(struct load_thread *thread)
{
	for (size_t i = 0; i < thread->group_count; i++)
		load_group_free(thread->groups[i]);
	free(thread->groups);
	load_group_forget_sockets(thread);
}

static void stop(struct load_thread *thread)
{
	load_thread_end_calls(thread);
	thread->setup->way->stop(thread);
	on_second(thread);
	if (thread->part.sent || thread->part.answered || thread->part.failed)
		give_second(thread, false);
	load_series_leave(thread->setup->series, thread->index);
	load_thread_close_groups(thread);
}

/* A run that ended while it measured, or before it did, has measured until then, or nothing. */
static void sum_up(struct load_thread *thread)
{
	const struct load_setup *setup = thread->setup;
	struct load_result *result = thread->result;
	int64_t now_ns = clock_now_ns();
	if (!thread->to_real_ns)
		on_to(thread);
	result->ran_ns = now_ns - setup->start_ns;
	/* By the plan: a thread that was held up looked at the clock too late, and its requests are told by the plan. */
	int64_t until_ns = now_ns < setup->to_ns ? now_ns : setup->to_ns;
	if (until_ns > setup->from_ns)
		result->measured_ns = until_ns - setup->from_ns;
	struct load_cpu *cpu = &result->threads[0];
	cpu->cpu_ns = cpu_now_ns();
	if (!thread->from_real_ns)
		return;
	cpu->measured_cpu_ns = thread->to_cpu_ns - thread->from_cpu_ns;
	cpu->measured_ns = thread->to_real_ns - thread->from_real_ns;
	cpu->measured_wait_ns = thread->to_wait_ns - thread->from_wait_ns;
}

static bool gate_opens(struct load_gate *gate)
{
	pthread_mutex_lock(&gate->lock);
	while (gate->state == LOAD_GATE_SHUT)
		pthread_cond_wait(&gate->moved, &gate->lock);
	bool open = gate->state == LOAD_GATE_OPEN;
	pthread_mutex_unlock(&gate->lock);
	return open;
}

void *load_thread_run(void *self)
{
	struct load_thread *thread = self;
	if (!gate_opens(&thread->setup->gate))
		return NULL;
	/* Schedules are kept to the microsecond, where the kernel by itself would be up to 50 late. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	drive(thread);
	sum_up(thread);
	stop(thread);
	return NULL;
}
