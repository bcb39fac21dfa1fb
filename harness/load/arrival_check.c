#include "load/arrival.h"

#include <inttypes.h>
#include <math.h>

#include "load/length.h"

/* A request a nanosecond: far above what anybody means. */
#define MOST_PER_S 1e9

static enum rc check_rate(const char *what, double per_s, struct err *err)
{
	if (isfinite(per_s) && per_s >= 0 && per_s <= MOST_PER_S)
		return RC_OK;
	return err_set(err, RC_USAGE, "", "expected %s from 0 to %.0f a second, found %g", what,
		MOST_PER_S, per_s);
}

static enum rc check_stages(const struct arrival_plan *plan, struct err *err)
{
	enum rc rc = RC_OK;
	int64_t sum_ns = 0;
	if (!plan->stage_count || plan->stage_count > ARRIVAL_MAX_STAGES)
		return err_set(err, RC_USAGE, "", "expected 1 to %d stages, found %zu",
			ARRIVAL_MAX_STAGES, plan->stage_count);
	for (size_t i = 0; i < plan->stage_count && rc == RC_OK; i++) {
		rc = length_check("a stage's length", plan->stages[i].length_ns, 0, err);
		if (rc == RC_OK)
			rc = check_rate("a stage's rate", plan->stages[i].to_per_s, err);
		if (rc == RC_OK)
			rc = length_check("a length of all stages",
				sum_ns += plan->stages[i].length_ns, 0, err);
	}
	return rc;
}

static enum rc check_kind(const struct arrival_plan *plan, struct err *err)
{
	switch (plan->kind) {
	case ARRIVAL_CONSTANT:
	case ARRIVAL_POISSON: return RC_OK;
	case ARRIVAL_RAMP: {
		enum rc rc = check_rate("a rate at the ramp's end", plan->to_per_s, err);
		return rc == RC_OK ? length_check("a ramp's length", plan->ramp_ns, 1, err) : rc;
	}
	case ARRIVAL_STAGES: return check_stages(plan, err);
	case ARRIVAL_BURST:
		if (!plan->burst_size)
			return err_set(err, RC_USAGE, "", "expected bursts of at least 1, found 0");
		return length_check("a time between bursts", plan->burst_every_ns, 1, err);
	}
	BUG("arrival kind %d", (int)plan->kind);
}

enum rc arrival_check(const struct arrival_plan *plan, struct err *err)
{
	enum rc rc = check_kind(plan, err);
	if (rc == RC_OK)
		rc = check_rate("a rate", plan->rate_per_s, err);
	if (rc == RC_OK && plan->kind != ARRIVAL_STAGES && plan->length_ns != CLOCK_NEVER)
		rc = length_check("a length", plan->length_ns, 1, err);
	if (rc != RC_OK)
		return rc;
	if (plan->share.count && plan->share.index >= plan->share.count)
		return err_set(err, RC_USAGE, "",
			"expected a share below %" PRIu64 ", found %" PRIu64, plan->share.count,
			plan->share.index);
	if (arrival_due(plan, CLOCK_NEVER) > 0)
		return RC_OK;
	return err_set(err, RC_USAGE, "",
		"expected a schedule in which a request is due, found a rate of 0 from start to end");
}
