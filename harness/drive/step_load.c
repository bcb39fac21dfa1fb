/*
 * Many users, or a schedule, ask the same of the SUT again and again; what that took, and what it cost the SUT, becomes
 * numbers. Answers that are not what the requests expect are findings, errors are a number like the others.
 *
 * Where the machine or onus itself has spoiled a number that the step judges, it is measured again, and after TRIES the
 * step is invalid. A verdict is never tried again, nor is what ran beside other steps, which would be over by then.
 */
#include "drive/driven.h"
#include "drive/busy.h"
#include "drive/steps.h"
#include "drive/suts.h"
#include "drive/view.h"
#include "drive/wait.h"
#include "measure/load_charts.h"
#include "measure/load_validity.h"

enum { TRIES = 3 };

struct loading {
	struct case_run *c;
	const struct walk_step *at;
	struct scope *scope;
	struct driven driven;
	/* Of the present try. */
	struct load_result *result;
	struct load_host before, after;
	int64_t start_ns;
	struct sample *sample;
};

static struct judged judged_of(const struct loading *l)
{
	return (struct judged){ .request = l->driven.label, .details = l->driven.details };
}

/* The step that names the expectation; the load itself where several requests do, since answers are counted together. */
static const struct step *who_expects(const struct step *load, const char *name)
{
	const struct step *found = NULL;
	for (size_t i = 0; i < load->inner_count; i++) {
		if (!json_get(load->inner[i].expect, name))
			continue;
		if (found)
			return load;
		found = &load->inner[i];
	}
	return found;
}

static bool judge_answers(struct loading *l, const char *name, uint64_t others)
{
	struct case_run *c = l->c;
	const struct load_counts *all = &l->result->all;
	const struct step *who = who_expects(l->at->step, name);
	struct judged judged = judged_of(l);
	struct walk_step at = *l->at;
	if (!who)
		return true;
	c->tally.checks++;
	if (!others)
		return true;
	at.step = who;
	judge_step_finding(c, &at,
		who == l->at->step ? "/load" : arena_print(c->root.arena, "/expect/%s", name),
		&judged, name, "as the load's request has it, of every answer",
		arena_print(c->root.arena, "another in %llu of %llu answers",
			(unsigned long long)others, (unsigned long long)all->answered));
	return false;
}

static bool judge_all_answers(struct loading *l)
{
	const struct load_counts *all = &l->result->all;
	const char *none = load_unanswered(all, l->c->root.arena);
	struct judged judged = judged_of(l);
	if (none) {
		judge_step_finding(l->c, l->at, "/load", &judged, "answers", "some", none);
		return false;
	}
	bool holds = judge_answers(l, "status", all->unexpected_statuses);
	return judge_answers(l, "coding", all->unexpected_codings) && holds;
}

/* What the errors were: "3 of status 5xx, 2 reset". */
static const char *error_words(struct arena *arena, const struct load_counts *counts)
{
	const char *text = NULL;
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		if (counts->failed[i])
			text = arena_print(arena, "%s%s%llu %s", text ? text : "", text ? ", " : "",
				(unsigned long long)counts->failed[i], load_failure_at(i)->name);
	if (counts->unexpected_statuses)
		text = arena_print(arena, "%s%s%llu of another status", text ? text : "",
			text ? ", " : "", (unsigned long long)counts->unexpected_statuses);
	return text;
}

static void add_hist(struct measures *m, const char *word, const struct hist *hist)
{
	struct spread spread = { .count = (size_t)hist_count(hist) };
	if (spread.count) {
		spread.min_ns = hist_min(hist);
		spread.p50_ns = hist_quantile(hist, 0.5);
		spread.p90_ns = hist_quantile(hist, 0.9);
		spread.p99_ns = hist_quantile(hist, 0.99);
		spread.p999_ns = hist_quantile(hist, 0.999);
		spread.max_ns = hist_max(hist);
	}
	measures_add_spread(m, word, &spread);
}

static void add_number(struct loading *l, struct measures *m, const char *name, const char *note)
{
	struct load_number number;
	struct quantity quantity;
	if (load_number_parse(name, &number, NULL) != RC_OK)
		BUG("no number %s", name);
	if (load_number_take(&number, l->result, l->driven.plan.decode, &quantity))
		measures_add(m, name, quantity, note);
}

/* The rows of the SUT's cost lie beside the edges of what was measured: so its share of a core is what is divided. */
static void add_cost(struct loading *l, struct measures *m)
{
	int64_t from_ns = l->start_ns + l->driven.plan.warm_up_ns;
	uint64_t answered = l->result->measured.answered;
	suts_cost(case_run_sut(l->c, l->at->step), l->sample, from_ns,
		from_ns + l->result->measured_ns, m);
	const struct measure *cpu = measures_find(m, "sut.cpu");
	if (cpu && answered)
		measures_add(m, "sut.cpu_per_request",
			(struct quantity){ UNIT_NS, cpu->quantity.value / 100 *
							    (double)l->result->measured_ns /
							    (double)answered },
			NULL);
}

