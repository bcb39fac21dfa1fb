#include "drive/schedule.h"

#include <string.h>

#include "base/units.h"
#include "case/option.h"
#include "drive/steps.h"
#include "load/defaults.h"

/* While it is read. */
struct reading {
	struct case_run *c;
	const struct walk_step *at;
	struct scope *scope;
	struct load_plan *plan;
	struct err *err;
};

static enum rc check_length(const struct reading *r, const char *key, int64_t ns)
{
	return ns <= LOAD_LONGEST_NS
		       ? RC_OK
		       : err_set(r->err, RC_USAGE, "", "%s: expected at most 24 hours", key);
}

static enum rc duration(const struct reading *r, const char *key, int64_t otherwise_ns, int64_t *ns)
{
	enum rc rc = option_duration(r->scope, r->at->step, key, otherwise_ns, ns, r->err);
	return rc == RC_OK ? check_length(r, key, *ns) : rc;
}

static enum rc count(const struct reading *r, const char *key, size_t otherwise, size_t *value)
{
	return option_count(r->scope, r->at->step, key, otherwise, value, r->err);
}

static enum rc read_lengths(struct reading *r)
{
	struct load_plan *plan = r->plan;
	int64_t ramp_ns = 0;
	size_t requests = 0;
	enum rc rc = count(r, "requests", 0, &requests);
	if (rc == RC_OK)
		rc = duration(r, "for", LOAD_LONGEST_NS, &plan->measure_ns);
	plan->measure_requests = requests;
	if (!requests)
		plan->tail_ns = load_edge_ns(plan->measure_ns);
	if (rc == RC_OK)
		rc = duration(r, "warm_up", plan->tail_ns, &plan->warm_up_ns);
	if (rc == RC_OK)
		rc = duration(r, "ramp", 0, &ramp_ns);
	if (rc == RC_OK)
		rc = steps_within(
			r->c, r->at, r->scope, LOAD_TIMEOUT_NS, &plan->timeout_ns, r->err);
	if (rc == RC_OK)
		rc = check_length(r, "within", plan->timeout_ns);
	if (rc != RC_OK)
		return rc;
	if (plan->timeout_ns < NS_PER_MS)
		plan->timeout_ns = NS_PER_MS;
	plan->users.ramp_ns = plan->arrival.ramp_ns = ramp_ns;
	plan->warm_up_ns += ramp_ns;
	plan->drain_ns = plan->timeout_ns;
	return RC_OK;
}

/* "500/s"; 0 where there is none. */
static enum rc per_second(const cJSON *rate, double *per_s, struct err *err)
{
	struct quantity quantity = { UNIT_PER_S, 0 };
	enum rc rc = rate ? quantity_parse(rate->valuestring, &quantity, err) : RC_OK;
	*per_s = quantity.value;
	return rc;
}

/* Stages of users, or of a rate. */
static enum rc read_stage(struct reading *r, const cJSON *stage, struct users_stage *users,
	struct arrival_stage *arrival)
{
	const cJSON *to = json_get(stage, "users");
	int64_t length_ns = 0;
	enum rc rc = duration_parse(json_text(stage, "for"), &length_ns, r->err);
	if (rc == RC_OK)
		rc = per_second(json_get(stage, "rate"), &arrival->to_per_s, r->err);
	users->to = to ? (uint64_t)to->valuedouble : 0;
	users->length_ns = arrival->length_ns = length_ns;
	return rc;
}

static enum rc read_stages(struct reading *r, const cJSON *stages)
{
	struct load_plan *plan = r->plan;
	size_t size = (size_t)cJSON_GetArraySize(stages), at = 0;
	struct users_stage *users = arena_alloc(r->c->root.arena, size, sizeof *users);
	struct arrival_stage *arrival = arena_alloc(r->c->root.arena, size, sizeof *arrival);
	int64_t sum_ns = 0;
	const cJSON *stage;
	cJSON_ArrayForEach (stage, stages) {
		enum rc rc = read_stage(r, stage, &users[at], &arrival[at]);
		if (rc == RC_OK)
			rc = check_length(r, "stages", users[at].length_ns);
		if (rc == RC_OK)
			rc = check_length(r, "stages", sum_ns + users[at].length_ns);
		if (rc != RC_OK)
			return rc;
		sum_ns += users[at++].length_ns;
	}
	plan->users.stages = users;
	plan->arrival.stages = arrival;
	plan->users.stage_count = plan->arrival.stage_count = size;
	/* They are the run; the warm-up is their first part. */
	enum rc rc = duration(r, "warm_up", 0, &plan->warm_up_ns);
	plan->measure_ns = sum_ns - plan->warm_up_ns;
	plan->tail_ns = 0;
	if (rc == RC_OK && plan->measure_ns <= 0)
		return err_set(r->err, RC_USAGE, "",
			"stages: expected them to take longer than the warm-up, which is their first part");
	return rc;
}

