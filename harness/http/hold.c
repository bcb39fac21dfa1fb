#include "http/hold.h"

#include "http/load_call.h"
#include "http/load_setup.h"

#include <stdlib.h>

/* Each multi handle of libcurl costs some 30 KiB, and looking a connection up is a walk over those of one. */
enum { GROUP = 512 };

/* No call is given up by the engine: an open stream may last as long as it likes. */
#define NEVER_NS (INT64_C(365) * 86400 * NS_PER_S)

struct held {
	struct load_call *call; /* NULL once it is over */
	uint64_t marked_bytes;
};

struct hold {
	struct load_plan plan;
	struct load_setup setup;
	struct load_thread thread;
	struct rlimit before;
	struct held *list;
	size_t most, opened, gone;
	size_t headed;         /* those before it have a head, or are over */
	size_t heard;          /* those before it have brought bytes since the mark, or are over */
	size_t ended, refused; /* answers */
	int refused_status;
};

static void no_start(struct load_thread *thread)
{
	(void)thread;
}

static void on_ended(
	struct load_thread *thread, const struct load_call *call, int64_t now_ns, bool rest)
{
	struct hold *hold = thread->way;
	struct held *held = call->user;
	(void)now_ns, (void)rest;
	held->call = NULL;
	hold->gone++;
}

static bool is_over(const struct load_thread *thread, int64_t now_ns)
{
	(void)thread, (void)now_ns;
	return true;
}

static const struct load_way held_way = { no_start, no_start, on_ended, is_over };

static struct load_plan plan_of(const struct load_plan *from, size_t most)
{
	struct load_plan plan = *from;
	plan.model = LOAD_CLOSED;
	plan.users = (struct users_plan){ .users = most, .length_ns = CLOCK_NEVER };
	plan.measure_ns = plan.timeout_ns = NEVER_NS;
	plan.warm_up_ns = plan.tail_ns = plan.drain_ns = 0;
	plan.threads = 1;
	plan.decode = false;
	return plan;
}

enum rc hold_new(const struct load_plan *plan, size_t most, struct hold **hold, struct err *err)
{
	struct hold *h = mem_alloc(1, sizeof *h);
	*hold = NULL;
	h->plan = plan_of(plan, most);
	h->most = most;
	enum rc rc = load_setup_init(&h->setup, &h->plan, err);
	if (rc != RC_OK)
		goto release_setup;
	h->setup.way = &held_way;
	if (h->plan.address.protocol == PROTOCOL_HTTP1)
		h->setup.group_size = GROUP;
	rc = load_descriptors_raise(&h->setup, &h->before, err);
	if (rc != RC_OK)
		goto release_setup;
	load_setup_times(&h->setup, clock_now_ns());
	rc = load_thread_init(&h->thread, &h->setup, 0, err);
	if (rc != RC_OK)
		goto release_thread;
	h->thread.way = h;
	h->list = mem_alloc(most, sizeof *h->list);
	*hold = h;
	return RC_OK;
release_thread:
	load_thread_release(&h->thread);
	setrlimit(RLIMIT_NOFILE, &h->before);
release_setup:
	load_setup_release(&h->setup);
	free(h);
	return rc;
}

void hold_free(struct hold *hold)
{
	if (!hold)
		return;
	load_thread_end_calls(&hold->thread);
	load_thread_close_groups(&hold->thread);
	load_thread_release(&hold->thread);
	setrlimit(RLIMIT_NOFILE, &hold->before);
	load_setup_release(&hold->setup);
	free(hold->list);
	free(hold);
}

void hold_open(struct hold *hold, size_t count)
{
	struct load_thread *thread = &hold->thread;
	for (; count && hold->opened < hold->most; count--) {
		size_t at = hold->opened++;
		struct held *held = &hold->list[at];
		struct load_group *group = load_thread_group(thread, at / hold->setup.group_size);
		size_t kind = mix_pick(&hold->setup.mix, &thread->rng);
		load_call_start(group, kind, 0, held);
		/* It may have ended within the call. */
		if (thread->newest && thread->newest->user == held)
			held->call = thread->newest;
	}
}

static long status_of(const struct load_call *call)
{
	long status = 0;
	curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

static bool is_open(const struct held *held)
{
	return held->call && held->call->headed && status_of(held->call) >= 200;
}

static void refuse(struct hold *hold, struct held *held, long status)
{
	const struct load_end end = {
		.now_ns = clock_now_ns(), .answered = true, .status = status
	};
	if (!hold->refused)
		hold->refused_status = (int)status;
	hold->refused++;
	load_call_end(held->call, &end);
}

static bool has_head(struct hold *hold, struct held *held)
{
	long status;
	if (!held->call)
		return true;
	if (!is_open(held))
		return false;
	status = status_of(held->call);
	if (status < 200 || status > 299)
		refuse(hold, held, status);
	return true;
}

static bool heads(void *self)
{
	struct hold *hold = self;
	while (hold->headed < hold->opened && has_head(hold, &hold->list[hold->headed]))
		hold->headed++;
	return hold->headed == hold->opened;
}

static bool has_brought(const struct held *held)
{
	return !held->call || held->call->wire_bytes > held->marked_bytes;
}

static bool all_heard(void *self)
{
	struct hold *hold = self;
	while (hold->heard < hold->opened && has_brought(&hold->list[hold->heard]))
		hold->heard++;
	return hold->heard == hold->opened;
}

static bool any_gone(void *self)
{
	const struct hold *hold = self;
	return hold->gone > 0;
}

static bool never(void *self)
{
	(void)self;
	return false;
}

enum rc hold_wait(struct hold *hold, enum hold_event event, int64_t until_ns)
{
	static bool (*const waits[])(void *self) = { [HOLD_HEADS] = heads,
		[HOLD_BYTES] = all_heard,
		[HOLD_GONE] = any_gone,
		[HOLD_TIME] = never };
	return engine_run(hold->thread.engine, waits[event], hold, until_ns);
}

void hold_mark(struct hold *hold)
{
	for (size_t i = 0; i < hold->opened; i++)
		if (hold->list[i].call)
			hold->list[i].marked_bytes = hold->list[i].call->wire_bytes;
	hold->heard = 0;
}

void hold_drop_late(struct hold *hold)
{
	for (size_t i = hold->headed; i < hold->opened; i++) {
		struct held *held = &hold->list[i];
		if (has_head(hold, held))
			continue;
		const struct load_end end = { .now_ns = clock_now_ns(),
			.failure = load_failure_of_timeout(held->call) };
		load_call_end(held->call, &end);
	}
}

size_t hold_gone(const struct hold *hold)
{
	return hold->gone;
}

void hold_count(const struct hold *hold, struct hold_counts *counts)
{
	const struct load_counts *all = &hold->thread.result->all;
	*counts = (struct hold_counts){ .opened = hold->opened,
		.ended = (size_t)all->answered - hold->refused,
		.refused = hold->refused,
		.refused_status = hold->refused_status,
		.bytes = all->wire_bytes };
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		counts->failed[i] = all->failed[i];
	for (size_t i = 0; i < hold->opened; i++) {
		const struct held *held = &hold->list[i];
		bool open = is_open(held);
		counts->open += open;
		counts->late += held->call && !open;
		counts->heard += open && has_brought(held);
		counts->bytes += held->call ? held->call->wire_bytes : 0;
	}
}
