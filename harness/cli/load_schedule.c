#include "cli/load_schedule.h"

#include <string.h>

#include "base/units.h"
#include "cli/load_words.h"
#include "load/defaults.h"

enum { DEFAULT_USERS = 10, STAGES_MAX = 64 };
_Static_assert(
	(int)STAGES_MAX <= (int)ARRIVAL_MAX_STAGES && (int)STAGES_MAX <= (int)USERS_MAX_STAGES,
	"as many as either loop takes");

#define STAGES_FORM "stages such as 10s:500/s,30s:500/s (a rate) or 10s:50,30s:50 (users)"
#define BURST_FORM  "a burst such as 500ms:100"

/* While it is read. */
struct reading {
	const struct load_words *words;
	struct arena *arena;
	struct load_plan *plan;
	const char *shape;
	struct err *err;
};

/* "10s:500/s", cut in two. */
struct stage {
	int64_t length_ns;
	struct quantity to;
};

static enum rc usage(const struct reading *r, const char *option, const char *text)
{
	return err_set(r->err, RC_USAGE, option, "%s", text);
}

static enum rc refuse(
	const struct reading *r, const char *option, const char *expected, struct slice found)
{
	return err_set(r->err, RC_USAGE, option, "expected %s, found \"%.*s\"", expected,
		SLICE_PRINT(found));
}

static bool cut(const struct reading *r, struct slice text, struct stage *stage)
{
	size_t colon = slice_find_byte(text, ':');
	if (colon == SIZE_MAX)
		return false;
	const char *length = arena_slice(r->arena, slice_part(text, 0, colon));
	const char *to = arena_slice(r->arena, slice_part(text, colon + 1, SIZE_MAX));
	return load_word_time("", length, true, &stage->length_ns, NULL) == RC_OK &&
	       quantity_parse(to, &stage->to, NULL) == RC_OK &&
	       (stage->to.unit == UNIT_COUNT || stage->to.unit == UNIT_PER_S);
}

static enum rc read_stages(struct reading *r, struct stage *stages, size_t *count)
{
	struct slice rest = slice_of(r->words->stages), one;
	*count = 0;
	while (slice_next(&rest, ',', &one)) {
		if (*count == STAGES_MAX)
			return usage(r, "--stages", "expected at most 64 stages");
		if (!cut(r, one, &stages[*count]))
			return refuse(r, "--stages", STAGES_FORM, one);
		if (stages[*count].to.unit != stages[0].to.unit)
			return usage(r, "--stages",
				"expected a rate of every stage, or users of every one");
		++*count;
	}
	return *count ? RC_OK : refuse(r, "--stages", STAGES_FORM, slice_of(r->words->stages));
}

/* Their length is that of the run. */
static enum rc measure_stages(struct reading *r, const struct stage *stages, size_t count)
{
	struct load_plan *plan = r->plan;
	const struct load_words *w = r->words;
	int64_t sum_ns = 0;
	if (w->duration || w->requests || w->ramp || w->arrival)
		return usage(r, "--stages",
			"they say how long it takes and how it grows: no --duration, --requests, --ramp or --arrival");
	for (size_t i = 0; i < count; i++)
		sum_ns += stages[i].length_ns < LOAD_LONGEST_NS ? stages[i].length_ns
								: LOAD_LONGEST_NS;
	plan->warm_up_ns = 0;
	enum rc rc = load_word_time("warm-up", w->warm_up, true, &plan->warm_up_ns, r->err);
	if (rc != RC_OK)
		return rc;
	if (sum_ns > LOAD_LONGEST_NS || plan->warm_up_ns + 10 * NS_PER_MS > sum_ns)
		return usage(r, "--stages",
			"expected 10ms to 24 hours behind the warm-up, which is the first part of them");
	plan->measure_ns = sum_ns - plan->warm_up_ns;
	plan->tail_ns = 0;
	return RC_OK;
}

static enum rc stages_of_users(struct reading *r, const struct stage *stages, size_t count)
{
	struct users_plan *users = &r->plan->users;
	struct users_stage *list = arena_alloc(r->arena, count, sizeof *list);
	for (size_t i = 0; i < count; i++) {
		double to = stages[i].to.value;
		if (to > USERS_MAX || to != (double)(uint64_t)to)
			return usage(r, "--stages", "expected whole users, at most 1000000");
		list[i] = (struct users_stage){ stages[i].length_ns, (uint64_t)to };
	}
	users->kind = USERS_STAGES;
	users->users = 0;
	users->stages = list;
	users->stage_count = count;
	r->shape = arena_print(
		r->arena, "closed loop, users in %zu stage%s", count, count == 1 ? "" : "s");
	return load_word_count("users", r->words->users, 0, USERS_MAX, &users->users, r->err);
}

static enum rc read_closed(struct reading *r, const struct stage *stages, size_t count)
{
	const struct load_words *w = r->words;
	struct users_plan *users = &r->plan->users;
	enum rc rc = RC_OK;
	users->users = DEFAULT_USERS;
	users->length_ns = CLOCK_NEVER;
	users->kind = users->ramp_ns ? USERS_RAMP : USERS_CONSTANT;
	r->plan->model = LOAD_CLOSED;
	if (w->max_in_flight || w->arrival)
		return usage(r, w->arrival ? "--arrival" : "--max-in-flight",
			"only an open loop has it: --rate");
	if (count) {
		rc = stages_of_users(r, stages, count);
	} else {
		rc = load_word_count("users", w->users, 1, USERS_MAX, &users->users, r->err);
		r->shape = arena_print(r->arena, "closed loop, %llu user%s",
			(unsigned long long)users->users, users->users == 1 ? "" : "s");
	}
	if (rc == RC_OK)
		rc = load_word_time("think", w->think, false, &users->think_ns, r->err);
	return rc == RC_OK ? users_check(users, r->err) : rc;
}

