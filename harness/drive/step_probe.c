/*
 * A light request is sent by a fixed schedule, first while nothing else is asked of the server, then while the steps of
 * `while` run: is anybody kept waiting by them?
 *
 * Where onus itself sent a probe too late, what was measured may be onus's own stall: it is measured again, and after
 * TRIES the step is invalid. A verdict is never tried again.
 */
#include <stdlib.h>

#include "case/option.h"
#include "drive/busy.h"
#include "drive/outgoing_request.h"
#include "drive/prober.h"
#include "drive/steps.h"
#include "drive/suts.h"
#include "drive/view.h"
#include "drive/wait.h"
#include "stats/spread.h"

enum { EVERY_MS = 5, IDLE_MS = 1000, LAG_MAX_MS = 20, TRIES = 3 };

struct probing {
	struct case_run *c;
	const struct walk_step *at;
	struct scope *scope;
	struct request request;
	const char *details;
	int64_t every_ns, idle_ns;
	/* Of the present try. */
	int64_t while_ns; /* when `while` began */
	struct busy_list busy;
	const struct prober_result *result;
	int64_t lag_ns; /* the longest */
	size_t during;  /* answered probes that were in flight together with a request of `while` */
};

static enum rc read_options(struct probing *p, struct err *err)
{
	struct case_run *c = p->c;
	enum rc rc =
		outgoing_request(c, p->at->step->inner, p->scope, &p->request, &p->details, err);
	if (rc == RC_OK)
		rc = option_duration(
			p->scope, p->at->step, "every", EVERY_MS * NS_PER_MS, &p->every_ns, err);
	if (rc == RC_OK)
		rc = option_duration(
			p->scope, p->at->step, "idle", IDLE_MS * NS_PER_MS, &p->idle_ns, err);
	if (rc == RC_OK)
		rc = steps_within(c, p->at, p->scope, 10 * NS_PER_S, &p->request.within_ns, err);
	return rc;
}

/* Nothing can be said of a server that does not even answer while it has nothing to do. */
static bool rest(struct probing *p, struct prober *prober)
{
	struct case_run *c = p->c;
	if (wait_pause(c, clock_now_ns() + p->idle_ns) != RC_TIMEOUT) {
		case_run_interrupted(c, p->at->step->place);
		return false;
	}
	if (prober_answered(prober))
		return true;
	if (suts_alive(c))
		judge_step_problem(c, p->at, RC_ENVIRONMENT,
			arena_print(c->root.arena,
				"the probe was not answered once in %lld ms of idle time, so that there is nothing to compare with",
				(long long)(p->idle_ns / NS_PER_MS)));
	return false;
}

/* False where nothing can be said of the probes. What the steps found is in the tally, and no reason not to go on. */
static bool run_steps(struct probing *p)
{
	struct case_run *c = p->c;
	struct busy_list *before = c->busy;
	struct walker walker = { c, steps_visit, steps_broken, c->run->filters,
		c->run->filter_count };
	busy_init(&p->busy, c->root.arena);
	c->busy = &p->busy;
	p->while_ns = clock_now_ns();
	enum rc rc = walk_steps(
		&walker, p->at->step->steps, p->at->step->step_count, p->at->scope, p->at->cell);
	c->busy = before;
	if (before)
		busy_add_all(before, &p->busy);
	if (rc == RC_OK && !p->busy.count) {
		judge_step_problem(c, p->at, RC_LIMIT,
			"no request of `while` was in flight, so that nothing was probed");
		return false;
	}
	return rc == RC_OK;
}

static bool in_flight(const struct busy_list *busy, const struct probe_sample *sample)
{
	for (const struct busy *b = busy->first; b; b = b->next)
		if (sample->sent_ns <= b->to_ns && sample->end_ns >= b->from_ns)
			return true;
	return false;
}

/* Unanswered probes have no duration; they are told as failures. */
static struct measures *measure(struct probing *p)
{
	const struct prober_result *r = p->result;
	struct arena *arena = p->c->root.arena;
	struct measures *m = arena_alloc(arena, 1, sizeof *m);
	int64_t *idle = mem_alloc(3 * r->count + 1, sizeof *idle), *busy = idle + r->count,
		*lag = busy + r->count;
	size_t idle_count = 0, busy_count = 0;
	for (size_t i = 0; i < r->count; i++) {
		const struct probe_sample *s = &r->samples[i];
		lag[i] = s->sent_ns - s->due_ns;
		if (s->end_ns == CLOCK_NEVER)
			continue;
		if (s->end_ns < p->while_ns)
			idle[idle_count++] = s->end_ns - s->sent_ns;
		else if (in_flight(&p->busy, s))
			busy[busy_count++] = s->end_ns - s->sent_ns;
	}
	struct spread spreads[] = { spread_of(idle, idle_count), spread_of(busy, busy_count),
		spread_of(lag, r->count) };
	free(idle);
	measures_init(m, arena);
	measures_add_spread(m, "idle", &spreads[0]);
	measures_add_spread(m, "probe", &spreads[1]);
	measures_add_spread(m, "send_lag", &spreads[2]);
	p->lag_ns = spreads[2].max_ns;
	p->during = busy_count;
	return m;
}