/* A warning where nothing is judged by the number: told once for each reason. */
static void spoil(struct loading *l, struct measures *m)
{
	static const struct {
		const char *name;
		enum load_family family;
	} FAMILIES[] = { { "response", LOAD_LATENCIES }, { "service", LOAD_LATENCIES },
		{ "send_lag", LOAD_LAGS }, { "rate", LOAD_RATES }, { "sent", LOAD_RATES },
		{ "errors", LOAD_ERRORS }, { "coded_share", LOAD_BYTES } };
	struct load_facts facts;
	struct load_reasons reasons;
	const char *last = NULL;
	load_facts_take(&l->driven.plan, l->result, &l->before, &l->after, &facts);
	load_validity_find(&facts, l->c->root.arena, &reasons);
	for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
		measures_spoil(
			m, FAMILIES[i].name, load_reasons_against(&reasons, FAMILIES[i].family));
	for (size_t i = 0; i < m->count; i++) {
		struct measure *one = &m->list[i];
		if (!one->spoiled || one->spoiled == last)
			continue;
		last = one->spoiled;
		one->note = arena_print(m->arena, "not to be used: %s", last);
	}
}

static struct measures *measure(struct loading *l)
{
	struct arena *arena = l->c->root.arena;
	const struct load_result *r = l->result;
	struct measures *m = arena_alloc(arena, 1, sizeof *m);
	measures_init(m, arena);
	if (l->driven.plan.model == LOAD_OPEN) {
		add_hist(m, "response", r->hists[LOAD_RESPONSE]);
		add_hist(m, "send_lag", r->hists[LOAD_SEND_LAG]);
	}
	add_hist(m, "service", r->hists[LOAD_SERVICE]);
	add_number(l, m, "rate", NULL);
	measures_add(m, "sent", (struct quantity){ UNIT_COUNT, (double)r->measured.sent }, NULL);
	add_number(l, m, "errors", error_words(arena, &r->measured));
	add_number(l, m, "coded_share", NULL);
	add_cost(l, m);
	spoil(l, m);
	return m;
}

/* Once the sample is stopped. */
static void draw(struct loading *l)
{
	struct tally *tally = &l->c->tally;
	const char *step = l->at->step->place.pointer, *cell = l->at->cell.label;
	const struct load_charted one = { "", &l->driven.plan, l->result,
		l->sample ? sample_cost(l->sample) : NULL };
	enum { CHARTS = 2 };
	struct chart *charts[CHARTS] = { load_charts_latency(&one, 1, tally->arena),
		load_charts_time(&one, tally->arena) };
	for (size_t i = 0; i < CHARTS; i++) {
		if (!charts[i])
			continue;
		charts[i]->title =
			arena_print(tally->arena, "%s · %s", charts[i]->title, l->driven.label);
		tally_chart(tally, step, cell, charts[i]);
	}
}

static bool was_invalid(const struct tally *tally, const struct tally_mark *mark)
{
	for (size_t i = mark->problems; i < tally->problem_count; i++)
		if (tally->problems[i].kind == PROBLEM_INVALID)
			return true;
	return false;
}

/* What there is once the load has been driven. */
static bool judge_load(struct loading *l)
{
	struct case_run *c = l->c;
	c->tally.requests += l->result->all.sent;
	if (l->result->partial || *c->run->stop) {
		case_run_interrupted(c, l->at->step->place);
		return false;
	}
	struct measures *m = measure(l);
	tally_figures(&c->tally, l->at->step->place.pointer, l->at->cell.label, m);
	draw(l);
	if (!suts_alive(c) || !judge_all_answers(l))
		return false;
	struct judged judged = judged_of(l);
	judged.measures = m;
	bool holds = judge(c, l->at, l->scope, &judged);
	if (l->at->step->name)
		scope_bind_owned(
			l->at->names, l->at->step->name, view_measures(m), BINDING_RECEIVED);
	return holds;
}

static bool try_once(struct loading *l)
{
	struct case_run *c = l->c;
	struct err err = { 0 };
	l->sample = suts_sample(case_run_sut(c, l->at->step));
	wait_aside(c);
	load_host_read(&l->before);
	l->start_ns = clock_now_ns();
	enum rc rc = load_run(&l->driven.plan, &l->result, &err);
	int64_t end_ns = clock_now_ns();
	load_host_read(&l->after);
	wait_back(c);
	if (c->busy)
		busy_add_time(c->busy, l->start_ns, end_ns, l->driven.label);
	bool holds = rc == RC_OK && judge_load(l);
	if (rc != RC_OK)
		judge_step_problem(c, l->at, rc, err.text);
	sample_free(l->sample);
	load_result_free(l->result);
	l->result = NULL;
	return holds;
}

bool step_load(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct loading l = { .c = c, .at = at, .scope = scope };
	struct tally_mark mark = tally_mark(&c->tally);
	struct err err = { 0 };
	enum rc rc = driven_read(c, at, scope, &l.driven, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	int tries = c->turn || c->busy ? 1 : TRIES;
	bool holds = try_once(&l);
	for (int i = 1; i < tries && was_invalid(&c->tally, &mark); i++) {
		tally_back(&c->tally, &mark);
		holds = try_once(&l);
	}
	return holds;
}
