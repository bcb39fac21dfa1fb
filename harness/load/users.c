#include "load/users.h"

#include <inttypes.h>
#include <math.h>

#include "load/length.h"

/* An exponential wait is above it once in 5e8. */
static const double longest_think = 20;

/* a * b / c without overflow, rounded down; c > 0, the result fits. */
static int64_t scale(int64_t a, int64_t b, int64_t c)
{
	return (int64_t)((__int128)a * b / c);
}

static int64_t scale_up(int64_t a, int64_t b, int64_t c)
{
	return (int64_t)(((__int128)a * b + c - 1) / c);
}

static int64_t ramp_length(const struct users_plan *plan)
{
	return plan->ramp_ns ? plan->ramp_ns : plan->length_ns / 4;
}

/* The first time in a ramp at which step number `step` of USERS_STEPS has begun. */
static int64_t step_start(const struct users_plan *plan, int64_t step)
{
	return scale_up(ramp_length(plan), step, USERS_STEPS);
}

static int64_t step_at(const struct users_plan *plan, int64_t t_ns)
{
	int64_t ramp_ns = ramp_length(plan);
	int64_t step = t_ns < ramp_ns ? scale(t_ns, USERS_STEPS, ramp_ns) : USERS_STEPS;
	return step < USERS_STEPS ? step : USERS_STEPS - 1;
}

/* The stage that t_ns lies in, with where it starts and how many users it begins with; NULL behind the last. */
static const struct users_stage *stage_at(
	const struct users_plan *plan, int64_t t_ns, int64_t *start_ns, int64_t *from)
{
	*start_ns = 0;
	*from = (int64_t)plan->users;
	for (size_t i = 0; i < plan->stage_count; i++) {
		const struct users_stage *stage = &plan->stages[i];
		if (t_ns - *start_ns < stage->length_ns)
			return stage;
		*start_ns += stage->length_ns;
		*from = (int64_t)stage->to;
	}
	return NULL;
}

static uint64_t all_at(const struct users_plan *plan, int64_t t_ns)
{
	int64_t start_ns, from;
	if (t_ns < 0 || (plan->kind != USERS_STAGES && t_ns >= plan->length_ns))
		return 0;
	if (plan->kind == USERS_CONSTANT)
		return plan->users;
	if (plan->kind == USERS_RAMP)
		return (uint64_t)scale_up(
			(int64_t)plan->users, step_at(plan, t_ns) + 1, USERS_STEPS);
	const struct users_stage *stage = stage_at(plan, t_ns, &start_ns, &from);
	if (!stage)
		return 0;
	/* Rounded towards where the stage began: a number is there when the line has reached it. */
	return (uint64_t)(from +
			  scale((int64_t)stage->to - from, t_ns - start_ns, stage->length_ns));
}

static uint64_t share_of(const struct users_plan *plan, uint64_t users)
{
	uint64_t count = plan->share.count;
	return count ? users / count + (plan->share.index < users % count) : users;
}

uint64_t users_at(const struct users_plan *plan, int64_t t_ns)
{
	return share_of(plan, all_at(plan, t_ns));
}

static int64_t stage_change(const struct users_plan *plan, int64_t t_ns)
{
	int64_t start_ns, from;
	const struct users_stage *stage = stage_at(plan, t_ns, &start_ns, &from);
	if (!stage)
		return CLOCK_NEVER;
	int64_t steps = (int64_t)stage->to - from;
	if (steps < 0)
		steps = -steps;
	int64_t done = scale(steps, t_ns - start_ns, stage->length_ns);
	return start_ns + (steps ? scale_up(stage->length_ns, done + 1, steps) : stage->length_ns);
}

int64_t users_change(const struct users_plan *plan, int64_t t_ns)
{
	if (t_ns < 0)
		return 0;
	if (plan->kind == USERS_STAGES)
		return stage_change(plan, t_ns);
	if (t_ns >= plan->length_ns)
		return CLOCK_NEVER;
	int64_t step = plan->kind == USERS_RAMP ? step_at(plan, t_ns) + 1 : USERS_STEPS;
	if (step >= USERS_STEPS)
		return plan->length_ns;
	int64_t change_ns = step_start(plan, step);
	return change_ns < plan->length_ns ? change_ns : plan->length_ns;
}

uint64_t users_most(const struct users_plan *plan)
{
	uint64_t most = plan->users;
	if (plan->kind == USERS_STAGES)
		for (size_t i = 0; i < plan->stage_count; i++)
			most = plan->stages[i].to > most ? plan->stages[i].to : most;
	return share_of(plan, most);
}

int64_t users_ramp_end(const struct users_plan *plan)
{
	return plan->kind == USERS_RAMP ? ramp_length(plan) : 0;
}

int64_t users_think(const struct users_plan *plan, struct rng *rng)
{
	if (plan->thinking == USERS_THINK_CONSTANT || !plan->think_ns)
		return plan->think_ns;
	double times = -log(1 - rng_share(rng));
	return (int64_t)llround(
		(double)plan->think_ns * (times < longest_think ? times : longest_think));
}

static enum rc check_users(uint64_t users, struct err *err)
{
	if (users <= USERS_MAX)
		return RC_OK;
	return err_set(
		err, RC_USAGE, "", "expected at most %d users, found %" PRIu64, USERS_MAX, users);
}

static enum rc check_stages(const struct users_plan *plan, struct err *err)
{
	enum rc rc = RC_OK;
	int64_t sum_ns = 0;
	if (!plan->stage_count || plan->stage_count > USERS_MAX_STAGES)
		return err_set(err, RC_USAGE, "", "expected 1 to %d stages, found %zu",
			USERS_MAX_STAGES, plan->stage_count);
	for (size_t i = 0; i < plan->stage_count && rc == RC_OK; i++) {
		rc = length_check("a stage's length", plan->stages[i].length_ns, 0, err);
		if (rc == RC_OK)
			rc = length_check("a length of all stages",
				sum_ns += plan->stages[i].length_ns, 0, err);
		if (rc == RC_OK)
			rc = check_users(plan->stages[i].to, err);
	}
	return rc == RC_OK ? length_check("a length of all stages", sum_ns, 1, err) : rc;
}

enum rc users_check(const struct users_plan *plan, struct err *err)
{
	enum rc rc = check_users(plan->users, err);
	if (rc == RC_OK && plan->kind == USERS_STAGES)
		rc = check_stages(plan, err);
	else if (rc == RC_OK && plan->length_ns != CLOCK_NEVER)
		rc = length_check("a length", plan->length_ns, 1, err);
	if (rc == RC_OK && plan->think_ns)
		rc = length_check("a time to think", plan->think_ns, 0, err);
	if (rc == RC_OK && plan->kind == USERS_RAMP &&
		(plan->ramp_ns || plan->length_ns == CLOCK_NEVER))
		rc = length_check("a ramp's length", plan->ramp_ns, 1, err);
	if (rc != RC_OK)
		return rc;
	if (plan->share.count && plan->share.index >= plan->share.count)
		return err_set(err, RC_USAGE, "",
			"expected a share below %" PRIu64 ", found %" PRIu64, plan->share.count,
			plan->share.index);
	struct users_plan all = *plan;
	all.share.count = 0;
	return users_most(&all) ? RC_OK : err_set(err, RC_USAGE, "", "expected users, found none");
}
