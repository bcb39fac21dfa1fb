#include "drive/steps.h"

#include <string.h>

#include "case/option.h"
#include "drive/capture.h"
#include "drive/suts.h"
#include "drive/view.h"
#include "drive/wait.h"
#include "expect/expect.h"

enum { RETRY_FIRST_MS = 5, RETRY_LONGEST_MS = 100, TARGET_SHOWN_BYTES = 300, DEATH_MS = 20 };

static step_run *const RUN[VERB_COUNT] = {
	[VERB_REQUEST] = step_request,
	[VERB_RAW] = step_raw,
	[VERB_REFUSES] = step_refuses,
	[VERB_EXEC] = step_exec,
	[VERB_PAUSE] = step_pause,
	[VERB_STREAM] = step_stream,
	[VERB_AWAIT] = step_await,
	[VERB_QUIET] = step_quiet,
	[VERB_BUDGET] = step_budget,
	[VERB_UPSTREAM] = step_upstream,
	[VERB_JOURNAL] = step_journal,
	[VERB_PARALLEL] = step_parallel,
	[VERB_BARRIER] = step_barrier,
	[VERB_PROBE] = step_probe,
	[VERB_OPENAPI] = step_openapi,
	[VERB_LOAD] = step_load,
	[VERB_HOLD] = step_hold,
};

