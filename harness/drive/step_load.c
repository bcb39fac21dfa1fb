/*
 * Many users, or a schedule, ask the same of the SUT again and again; what that took, and what it cost the SUT, becomes
 * numbers. Answers that are not what the requests expect are findings, errors are a number like the others.
 *
 * Where the machine or onus itself has spoiled a number that the step judges, it is measured again, and after TRIES the
 * step is invalid. A verdict is never tried again, nor is what ran beside other steps, which would be over by then.
 */
#include <string.h>

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
	struct load_reasons reasons;
	int64_t start_ns;
	struct sample *sample;
};

static struct judged judged_of(const struct loading *l)
{
	return (struct judged){ .request = l->driven.label, .details = l->driven.details };
}

/* What a request expects of all its answers: of one status or coding, as it says or by default. */
static bool judge_kind(struct loading *l, const struct step *request, const char *name,
	uint64_t others, uint64_t all)
{
	struct case_run *c = l->c;
	struct arena *arena = c->root.arena;
	struct judged judged = judged_of(l);
	struct walk_step at = *l->at;
	if (!json_get(request->expect, name))
		return true;
	c->tally.checks++;
	if (!others)
		return true;
	at.step = request;
	judge_step_finding(c, &at, arena_print(arena, "/expect/%s", name), &judged, name,
		"as the load's request has it, of every answer",
		arena_print(arena, "another in %llu of %llu answers", (unsigned long long)others,
			(unsigned long long)all));
	return false;
}

/* Each expectation of each request is judged by itself. */
static bool judge_kinds(struct loading *l)
{
	const struct step *load = l->at->step;
	bool holds = true;
	for (size_t i = 0; i < load->inner_count; i++) {
		const struct load_kind *kind = &l->result->kinds[i];
		bool status = judge_kind(
			l, &load->inner[i], "status", kind->unexpected_statuses, kind->answered);
		bool coding = judge_kind(
			l, &load->inner[i], "coding", kind->unexpected_codings, kind->answered);
		holds = holds && status && coding;
	}
	return holds;
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
	return judge_kinds(l);
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

/* Of connecting and of an answer's parts these tell enough; of what is counted by kinds, what there was. */
static bool is_aside(const char *name, const struct load_number *number, double value)
{
	static const char *const ENOUGH[] = { ".p50", ".p99", ".max" };
	bool whole = number->hist == LOAD_RESPONSE || number->hist == LOAD_SERVICE ||
		     number->hist == LOAD_SEND_LAG;
	if (number->kind != LOAD_NUMBER_TIME)
		return value == 0 && load_number_is_part(number) && strcmp(name, "errors") != 0;
	if (whole)
		return number->statistic == LOAD_MEAN;
	for (size_t i = 0; i < sizeof ENOUGH / sizeof *ENOUGH; i++)
		if (strcmp(strchr(name, '.'), ENOUGH[i]) == 0)
			return false;
	return true;
}

/* All that the table of measure/ has, as far as it could be taken. */
static void add_numbers(struct loading *l, struct measures *m)
{
	char name[LOAD_NUMBER_NAME_BYTES];
	struct load_number number;
	struct quantity quantity;
	for (size_t i = 0; load_number_name(i, name, sizeof name); i++) {
		if (load_number_parse(name, &number, NULL) != RC_OK)
			BUG("no number %s", name);
		bool scheduled = number.hist == LOAD_RESPONSE || number.hist == LOAD_SEND_LAG;
		if (number.kind == LOAD_NUMBER_TIME && scheduled &&
			l->driven.plan.model != LOAD_OPEN)
			continue;
		if (!load_number_take(&number, l->result, l->driven.plan.decode, &quantity))
			continue;
		struct measure *one = measures_add(m, arena_text(m->arena, name), quantity,
			number.kind == LOAD_NUMBER_ERRORS
				? error_words(m->arena, &l->result->measured)
				: NULL);
		one->whole = (double)load_number_whole(&number, l->result);
		one->aside = is_aside(name, &number, quantity.value);
		one->spoil = load_reasons_against(&l->reasons, number.family);
	}
}

static void add_cost(struct loading *l, struct measures *m)
{
	int64_t from_ns = l->result->start_ns + l->driven.plan.warm_up_ns;
	suts_cost(case_run_sut(l->c, l->at->step), l->sample, from_ns,
		from_ns + l->result->measured_ns, m);
	cost_add_each(m, l->result->measured_ns, l->result->measured.answered);
}

static void find_reasons(struct loading *l)
{
	const struct load_seen seen = { &l->driven.plan, l->result, &l->before, &l->after,
		&l->c->run->null };
	struct load_facts facts;
	load_facts_take(&seen, &facts);
	load_validity_find(&facts, l->c->root.arena, &l->reasons);
}

static const char *reason_about(const struct load_reasons *reasons, const char *name)
{
	for (size_t i = 0; i < reasons->count; i++)
		if (reasons->list[i].about && strcmp(reasons->list[i].about, name) == 0)
			return reasons->list[i].text;
	return NULL;
}

/* Warnings, and what spoils a number, told once for each reason. */
static void tell_reasons(const struct load_reasons *reasons, struct measures *m)
{
	const char *last = NULL;
	for (size_t i = 0; i < m->count; i++) {
		struct measure *one = &m->list[i];
		const char *about = reason_about(reasons, one->name);
		if (about)
			one->note = about;
		if (one->aside || !one->spoil.text || one->spoil.text == last)
			continue;
		last = one->spoil.text;
		one->note = arena_print(m->arena, "not to be used: %s", last);
	}
}

/* For people, beside the load's own. */
static void add_null(const struct load_null *null, struct measures *m)
{
	if (!null->driven)
		return;
	measures_add(m, "null_server.rate", (struct quantity){ UNIT_PER_S, null->ceiling_per_s },
		"what onus itself can do at most here");
	measures_add(
		m, "null_server.p50", (struct quantity){ UNIT_NS, (double)null->floor_ns }, NULL);
}

static struct measures *measure(struct loading *l)
{
	struct arena *arena = l->c->root.arena;
	struct measures *m = arena_alloc(arena, 1, sizeof *m);
	measures_init(m, arena);
	find_reasons(l);
	add_numbers(l, m);
	add_cost(l, m);
	add_null(&l->c->run->null, m);
	tell_reasons(&l->reasons, m);
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

static void tell_partial(struct measures *m)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->list[i].name, "sent") == 0)
			m->list[i].note = "partial: it was interrupted";
}

/* What there is once the load has been driven. */
static bool judge_load(struct loading *l)
{
	struct case_run *c = l->c;
	c->tally.requests += l->result->all.sent;
	bool interrupted = l->result->partial || *c->run->stop;
	struct measures *m = measure(l);
	if (interrupted)
		tell_partial(m);
	tally_figures(&c->tally, l->at->step->place.pointer, l->at->cell.label, m);
	draw(l);
	if (interrupted) {
		case_run_interrupted(c, l->at->step->place);
		return false;
	}
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
