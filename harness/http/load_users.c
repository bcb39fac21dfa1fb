/* The closed loop: a user sends, waits for the answer, thinks, and sends again. */
#include "http/load_call.h"
#include "http/load_rest.h"

#include <stdlib.h>

struct load_user {
	size_t index; /* of the thread's */
	struct load_group *group;
	bool busy; /* waits for an answer, or thinks */
};

struct users {
	struct users_plan plan; /* with the thread's share */
	struct load_user *list;
	size_t count;
	uint64_t active; /* those below are */
	bool counted;    /* left is how many may still be sent that are measured */
	uint64_t left;
	struct load_rest rest;
	struct timer wake, change;
	struct load_thread *thread;
};

static void send_next(struct users *users, struct load_user *user, int64_t now_ns)
{
	struct load_thread *thread = users->thread;
	const struct load_setup *setup = thread->setup;
	user->busy = false;
	if (user->index >= users->active || now_ns >= setup->end_ns)
		return;
	if (users->counted && now_ns >= setup->from_ns) {
		if (!users->left)
			return;
		users->left--;
	}
	user->busy = true;
	if (!user->group)
		user->group = load_thread_group(thread, user->index / setup->group_size);
	load_call_start(user->group, mix_pick(&setup->mix, &thread->rng), 0, user);
}

static void on_wake(void *self)
{
	struct users *users = self;
	int64_t now_ns = clock_now_ns();
	for (struct load_user *user; (user = load_rest_take(&users->rest, now_ns));)
		send_next(users, user, now_ns);
	if (load_rest_next(&users->rest) != CLOCK_NEVER)
		engine_set_timer(users->thread->engine, &users->wake, load_rest_next(&users->rest));
}

static void on_change(void *self)
{
	struct users *users = self;
	const struct load_setup *setup = users->thread->setup;
	int64_t at_ns = clock_now_ns() - setup->start_ns;
	users->active = users_at(&users->plan, at_ns);
	int64_t next_ns = users_change(&users->plan, at_ns);
	if (next_ns != CLOCK_NEVER)
		engine_set_timer(users->thread->engine, &users->change, setup->start_ns + next_ns);
	for (size_t i = 0; i < users->active && i < users->count; i++)
		if (!users->list[i].busy)
			send_next(users, &users->list[i], clock_now_ns());
}

static void start(struct load_thread *thread)
{
	const struct load_plan *plan = thread->setup->plan;
	struct users *users = mem_alloc(1, sizeof *users);
	uint64_t shards = plan->users.share.count ? plan->users.share.count : 1;
	*users = (struct users){ .plan = plan->users,
		.counted = plan->measure_requests > 0,
		.left = load_thread_share(thread, plan->measure_requests),
		.wake = { .fire = on_wake, .self = users },
		.change = { .fire = on_change, .self = users },
		.thread = thread };
	users->plan.share.index = plan->users.share.index * thread->setup->threads + thread->index;
	users->plan.share.count = shards * thread->setup->threads;
	users->count = (size_t)users_most(&users->plan);
	users->list = mem_alloc(users->count ? users->count : 1, sizeof *users->list);
	for (size_t i = 0; i < users->count; i++)
		users->list[i].index = i;
	thread->way = users;
	engine_set_timer(thread->engine, &users->change, thread->setup->start_ns);
}

static void stop(struct load_thread *thread)
{
	struct users *users = thread->way;
	load_rest_release(&users->rest);
	engine_stop_timer(&users->wake);
	engine_stop_timer(&users->change);
	free(users->list);
	free(users);
}

static void ended(
	struct load_thread *thread, const struct load_call *call, int64_t now_ns, bool rest)
{
	struct users *users = thread->way;
	struct load_user *user = call->user;
	int64_t pause_ns = users->plan.think_ns ? users_think(&users->plan, &thread->rng) : 0;
	if (rest && pause_ns < LOAD_REST_NS)
		pause_ns = LOAD_REST_NS;
	if (!pause_ns) {
		send_next(users, user, now_ns);
		return;
	}
	load_rest_add(&users->rest, now_ns + pause_ns, user);
	if (load_rest_next(&users->rest) == now_ns + pause_ns)
		engine_set_timer(thread->engine, &users->wake, now_ns + pause_ns);
}

static bool over(const struct load_thread *thread, int64_t now_ns)
{
	const struct users *users = thread->way;
	return now_ns >= thread->setup->end_ns || (users->counted && !users->left);
}

const struct load_way load_users_way = { start, stop, ended, over };
