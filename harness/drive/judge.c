#include "drive/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "case/groups.h"
#include "case/settings.h"
#include "case/steps.h"
#include "case/template.h"
#include "drive/view.h"
#include "expect/expect.h"
#include "http/save.h"

/* What judge_world's functions need. */
struct world {
	struct case_run *c;
	struct scope *scope;
	const struct step *step;
};

static const struct exchange *named(void *self, const char *name)
{
	const struct world *w = self;
	for (const struct named *n = w->c->named; n; n = n->next)
		if (strcmp(n->name, name) == 0)
			return n->exchange;
	return NULL;
}

static const char *path(void *self, const char *reference, struct arena *arena, struct err *err)
{
	const struct world *w = self;
	const char *found = NULL;
	enum rc rc = settings_path(
		w->scope, w->c->run->suite, w->c->one, w->step->to, reference, &found, err);
	return rc == RC_OK ? arena_text(arena, found) : NULL;
}

void judge_step_problem(
	struct case_run *c, const struct walk_step *at, enum rc rc, const char *text)
{
	enum problem_kind kind = rc == RC_USAGE   ? PROBLEM_USAGE
				 : rc == RC_LIMIT ? PROBLEM_FLOOR
						  : PROBLEM_ENVIRONMENT;
	const char *cell = at->cell.label;
	tally_problem(&c->tally, kind, at->step->place, "%s%s%s%s", text, cell[0] ? " (cell " : "",
		cell, cell[0] ? ")" : "");
}

