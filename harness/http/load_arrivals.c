/*
 * The open loop: requests are sent when the schedule has them due. While as many as may be are in flight the schedule
 * stands still at the first that waits; each is sent with the time it was due, so that its wait counts.
 */
#include "http/load_call.h"
#include "http/load_held_up.h"

#include <stdlib.h>

struct arrivals {
	struct arrival arrival;
	int64_t next_ns; /* when the next is due, by the clock; CLOCK_NEVER: no more */
	uint64_t most;   /* in flight */
	bool waits;      /* the next is due, and most are in flight */
	struct load_held_up held;
	bool counted;
	uint64_t left; /* as in load_users.c */
	size_t roomy;  /* groups before this one are full */
	struct timer due;
	struct load_thread *thread;
};

static void advance(struct arrivals *arrivals)
{
	const struct load_setup *setup = arrivals->thread->setup;
	int64_t offset_ns = arrival_next(&arrivals->arrival);
	arrivals->next_ns = CLOCK_NEVER;
	if (offset_ns == CLOCK_NEVER || offset_ns >= setup->end_ns - setup->start_ns)
		return;
	int64_t due_ns = setup->start_ns + offset_ns;
	if (arrivals->counted && due_ns >= setup->from_ns) {
		if (!arrivals->left)
			return;
		arrivals->left--;
	}
	arrivals->next_ns = due_ns;
}

static struct load_group *roomy_group(struct arrivals *arrivals)
{
	struct load_thread *thread = arrivals->thread;
	struct load_group *group;
	while ((group = load_thread_group(thread, arrivals->roomy))->in_flight ==
		thread->setup->group_size)
		arrivals->roomy++;
	return group;
}

/* The next had to wait for the bound. */
static void count_wait(struct arrivals *arrivals, int64_t now_ns)
{
	struct load_result *result = arrivals->thread->result;
	if (!arrivals->waits)
		return;
	result->bound_hits++;
	result->bound_hits_own +=
		load_held_up_explains(&arrivals->held, now_ns - arrivals->next_ns);
}

static void send_due(struct arrivals *arrivals, int64_t now_ns)
{
	struct load_thread *thread = arrivals->thread;
	int64_t late_ns = now_ns - arrivals->next_ns;
	while (arrivals->next_ns <= now_ns && thread->in_flight < arrivals->most) {
		int64_t due_ns = arrivals->next_ns;
		count_wait(arrivals, now_ns);
		advance(arrivals);
		load_call_start(roomy_group(arrivals), mix_pick(&thread->setup->mix, &thread->rng),
			due_ns, NULL);
	}
	bool waited = arrivals->waits;
	arrivals->waits = arrivals->next_ns <= now_ns;
	if (arrivals->waits && !waited)
		load_held_up_begin(&arrivals->held, late_ns);
	if (!arrivals->waits && arrivals->next_ns != CLOCK_NEVER)
		engine_set_timer(thread->engine, &arrivals->due, arrivals->next_ns);
}

static void on_due(void *self)
{
	send_due(self, clock_now_ns());
}

static void start(struct load_thread *thread)
{
	const struct load_plan *plan = thread->setup->plan;
	struct arrivals *arrivals = mem_alloc(1, sizeof *arrivals);
	struct arrival_plan share = plan->arrival;
	uint64_t shards = share.share.count ? share.share.count : 1;
	struct rng rng;
	*arrivals = (struct arrivals){ .most = load_thread_share(thread, plan->max_in_flight),
		.counted = plan->measure_requests > 0,
		.left = load_thread_share(thread, plan->measure_requests),
		.due = { .fire = on_due, .self = arrivals },
		.thread = thread };
	share.share.index = share.share.index * thread->setup->threads + thread->index;
	share.share.count = shards * thread->setup->threads;
	/* The same numbers in every thread: together the shares are one schedule. */
	rng_init(&rng, plan->seed, "load arrivals");
	load_held_up_init(&arrivals->held);
	arrival_init(&arrivals->arrival, &share, &rng);
	thread->way = arrivals;
	advance(arrivals);
	if (arrivals->next_ns != CLOCK_NEVER)
		engine_set_timer(thread->engine, &arrivals->due, arrivals->next_ns);
}

/* What was due and not sent is told, however the run ended. */
static void count_unsent(struct arrivals *arrivals, int64_t now_ns)
{
	for (; arrivals->next_ns <= now_ns; advance(arrivals)) {
		arrivals->thread->result->unsent++;
		count_wait(arrivals, now_ns);
	}
}

static void stop(struct load_thread *thread)
{
	struct arrivals *arrivals = thread->way;
	count_unsent(arrivals, clock_now_ns());
	engine_stop_timer(&arrivals->due);
	load_held_up_release(&arrivals->held);
	free(arrivals);
}

static void ended(
	struct load_thread *thread, const struct load_call *call, int64_t now_ns, bool rest)
{
	struct arrivals *arrivals = thread->way;
	(void)rest;
	if (call->group->index < arrivals->roomy)
		arrivals->roomy = call->group->index;
	if (arrivals->waits)
		send_due(arrivals, now_ns);
}

static bool over(const struct load_thread *thread, int64_t now_ns)
{
	const struct arrivals *arrivals = thread->way;
	(void)now_ns;
	return arrivals->next_ns == CLOCK_NEVER;
}

const struct load_way load_arrivals_way = { start, stop, ended, over };