step_run *steps_find(enum verb verb)
{
	return RUN[verb];
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

static void forget_named(void *self)
{
	struct named *n = self;
	exchange_free(n->exchange);
}

static struct named *find_named(struct case_run *c, const char *name)
{
	for (struct named *n = c->named; n; n = n->next)
		if (strcmp(n->name, name) == 0)
			return n;
	return NULL;
}

/* The exchange belongs to the list of steps from now on; that of the try before goes. */
void steps_keep_named(struct case_run *c, const struct walk_step *at, struct exchange *exchange)
{
	const char *name = at->step->name;
	struct named *n = find_named(c, name);
	scope_bind_owned(at->names, name, view_exchange(exchange), BINDING_RECEIVED);
	if (!n) {
		n = arena_alloc(at->names->arena, 1, sizeof *n);
		*n = (struct named){ .next = c->named, .name = name };
		arena_defer(at->names->arena, forget_named, n);
		c->named = n;
	}
	exchange_free(n->exchange);
	n->exchange = exchange;
}

static const char *request_text(struct case_run *c, const struct request *request)
{
	return arena_print(c->root.arena, "%s %.*s%s", request->method, TARGET_SHOWN_BYTES,
		request->target, strlen(request->target) > TARGET_SHOWN_BYTES ? "..." : "");
}

/* A SUT's sockets close a moment before its death is known: who hung up may be about to be found dead. */
static void wait_for_death(struct case_run *c)
{
	int64_t until_ns = clock_now_ns() + DEATH_MS * NS_PER_MS;
	while (suts_alive(c) && clock_now_ns() < until_ns)
		if (wait_pause(c, clock_now_ns() + NS_PER_MS) != RC_TIMEOUT)
			return;
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
	struct exchange *exchange = wait_exchange(c, case_run_client(c, at->step), request);
	c->sent_ns =
		exchange->timing.sent_ns ? exchange->timing.sent_ns : exchange->timing.start_ns;
	if (*c->run->stop && exchange->failure != FAILURE_NONE) {
		case_run_interrupted(c, at->step->place);
		exchange_free(exchange);
		return false;
	}
	if (exchange->failure == FAILURE_CLOSED || exchange->failure == FAILURE_RESET ||
		exchange->failure == FAILURE_REFUSED)
		wait_for_death(c);
	c->tally.requests++;
	struct judged judged = { .exchange = exchange,
		.request = request_text(c, request),
		.details = details,
		.within_ns = request->within_ns,
		.strict_framing = true };
	/* Before it is judged: what is secret in the answer must not be printed with the findings. */
	bool answered = exchange->status != 0;
	rc = answered ? capture_all(at, scope, exchange, &err) : RC_CLOSED;
	bool brought = rc == RC_OK;
	bool holds = judge(c, at, scope, &judged);
	if (answered && !brought) {
		if (holds)
			judge_step_problem(c, at, rc, err.text);
		holds = false;
	}
	c->lost = !brought && (at->step->name || json_get(at->step->node, "capture"));
	if (at->step->name)
		steps_keep_named(c, at, exchange);
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
	struct named *named = c->named;
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
	/* Names of the group's steps end with it. */
	c->named = named;
	int64_t took = clock_now_ns() - start;
	if (within != CLOCK_NEVER && took > within) {
		struct judged judged = { .request = "group", .details = "" };
		judge_step_finding(c, at, "/within", &judged, "within",
			arena_print(
				c->root.arena, "at most %lld ms", (long long)(within / NS_PER_MS)),
			arena_print(c->root.arena, "%lld ms", (long long)(took / NS_PER_MS)));
	}
	return rc == RC_OK && !tally_changed(&c->tally, &mark);
}

/* What a try takes is gone behind it, so that a thousand of them need no more than one. */
static bool run_once(struct case_run *c, const struct walk_step *at)
{
	struct arena *outer = scope_begin(&c->root);
	struct scope *scope = case_run_scope(c, at);
	bool holds;
	/*
	 * All but a group answers for the steps below it: what happens on a stream meanwhile, or in a list beside, would be
	 * held up where they had to wait for somebody else's turn to be alone.
	 */
	bool alone = at->step->alone;
	bool enters = !c->entered && (alone || at->step->verb != VERB_GROUP);
	if (enters)
		alone_enter(&c->run->alone, alone);
	c->entered = c->entered || enters;
	holds = at->step->verb == VERB_GROUP ? run_group(c, at, scope)
					     : RUN[at->step->verb](c, at, scope);
	if (enters) {
		c->entered = false;
		alone_leave(&c->run->alone, alone);
	}
	scope_end(&c->root, outer);
	return holds;
}

/* Only the last try counts. */
static bool run_until_it_holds(struct case_run *c, const struct walk_step *at, int64_t retry_ns)
{
	int64_t deadline = clock_now_ns() + retry_ns, pause = RETRY_FIRST_MS * NS_PER_MS;
	if (deadline > c->deadline_ns)
		deadline = c->deadline_ns;
	for (;;) {
		struct tally_mark mark = tally_mark(&c->tally);
		if (run_once(c, at))
			return true;
		if (clock_now_ns() >= deadline || c->interrupted ||
			tally_hopeless(&c->tally, &mark) || !suts_alive(c))
			return false;
		tally_back(&c->tally, &mark);
		if (wait_pause(c, clock_now_ns() + pause) != RC_TIMEOUT) {
			case_run_interrupted(c, at->step->place);
			return false;
		}
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

static enum rc read_repetition(
	struct case_run *c, const struct walk_step *at, int64_t *retry, size_t *repeat)
{
	struct err err = { 0 };
	struct scope *scope = case_run_scope(c, at);
	enum rc rc = option_duration(scope, at->step, "retry", 0, retry, &err);
	if (rc == RC_OK)
		rc = option_count(scope, at->step, "repeat", 1, repeat, &err);
	if (rc == RC_OK && !*repeat)
		rc = err_set(&err, RC_USAGE, "", "repeat: expected at least 1, found 0");
	if (rc != RC_OK)
		judge_step_problem(c, at, rc, err.text);
	return rc;
}

enum rc steps_visit(void *self, const struct walk_step *at)
{
	struct case_run *c = self;
	int64_t retry;
	size_t repeat;
	if (*c->run->stop) {
		case_run_interrupted(c, at->step->place);
		return RC_CLOSED;
	}
	/* The time of the group around it is over, which is told there. */
	if (clock_now_ns() >= c->deadline_ns)
		return RC_CLOSED;
	if (at->step->matrix && !matrix_inside(at->step))
		c->tally.cells++;
	if (read_repetition(c, at, &retry, &repeat) != RC_OK)
		return RC_CLOSED;
	bool holds = true;
	c->lost = false;
	for (size_t i = 0; i < repeat && holds; i++) {
		holds = run_until_it_holds(c, at, retry);
		if (holds && i + 1 < repeat && *c->run->stop) {
			case_run_interrupted(c, at->step->place);
			holds = false;
		}
	}
	/* After something was found the steps behind it still run, unless they lack what this one did not bring. */
	bool lost = c->lost && !at->step->steps && !at->step->lists;
	return suts_alive(c) && !lost && !c->interrupted ? RC_OK : RC_CLOSED;
}