/* "3-accept=gzip.http": what a file system takes of a cell's label. */
static const char *exchange_path(struct case_run *c, const struct walk_step *at)
{
	static const char PLAIN[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-=,+@";
	char *name = arena_print(c->arena, "%s/%03u%s%.100s.http", c->dir, ++c->saved,
		at->cell.label[0] ? "-" : "", at->cell.label);
	for (char *p = name + strlen(c->dir) + 1; *p; p++)
		if (!strchr(PLAIN, *p))
			*p = '_';
	return name;
}

/* As people type it: from where they are, where the run directory is below that. */
static const char *shown(const struct case_run *c, const char *file)
{
	size_t length = strlen(c->run->from);
	bool below = length && strncmp(file, c->run->from, length) == 0 && file[length] == '/';
	return below ? file + length + 1 : file;
}

static const char *save(
	struct case_run *c, const struct walk_step *at, const struct exchange *exchange)
{
	struct err err = { 0 };
	if (!exchange)
		return NULL;
	const char *file = exchange_path(c, at);
	if (exchange_save(exchange, file, c->root.secrets, &err) == RC_OK)
		return shown(c, file);
	tally_problem(
		&c->tally, PROBLEM_ENVIRONMENT, at->step->place, "%s: %s", err.where, err.text);
	return NULL;
}

static void add_finding(struct case_run *c, const struct walk_step *at, const struct judged *judged,
	const char *pointer, const struct broken *broken, const char *exchange)
{
	tally_finding(&c->tally, pointer,
		&(struct finding){ .request = judged->request,
			.details = judged->details,
			.what = broken->what,
			.expected = broken->expected,
			.found = broken->found,
			.cell = at->cell.label,
			.exchange = exchange,
			.again = case_run_again(c, at->cell) });
}

void judge_step_finding(struct case_run *c, const struct walk_step *at, const char *below,
	const struct judged *judged, const char *what, const char *expected, const char *found)
{
	struct broken broken = { .what = what, .expected = expected, .found = found };
	const char *pointer = arena_print(c->root.arena, "%s%s", at->step->place.pointer, below);
	add_finding(c, at, judged, pointer, &broken, save(c, at, judged->exchange));
}

/* Quantities of the same step that comparisons may use: `${bytes.decoded}`, `${idle.p99}`. */
static struct scope *quantities(struct scope *scope, const struct judged *of)
{
	struct scope *judged = scope_push(scope);
	if (of->exchange) {
		scope_bind_owned(judged, "bytes", view_bytes(of->exchange), BINDING_RECEIVED);
		scope_bind_owned(judged, "time", view_time(of->exchange), BINDING_RECEIVED);
	}
	if (of->measures)
		scope_bind_members(judged, view_measures(of->measures), BINDING_RECEIVED);
	return judged;
}

struct judging {
	struct case_run *c;
	const struct walk_step *at;
	const struct judged *judged;
	struct judgement j;
	const char *saved; /* the exchange is saved once, however many findings it has */
	bool holds;
};

/* Moves what j has found so far to the tally, with pointers below `base`. */
static void collect(struct judging *g, const char *base)
{
	struct case_run *c = g->c;
	c->tally.checks += g->j.checks;
	if (g->j.broken_count && !g->saved)
		g->saved = save(c, g->at, g->judged->exchange);
	for (size_t i = 0; i < g->j.broken_count; i++) {
		const char *pointer =
			arena_print(c->root.arena, "%s%s", base, g->j.broken[i].pointer);
		add_finding(c, g->at, g->judged, pointer, &g->j.broken[i], g->saved);
	}
	if (g->j.has_error)
		judge_step_problem(c, g->at, RC_USAGE, g->j.error.text);
	if (g->j.has_spoiled)
		tally_problem(&c->tally, PROBLEM_INVALID, g->at->step->place, "%s%s%s%s",
			g->j.spoiled.text, g->at->cell.label[0] ? " (cell " : "", g->at->cell.label,
			g->at->cell.label[0] ? ")" : "");
	g->holds = g->holds && !g->j.broken_count && !g->j.has_error && !g->j.has_spoiled;
	g->j.checks = g->j.broken_count = 0;
	g->j.has_error = g->j.has_spoiled = false;
}

static void judge_group(struct judging *g, struct scope *scope, const cJSON *group)
{
	cJSON *resolved;
	struct err err = { 0 };
	enum rc rc = template_resolve(scope, group, &resolved, &err);
	if (rc == RC_OK)
		rc = expect_check(resolved, &g->j, &err);
	if (rc != RC_OK) {
		judge_step_problem(g->c, g->at, RC_USAGE, err.text);
		g->holds = false;
	}
	collect(g, json_place(g->at->step->json, group).pointer);
}

static bool named_anywhere(const struct group_choices *choices, const char *expectation)
{
	for (size_t i = 0; i < choices->count; i++)
		if (choices->list[i].applies && expect_names(choices->list[i].group, expectation))
			return true;
	return false;
}

/* A SUT that crashes, or says that all is well, has refused nothing. */
static void judge_refusal(struct judging *g)
{
	const struct process_end *end = g->judged->process;
	if (end->signal)
		judge_finding(&g->j, "/exit", "exit", "a status other than 0",
			process_end_words(end, g->c->root.arena));
	else if (end->exit == 0)
		judge_finding(&g->j, "/exit", "exit", "a status other than 0", "0");
}

/*
 * What is expected without being said: an answer, 2xx, framing as RFC 9112 has it; of a command, exit status 0; of settings
 * that are refused, any other.
 */
static bool judge_implied(struct judging *g, const struct group_choices *choices)
{
	const char *base = g->at->step->place.pointer;
	const char *expect = arena_print(g->c->root.arena, "%s/expect", base);
	bool answered = true;
	if (g->judged->exchange) {
		answered = expect_answer(&g->j);
		/* A `raw` that closes by itself may get none, which is no failure; but nothing then meets what it expects. */
		if (!answered && g->judged->exchange->failure == FAILURE_NONE && choices->count)
			judge_finding(&g->j, "", "answer", "an answer",
				"none before the step closed the connection");
		bool timed_out = g->judged->exchange->failure == FAILURE_TIMEOUT;
		collect(g, timed_out ? arena_print(g->c->root.arena, "%s/within", base) : base);
		if (answered && !named_anywhere(choices, "status"))
			expect_status_default(&g->j);
		if (g->judged->strict_framing && !named_anywhere(choices, "framing"))
			expect_framing_default(&g->j);
	} else if (g->judged->process && !named_anywhere(choices, "exit")) {
		if (g->judged->refused)
			judge_refusal(g);
		else
			expect_exit_default(&g->j);
	}
	collect(g, expect);
	return answered;
}

bool judge(struct case_run *c, const struct walk_step *at, struct scope *scope,
	const struct judged *judged)
{
	struct world world = { c, scope, at->step };
	struct judge_world access = { &world, named, path };
	struct judging g = { .c = c, .at = at, .judged = judged, .holds = true };
	struct group_choices choices;
	struct err err = { 0 };
	judgement_init(&g.j, c->root.arena, &access);
	g.j.exchange = judged->exchange;
	g.j.process = judged->process;
	g.j.measures = judged->measures;
	g.j.document = judged->document;
	g.j.measured = step_subject(at->step);
	enum rc rc = groups_choose(scope, at->step->expect, &choices, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	if (choices.conditional && !choices.covered) {
		judge_step_problem(c, at, RC_LIMIT,
			"no `when` matches this cell, so that nothing is expected of it");
		return false;
	}
	if (!judged->again && !judge_implied(&g, &choices))
		return false;
	struct scope *inner = quantities(scope, judged);
	for (size_t i = 0; i < choices.count; i++)
		if (choices.list[i].applies)
			judge_group(&g, inner, choices.list[i].group);
	return g.holds;
}

bool judge_group_of(struct case_run *c, const struct walk_step *at, struct scope *scope,
	const struct judged *judged, const cJSON *group)
{
	struct world world = { c, scope, at->step };
	struct judge_world access = { &world, named, path };
	struct judging g = { .c = c, .at = at, .judged = judged, .holds = true };
	judgement_init(&g.j, c->root.arena, &access);
	g.j.exchange = judged->exchange;
	bool answered = expect_answer(&g.j);
	collect(&g, at->step->place.pointer);
	if (answered)
		judge_group(&g, quantities(scope, judged), group);
	return answered && g.holds;
}