static void add_silence(struct probing *p, struct measures *m)
{
	struct silence silence = silence_of(p->result->samples, p->result->count, p->busy.first);
	const char *note = NULL;
	if (silence.label)
		note = arena_print(m->arena, "%s: silent for %.1f ms of %.1f ms", silence.label,
			(double)silence.silent_ns / NS_PER_MS,
			(double)silence.request_ns / NS_PER_MS);
	measures_add(
		m, "probe.silence", (struct quantity){ UNIT_NS, (double)silence.longest_ns }, note);
	measures_add(m, "probe.silence_share",
		(struct quantity){ UNIT_PERCENT, silence.share_percent }, note);
}

/* The probe's own expectations, or what every answer must be, held against the first and the first that differs. */
static bool judge_answers(struct probing *p)
{
	const struct exchange *const answers[] = { p->result->first, p->result->odd };
	struct walk_step inner = *p->at;
	bool holds = true;
	inner.step = p->at->step->inner;
	for (size_t i = 0; i < 2 && holds; i++) {
		if (!answers[i])
			continue;
		struct judged judged = { .exchange = answers[i],
			.request = arena_print(
				p->c->root.arena, "%s %s", p->request.method, p->request.target),
			.details = p->details,
			.within_ns = p->request.within_ns,
			.strict_framing = true };
		holds = judge(p->c, &inner, p->scope, &judged);
	}
	return holds;
}

/* Numbers that say nothing of the requests must not hold for them. */
static bool was_probed(const struct probing *p)
{
	const char *text =
		"no probe was in flight together with a request of `while`, so that nothing was probed";
	if (p->result->full)
		text = "a million probes were sent, and none after them: `every` is too short for what takes so long";
	else if (p->during)
		return true;
	judge_step_problem(p->c, p->at, RC_LIMIT, text);
	return false;
}

/* One try. *valid: onus itself was in time, or something was found that does not hang on it. */
static bool run_try(struct probing *p, struct prober *prober, bool *valid)
{
	struct case_run *c = p->c;
	struct tally_mark mark = tally_mark(&c->tally);
	bool measured = rest(p, prober) && run_steps(p);
	p->result = prober_stop(prober);
	c->tally.requests += p->result->count;
	*valid = true;
	if (*c->run->stop)
		case_run_interrupted(c, p->at->step->place);
	if (*c->run->stop || !measured || !judge_answers(p))
		return false;
	struct measures *m = measure(p);
	if (p->lag_ns > LAG_MAX_MS * NS_PER_MS) {
		*valid = tally_changed(&c->tally, &mark);
		return false;
	}
	if (!tally_changed(&c->tally, &mark) && !was_probed(p))
		return false;
	add_silence(p, m);
	tally_figures(&c->tally, p->at->step->place.pointer, p->at->cell.label, m);
	struct judged judged = { .measures = m, .request = "probe", .details = p->details };
	bool holds = judge(c, p->at, p->scope, &judged);
	if (p->at->step->name)
		scope_bind_owned(
			p->at->names, p->at->step->name, view_measures(m), BINDING_RECEIVED);
	return holds && !tally_changed(&c->tally, &mark);
}

static bool try_once(struct probing *p, bool *valid)
{
	struct case_run *c = p->c;
	struct err err = { 0 };
	struct prober *prober;
	const struct prober_options options = {
		.address = &case_run_sut(c, p->at->step)->address,
		.request = &p->request,
		.every_ns = p->every_ns,
		.stop_fd = c->run->stop_fd,
	};
	*valid = true;
	enum rc rc = prober_start(&options, &prober, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, p->at, rc, err.text);
		return false;
	}
	bool holds = run_try(p, prober, valid);
	prober_free(prober);
	return holds;
}

bool step_probe(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct probing p = { .c = c, .at = at, .scope = scope };
	struct tally_mark mark = tally_mark(&c->tally);
	struct err err = { 0 };
	bool valid = false, holds = false;
	enum rc rc = read_options(&p, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	for (int i = 0; i < TRIES && !valid; i++) {
		tally_back(&c->tally, &mark);
		holds = try_once(&p, &valid);
	}
	if (!valid)
		tally_problem(&c->tally, PROBLEM_INVALID, at->step->place,
			"onus sent a probe %lld ms late, more than %d ms, %d times in a row: the machine is too busy to tell a stall of the server from its own",
			(long long)(p.lag_ns / NS_PER_MS), LAG_MAX_MS, TRIES);
	return holds;
}
