#include "drive/steps.h"

#include "case/option.h"
#include "drive/capture.h"
#include "drive/suts.h"
#include "drive/view.h"
#include "expect/expect.h"

enum { RETRY_FIRST_MS = 5, RETRY_LONGEST_MS = 100 };

static step_run *const RUN[VERB_COUNT] = {
	[VERB_REQUEST] = step_request,
	[VERB_RAW] = step_raw,
	[VERB_REFUSES] = step_refuses,
	[VERB_EXEC] = step_exec,
	[VERB_PAUSE] = step_pause,
};

static bool never(void *self)
{
	(void)self;
	return false;
}

void steps_broken(void *self, const struct step *step, const struct err *err)
{
	struct case_run *c = self;
	tally_problem(&c->tally, PROBLEM_USAGE, step->place, "%s", err->text);
}

enum rc steps_within(struct case_run *c, const struct walk_step *at, struct scope *scope,
	int64_t otherwise_ns, int64_t *ns, struct err *err)
{
	enum rc rc = option_duration(scope, at->step, "within", otherwise_ns, ns, err);
	int64_t left =
		c->deadline_ns == CLOCK_NEVER ? CLOCK_NEVER : c->deadline_ns - clock_now_ns();
	if (*ns > left)
		*ns = left > 0 ? left : 0;
	return rc;
}

static void forget_exchange(void *exchange)
{
	exchange_free(exchange);
}

/* The exchange belongs to the case's cell from now on; the one of the same name before it goes. */
static void keep_named(struct case_run *c, const struct walk_step *at, struct exchange *exchange)
{
	const char *name = at->step->name;
	scope_bind_owned(at->names, name, view_exchange(exchange), BINDING_RECEIVED);
	arena_defer(c->cell_arena, forget_exchange, exchange);
	struct named *n = arena_alloc(c->cell_arena, 1, sizeof *n);
	*n = (struct named){ .next = c->named, .name = name, .exchange = exchange };
	c->named = n;
}

static const char *request_text(struct case_run *c, const struct request *request)
{
	return arena_print(c->cell_arena, "%s %s", request->method, request->target);
}

bool steps_exchange(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct request *request, const char *details)
{
	struct err err = { 0 };
	enum rc rc = steps_within(c, at, scope, 10 * NS_PER_S, &request->within_ns, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	request->fresh = json_get(at->step->node, "connection") != NULL;
	request->reads_json =
		json_get(at->step->node, "capture") || expect_reads_json(at->step->expect);
	struct exchange *exchange = client_exchange(case_run_sut(c, at->step)->client, request);
	c->tally.requests++;
	struct judged judged = { .exchange = exchange,
		.request = request_text(c, request),
		.details = details,
		.within_ns = request->within_ns,
		.strict_framing = true };
	bool holds = judge(c, at, scope, &judged);
	bool brought = exchange->status != 0;
	if (brought && capture_all(at, scope, exchange, &err) != RC_OK) {
		if (holds)
			judge_step_problem(c, at, RC_INVALID, err.text);
		brought = holds = false;
	}
	c->lost = !brought && (at->step->name || json_get(at->step->node, "capture"));
	if (at->step->name)
		keep_named(c, at, exchange);
	else
		exchange_free(exchange);
	return holds;
}

/* A group's steps have its time together. */
static bool run_group(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct err err = { 0 };
	int64_t within, before = c->deadline_ns, start = clock_now_ns();
	struct tally_mark mark = tally_mark(&c->tally);
	enum rc rc = option_duration(scope, at->step, "within", CLOCK_NEVER, &within, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	if (within != CLOCK_NEVER && start + within < before)
		c->deadline_ns = start + within;
	struct walker walker = { c, steps_visit, steps_broken, c->run->filters,
		c->run->filter_count };
	rc = walk_steps(&walker, at->step->steps, at->step->step_count, at->scope, at->cell);
	c->deadline_ns = before;
	int64_t took = clock_now_ns() - start;
	if (within != CLOCK_NEVER && took > within) {
		struct judged judged = { .request = "group", .details = "" };
		judge_step_finding(c, at, "/within", &judged, "within",
			arena_print(
				c->cell_arena, "at most %lld ms", (long long)(within / NS_PER_MS)),
			arena_print(c->cell_arena, "%lld ms", (long long)(took / NS_PER_MS)));
	}
	return rc == RC_OK && !tally_changed(&c->tally, &mark);
}

static bool run_once(struct case_run *c, const struct walk_step *at)
{
	struct scope *scope = case_run_scope(c, at);
	if (at->step->verb == VERB_GROUP)
		return run_group(c, at, scope);
	alone_enter(&c->run->alone, at->step->alone);
	bool holds = RUN[at->step->verb](c, at, scope);
	alone_leave(&c->run->alone, at->step->alone);
	return holds;
}

/* Only the last try counts. */
static bool run_until_it_holds(struct case_run *c, const struct walk_step *at, int64_t retry_ns)
{
	int64_t deadline = clock_now_ns() + retry_ns, pause = RETRY_FIRST_MS * NS_PER_MS;
	for (;;) {
		struct tally_mark mark = tally_mark(&c->tally);
		if (run_once(c, at))
			return true;
		if (clock_now_ns() >= deadline || *c->run->stop || !suts_alive(c))
			return false;
		tally_back(&c->tally, &mark);
		if (engine_run(c->engine, never, NULL, clock_now_ns() + pause) != RC_TIMEOUT)
			return false;
		pause = pause * 2 < RETRY_LONGEST_MS * NS_PER_MS ? pause * 2
								 : RETRY_LONGEST_MS * NS_PER_MS;
	}
}

static bool matrix_inside(const struct step *step)
{
	for (size_t i = 0; i < step->step_count; i++)
		if (step->steps[i].matrix || matrix_inside(&step->steps[i]))
			return true;
	return false;
}

enum rc steps_visit(void *self, const struct walk_step *at)
{
	struct case_run *c = self;
	struct err err = { 0 };
	int64_t retry;
	size_t repeat;
	if (*c->run->stop) {
		tally_problem(&c->tally, PROBLEM_ENVIRONMENT, at->step->place, "interrupted");
		return RC_CLOSED;
	}
	if (at->step->matrix && !matrix_inside(at->step))
		c->tally.cells++;
	struct scope *scope = case_run_scope(c, at);
	enum rc rc = option_duration(scope, at->step, "retry", 0, &retry, &err);
	if (rc == RC_OK)
		rc = option_count(scope, at->step, "repeat", 1, &repeat, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return RC_CLOSED;
	}
	bool holds = true;
	c->lost = false;
	for (size_t i = 0; i < repeat && holds; i++)
		holds = run_until_it_holds(c, at, retry);
	/* After something was found the steps behind it still run, unless they lack what this one did not bring. */
	bool lost = c->lost && at->step->verb != VERB_GROUP;
	return suts_alive(c) && !lost ? RC_OK : RC_CLOSED;
}
