#include "cli/hold_found.h"

#include <stddef.h>
#include <string.h>

#include "cli/cli.h"
#include "stats/slope.h"

const char *hold_end_word(enum hold_end end)
{
	static const char *const words[] = { [HOLD_REACHED] = "reached",
		[HOLD_KILLED] = "killed",
		[HOLD_ENDED] = "ended",
		[HOLD_BROKEN] = "broken",
		[HOLD_UNHEARD] = "unheard",
		[HOLD_STOPPED] = "interrupted" };
	return words[end];
}

static size_t failed(const struct hold_counts *counts)
{
	size_t sum = counts->ended + counts->refused;
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		sum += (size_t)counts->failed[i];
	return sum;
}

static void add(struct hold_found *found, const char *name, enum unit unit, double value)
{
	measures_add(&found->numbers, name, (struct quantity){ unit, value }, NULL);
}

static void add_slopes(struct hold_found *found)
{
	static const struct {
		const char *name;
		size_t at; /* in a point */
	} rows[] = {
		{ "streams.memory_each", offsetof(struct hold_point, sut_bytes) },
		{ "streams.cap_each", offsetof(struct hold_point, cap_bytes) },
		{ "streams.kernel_each", offsetof(struct hold_point, kernel_bytes) },
		{ "streams.onus_each", offsetof(struct hold_point, own_bytes) },
		{ "streams.buffers_each", offsetof(struct hold_point, buffer_bytes) },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct slope slope = { 0 };
		double each;
		for (size_t k = 0; k < found->point_count; k++) {
			const struct hold_point *point = &found->points[k];
			int64_t bytes;
			memcpy(&bytes, (const char *)point + rows[i].at, sizeof bytes);
			if (point->round && bytes != COST_ABSENT)
				slope_add(&slope, (double)point->counts.open, (double)bytes);
		}
		if (slope_take(&slope, &each))
			add(found, rows[i].name, UNIT_BYTES, each);
	}
}

/* Which failure did most of it. */
static const char *most_of(const struct hold_found *found)
{
	const struct hold_counts *c = &found->counts;
	struct arena *arena = found->job->load->arena;
	uint64_t most = c->ended;
	const char *words = "ended by itself";
	if (c->refused > most) {
		most = c->refused;
		words = arena_print(arena, "status %d", c->refused_status);
	}
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++) {
		if (c->failed[i] <= most)
			continue;
		most = c->failed[i];
		words = load_failure_at(i)->help;
	}
	return arena_print(arena, "%zu of %zu streams are not open, most of them: %s", failed(c),
		c->opened, words);
}

static const char *why(const struct hold_found *found)
{
	struct arena *arena = found->job->load->arena;
	size_t heard = found->counts.heard, open = found->counts.open;
	switch (found->end) {
	case HOLD_REACHED: return arena_print(arena, "all of %zu streams are held", found->held);
	case HOLD_KILLED: return "the SUT's memory cap was full, and the kernel has killed it";
	case HOLD_ENDED: return "the SUT has ended, and its memory cap was not full";
	case HOLD_BROKEN: return most_of(found);
	case HOLD_UNHEARD:
		return arena_print(arena,
			"%zu of %zu streams have brought nothing since the trigger", open - heard,
			open);
	default: return "it was interrupted: this is what was found until then";
	}
}

/* What keeps onus from judging. */
static const char *problem(const struct hold_found *found)
{
	const struct hold_job *job = found->job;
	struct arena *arena = job->load->arena;
	if (found->problem)
		return found->problem;
	if (found->end == HOLD_STOPPED)
		return "interrupted";
	if (!found->held && found->end == HOLD_BROKEN && !found->counts.open)
		return arena_print(arena, "%s: %s", job->load->url, found->why);
	if (!job->until_oom)
		return NULL;
	if (found->end == HOLD_REACHED)
		return arena_print(arena,
			"%zu streams were held and the memory cap was not full: --hold is too low, or the cap too high",
			found->held);
	if (found->end == HOLD_BROKEN || found->end == HOLD_UNHEARD)
		return arena_print(arena, "%s, and the memory cap was not full", found->why);
	return NULL;
}

static bool is_kept(const struct hold_found *found)
{
	if (found->end == HOLD_KILLED && found->job->until_oom)
		return true;
	return !found->job->until_oom && found->held >= found->job->enough;
}

/* The first of 3, 1, 5 that applies. */
static int exit_of(const struct hold_found *found)
{
	int code = EXIT_HELD;
	if (found->problem)
		return EXIT_ENVIRONMENT;
	if (!is_kept(found))
		return EXIT_BROKEN;
	for (size_t i = 0; i < found->job->threshold_count; i++) {
		if (found->verdicts[i].kind == LOAD_BROKEN)
			return EXIT_BROKEN;
		if (found->verdicts[i].kind == LOAD_INVALID)
			code = EXIT_INVALID;
	}
	return code;
}

void hold_found_judge(struct hold_found *found)
{
	const struct hold_job *job = found->job;
	measures_init(&found->numbers, job->load->arena);
	add(found, "streams.held", UNIT_COUNT, (double)found->held);
	add(found, "streams.failed", UNIT_COUNT, (double)failed(&found->counts));
	add(found, "streams.bytes", UNIT_BYTES, (double)found->counts.bytes);
	add_slopes(found);
	if (found->has_cost)
		cost_measures(&found->cost, &found->numbers);
	found->verdicts =
		arena_alloc(job->load->arena, job->threshold_count + 1, sizeof *found->verdicts);
	for (size_t i = 0; i < job->threshold_count; i++)
		found->verdicts[i] = hold_threshold_judge(&job->thresholds[i], &found->numbers);
	found->why = why(found);
	found->problem = problem(found);
	found->exit = exit_of(found);
}
