#include "cli/hold_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sut/cap.h"
#include "sut/container.h"
#include "sut/proc.h"
#include "sut/sample.h"

/* A killed SUT's sockets close before its end can be seen. */
#define DEATH_NS (2 * NS_PER_S)
#define LOOK_NS  (5 * NS_PER_MS)

extern char **environ;

struct holding {
	struct hold_found *found;
	const struct hold_job *job;
	struct sut_host *host;
	void (*each)(void *self, const struct hold_point *point);
	void *self;
	struct hold *hold;
	struct sample *sample; /* or NULL */
	struct cap cap;        /* CAP_NONE: none */
	uint64_t oom_kills;    /* before */
	int own_dir;
	int64_t start_ns, sample_ns;
};

/* A group that onus is in as well says nothing of the SUT. */
static void find_own_cap(int pid, struct cap *cap)
{
	struct cap ours;
	if (cap_of("", pid, cap) && cap_of("", getpid(), &ours) &&
		strcmp(cap->path, ours.path) == 0)
		*cap = (struct cap){ 0 };
}

static enum rc find_cap(struct holding *h, const struct sample_source *source, struct err *err)
{
	struct cap_usage usage;
	struct container container;
	enum rc rc = RC_OK;
	if (source->container)
		rc = container_find("", source->container, &container, err);
	if (rc != RC_OK)
		return rc;
	if (source->container)
		cap_at(container.folder, &h->cap);
	else
		find_own_cap(source->pid, &h->cap);
	cap_read(&h->cap, &usage);
	h->oom_kills = usage.oom_kills;
	h->found->cap_limit_bytes = usage.limit_bytes;
	if (h->job->until_oom && !usage.limit_bytes)
		return err_set(err, RC_USAGE, "--until",
			"expected a memory cap of the SUT, found none: nothing ends it without");
	return RC_OK;
}

static enum rc watch_sut(struct holding *h, struct err *err)
{
	const struct sample_source *source = &h->job->load->cost;
	enum rc rc = sample_start(source, SAMPLE_EVERY_NS, &h->sample, err);
	return rc == RC_OK && h->sample ? find_cap(h, source, err) : rc;
}

static void take_sut(struct holding *h, struct hold_point *point)
{
	struct cost_row row;
	struct cap_usage usage;
	point->sut_bytes = point->descriptors = COST_ABSENT;
	point->cap_bytes = point->kernel_bytes = COST_ABSENT;
	if (h->sample) {
		sample_mark(h->sample);
		if (sample_last(h->sample, &row)) {
			point->sut_bytes = row.memory_bytes;
			point->descriptors = row.descriptors;
		}
	}
	cap_read(&h->cap, &usage);
	if (usage.current_bytes)
		point->cap_bytes = (int64_t)usage.current_bytes;
	if (usage.kernel_bytes)
		point->kernel_bytes = (int64_t)usage.kernel_bytes;
}

static void take_point(struct holding *h, size_t round)
{
	struct hold_found *found = h->found;
	struct hold_point point = { .at_ns = clock_now_ns() - h->start_ns, .round = round };
	hold_count(h->hold, &point.counts);
	if (!proc_resident(h->own_dir, &point.own_bytes))
		point.own_bytes = COST_ABSENT;
	if (!proc_sockets(h->own_dir, &point.buffer_bytes))
		point.buffer_bytes = COST_ABSENT;
	take_sut(h, &point);
	found->points = mem_grow(found->points, found->point_count + 1, sizeof *found->points);
	found->points[found->point_count++] = point;
	h->each(h->self, &point);
}

/* Runs the trigger to its end; false with the problem told. */
static bool run_trigger(struct holding *h)
{
	const char *argv[] = { "sh", "-c", h->job->trigger, NULL };
	const struct process_spec spec = { .name = "trigger",
		.argv = argv,
		.env = (const char *const *)environ,
		.stop_within_ns = NS_PER_S };
	struct process_end end = { 0 };
	struct err err = { 0 };
	struct arena *arena = h->job->load->arena;
	enum rc rc =
		sut_run(h->host, &spec, slice_from(NULL, 0), h->job->within_ns, &end, arena, &err);
	if (rc == RC_OK && !end.timed_out && end.exit == 0)
		return true;
	h->found->problem =
		rc != RC_OK     ? arena_print(arena, "--trigger: %s", err.text)
		: end.timed_out ? "--trigger: expected to end within --timeout, found it running"
				: arena_print(arena, "--trigger: expected exit status 0, found %s",
					  process_end_words(&end, arena));
	return false;
}