static enum rc read_bound(struct reading *r)
{
	const struct load_words *w = r->words;
	uint64_t in_flight = LOAD_IN_FLIGHT;
	r->plan->model = LOAD_OPEN;
	r->plan->arrival.length_ns = CLOCK_NEVER;
	if (w->users && w->max_in_flight)
		return usage(r, "--users", "with --rate it is the same as --max-in-flight");
	if (w->think)
		return usage(r, "--think", "only a closed loop has users that think: no --rate");
	enum rc rc = load_word_count(w->users ? "users" : "max-in-flight",
		w->users ? w->users : w->max_in_flight, 1, USERS_MAX, &in_flight, r->err);
	r->plan->max_in_flight = (size_t)in_flight;
	return rc;
}

static enum rc read_rate(struct reading *r)
{
	static const char *const kinds[] = { "constant", "poisson" };
	const struct load_words *w = r->words;
	struct arrival_plan *arrival = &r->plan->arrival;
	size_t kind = 0;
	enum rc rc = load_word_rate("rate", w->rate, &arrival->rate_per_s, r->err);
	if (rc == RC_OK)
		rc = load_word_choice("arrival", w->arrival, kinds, 2, &kind, r->err);
	if (rc != RC_OK)
		return rc;
	arrival->kind = kind ? ARRIVAL_POISSON : ARRIVAL_CONSTANT;
	if (kind && arrival->ramp_ns)
		return usage(r, "--ramp", "arrivals that ramp are constant, not poisson");
	r->shape = arena_print(
		r->arena, "%g requests/s%s", arrival->rate_per_s, kind ? " at random" : "");
	if (arrival->ramp_ns) {
		arrival->kind = ARRIVAL_RAMP;
		arrival->to_per_s = arrival->rate_per_s;
		arrival->rate_per_s = 0;
	}
	return RC_OK;
}

static enum rc stages_of_rate(struct reading *r, const struct stage *stages, size_t count)
{
	struct arrival_plan *arrival = &r->plan->arrival;
	struct arrival_stage *list = arena_alloc(r->arena, count, sizeof *list);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct arrival_stage){ stages[i].length_ns, stages[i].to.value };
	arrival->kind = ARRIVAL_STAGES;
	arrival->stages = list;
	arrival->stage_count = count;
	r->shape = arena_print(r->arena, "a rate in %zu stage%s", count, count == 1 ? "" : "s");
	return load_word_rate("rate", r->words->rate, &arrival->rate_per_s, r->err);
}

static enum rc read_burst(struct reading *r)
{
	const struct load_words *w = r->words;
	struct arrival_plan *arrival = &r->plan->arrival;
	struct stage burst;
	if (w->rate || w->arrival || w->ramp || w->stages)
		return usage(r, "--burst",
			"it is a schedule of its own: no --rate, --arrival, --ramp or --stages");
	bool read = cut(r, slice_of(w->burst), &burst) && burst.to.unit == UNIT_COUNT &&
		    burst.length_ns > 0 && burst.to.value >= 1 && burst.to.value <= USERS_MAX &&
		    burst.to.value == (double)(uint64_t)burst.to.value;
	if (!read)
		return refuse(r, "--burst", BURST_FORM, slice_of(w->burst));
	arrival->kind = ARRIVAL_BURST;
	arrival->burst_every_ns = burst.length_ns;
	arrival->burst_size = (uint64_t)burst.to.value;
	r->shape = arena_print(r->arena, "%llu requests at once, every %.*s",
		(unsigned long long)arrival->burst_size, (int)strcspn(w->burst, ":"), w->burst);
	return RC_OK;
}

static enum rc read_open(struct reading *r, const struct stage *stages, size_t count)
{
	enum rc rc = read_bound(r);
	if (rc == RC_OK)
		rc = r->words->burst ? read_burst(r)
		     : count         ? stages_of_rate(r, stages, count)
				     : read_rate(r);
	if (rc != RC_OK)
		return rc;
	r->shape = arena_print(
		r->arena, "open loop, %s, at most %zu in flight", r->shape, r->plan->max_in_flight);
	return arrival_check(&r->plan->arrival, r->err);
}

enum rc load_schedule_read(const struct load_words *words, struct arena *arena,
	struct load_plan *plan, const char **shape, struct err *err)
{
	struct reading r = { .words = words, .arena = arena, .plan = plan, .err = err };
	struct stage stages[STAGES_MAX];
	size_t count = 0;
	enum rc rc = words->stages ? read_stages(&r, stages, &count) : RC_OK;
	if (rc == RC_OK && count)
		rc = measure_stages(&r, stages, count);
	if (rc != RC_OK)
		return rc;
	bool of_users = count && stages[0].to.unit == UNIT_COUNT;
	if (of_users && words->rate)
		return usage(&r, "--rate", "expected rates in --stages, such as 10s:500/s");
	bool open = words->burst || (count && !of_users) || words->rate;
	rc = open ? read_open(&r, stages, count) : read_closed(&r, stages, count);
	*shape = r.shape;
	return rc;
}