static enum rc read_closed(struct reading *r, bool stages)
{
	struct users_plan *users = &r->plan->users;
	size_t number = 0;
	enum rc rc = count(r, "users", 0, &number);
	if (rc == RC_OK)
		rc = duration(r, "think", 0, &users->think_ns);
	r->plan->model = LOAD_CLOSED;
	users->users = number;
	users->length_ns = CLOCK_NEVER;
	users->kind = stages ? USERS_STAGES : users->ramp_ns ? USERS_RAMP : USERS_CONSTANT;
	return rc == RC_OK ? users_check(users, r->err) : rc;
}

static enum rc read_rate(struct reading *r, const cJSON *rate)
{
	struct arrival_plan *arrival = &r->plan->arrival;
	cJSON *kind = NULL;
	double per_s = 0;
	enum rc rc = per_second(rate, &per_s, r->err);
	if (rc == RC_OK)
		rc = option_get(r->scope, r->at->step, "arrival", &kind, r->err);
	if (rc != RC_OK)
		return rc;
	bool poisson = kind && strcmp(kind->valuestring, "poisson") == 0;
	if (poisson && arrival->ramp_ns)
		return err_set(r->err, RC_USAGE, "",
			"arrival: expected \"constant\" beside `ramp`, found \"poisson\"");
	arrival->kind = poisson            ? ARRIVAL_POISSON
			: arrival->ramp_ns ? ARRIVAL_RAMP
					   : ARRIVAL_CONSTANT;
	arrival->rate_per_s = arrival->ramp_ns ? 0 : per_s;
	arrival->to_per_s = arrival->ramp_ns ? per_s : 0;
	return RC_OK;
}

static enum rc read_burst(struct reading *r, const cJSON *burst)
{
	struct arrival_plan *arrival = &r->plan->arrival;
	arrival->kind = ARRIVAL_BURST;
	arrival->burst_size = (uint64_t)json_get(burst, "size")->valuedouble;
	return duration_parse(json_text(burst, "every"), &arrival->burst_every_ns, r->err);
}

static enum rc read_open(
	struct reading *r, const cJSON *rate, const cJSON *stages, const cJSON *burst)
{
	struct arrival_plan *arrival = &r->plan->arrival;
	size_t users = LOAD_IN_FLIGHT;
	enum rc rc = count(r, "users", LOAD_IN_FLIGHT, &users);
	if (rc == RC_OK)
		rc = count(r, "max_in_flight", users, &r->plan->max_in_flight);
	r->plan->model = LOAD_OPEN;
	arrival->length_ns = CLOCK_NEVER;
	if (rc != RC_OK)
		return rc;
	if (burst) {
		rc = read_burst(r, burst);
	} else if (stages) {
		arrival->kind = ARRIVAL_STAGES;
		rc = per_second(rate, &arrival->rate_per_s, r->err);
	} else {
		rc = read_rate(r, rate);
	}
	return rc == RC_OK ? arrival_check(arrival, r->err) : rc;
}

enum rc schedule_read(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct load_plan *plan, struct err *err)
{
	struct reading r = { .c = c, .at = at, .scope = scope, .plan = plan, .err = err };
	cJSON *rate = NULL, *stages = NULL, *burst = NULL;
	enum rc rc = read_lengths(&r);
	if (rc == RC_OK)
		rc = option_get(scope, at->step, "rate", &rate, err);
	if (rc == RC_OK)
		rc = option_get(scope, at->step, "stages", &stages, err);
	if (rc == RC_OK)
		rc = option_get(scope, at->step, "burst", &burst, err);
	if (rc == RC_OK && stages)
		rc = read_stages(&r, stages);
	if (rc != RC_OK)
		return rc;
	bool open = rate || burst || json_get(stages ? stages->child : NULL, "rate");
	return open ? read_open(&r, rate, stages, burst) : read_closed(&r, stages != NULL);
}