static bool sut_lives(struct holding *h)
{
	struct cost_row row;
	if (!h->sample)
		return true;
	sample_mark(h->sample);
	/* One that its parent has not waited for is still there, but has no memory. */
	return sample_last(h->sample, &row) && row.memory_bytes != 0;
}

static bool was_full(const struct holding *h)
{
	struct cap_usage usage;
	cap_read(&h->cap, &usage);
	return usage.oom_kills > h->oom_kills;
}

/* Streams are gone. Where the SUT is known, its end may be why, and is seen a moment later. */
static enum hold_end why_gone(struct holding *h, enum hold_end otherwise)
{
	int64_t until_ns = clock_now_ns() + (h->sample ? DEATH_NS : 0);
	for (;;) {
		if (was_full(h))
			return HOLD_KILLED;
		if (!sut_lives(h))
			return was_full(h) ? HOLD_KILLED : HOLD_ENDED;
		if (clock_now_ns() >= until_ns)
			return otherwise;
		if (hold_wait(h->hold, HOLD_TIME, clock_now_ns() + LOOK_NS) == RC_CLOSED)
			return HOLD_STOPPED;
	}
}

/* True: go on. */
static bool keep(struct holding *h, enum hold_event event, int64_t until_ns)
{
	if (hold_wait(h->hold, event, until_ns) == RC_CLOSED) {
		h->found->end = HOLD_STOPPED;
		return false;
	}
	if (event == HOLD_HEADS)
		hold_drop_late(h->hold);
	if (!hold_gone(h->hold))
		return true;
	h->found->end = why_gone(h, HOLD_BROKEN);
	return false;
}

static bool trigger(struct holding *h)
{
	struct hold_counts counts;
	if (!h->job->trigger)
		return true;
	hold_mark(h->hold);
	if (!run_trigger(h)) {
		h->found->end = why_gone(h, HOLD_BROKEN);
		return false;
	}
	if (!keep(h, HOLD_BYTES, clock_now_ns() + h->job->within_ns))
		return false;
	hold_count(h->hold, &counts);
	if (counts.heard == counts.open)
		return true;
	h->found->end = why_gone(h, HOLD_UNHEARD);
	return false;
}

static bool run_round(struct holding *h, size_t round)
{
	size_t left = h->job->up_to - h->found->held;
	size_t add = left < h->job->add ? left : h->job->add;
	hold_open(h->hold, add);
	if (!keep(h, HOLD_HEADS, clock_now_ns() + h->job->within_ns) || !trigger(h))
		return false;
	h->found->held += add;
	take_point(h, round);
	return true;
}

/* All of them are there: held for as long as was asked for, with a point a second. */
static void stay(struct holding *h)
{
	int64_t from_ns = clock_now_ns(), until_ns = from_ns + h->job->stay_ns;
	for (int64_t next_ns = from_ns; next_ns < until_ns;) {
		next_ns = next_ns + NS_PER_S < until_ns ? next_ns + NS_PER_S : until_ns;
		if (!keep(h, HOLD_GONE, next_ns))
			return;
		take_point(h, 0);
	}
	h->found->end = HOLD_REACHED;
}

static void run_rounds(struct holding *h)
{
	for (size_t round = 1; h->found->held < h->job->up_to; round++) {
		int64_t next_ns = clock_now_ns() + h->job->every_ns;
		if (!run_round(h, round))
			return;
		if (h->found->held < h->job->up_to && !keep(h, HOLD_GONE, next_ns))
			return;
	}
	stay(h);
}

static void sum_up(struct holding *h)
{
	struct hold_found *found = h->found;
	hold_count(h->hold, &found->counts);
	if (!h->sample)
		return;
	sample_stop(h->sample);
	found->has_cost =
		cost_sum(sample_cost(h->sample), h->sample_ns, clock_now_ns(), &found->cost);
}

enum rc hold_run(struct hold_found *found, struct sut_host *host,
	void (*each)(void *self, const struct hold_point *point), void *self, struct err *err)
{
	struct holding h = { .found = found,
		.job = found->job,
		.host = host,
		.each = each,
		.self = self,
		.own_dir = proc_open((int)getpid()) };
	enum rc rc = watch_sut(&h, err);
	if (rc == RC_OK)
		rc = hold_new(&h.job->plan, h.job->up_to, &h.hold, err);
	if (rc == RC_OK) {
		h.start_ns = h.sample_ns = clock_now_ns();
		if (h.sample)
			h.sample_ns = sample_mark(h.sample);
		run_rounds(&h);
		sum_up(&h);
	}
	hold_free(h.hold);
	sample_free(h.sample);
	close(h.own_dir);
	return rc;
}
