#include "drive/case_run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/words.h"
#include "case/frames.h"
#include "drive/files.h"
#include "drive/require.h"
#include "drive/spec.h"
#include "drive/session.h"
#include "drive/steps.h"
#include "drive/suts.h"

enum { FOLDER_NAME_BYTES = 200, FOLDER_TRIES = 1000 };

struct running *case_run_sut(struct case_run *c, const struct step *step)
{
	/* The suite's sign-in steps speak to the SUT of the step that needs them. */
	const char *to = c->signing ? c->signing->to : step->to;
	for (size_t i = 0; i < c->sut_count; i++) {
		const char *variant = c->suts[i].variant;
		if (!variant || (to && strcmp(variant, to) == 0))
			return &c->suts[i];
	}
	return NULL;
}

struct scope *case_run_scope(struct case_run *c, const struct walk_step *at)
{
	const struct running *sut = case_run_sut(c, at->step);
	struct scope *scope = sut ? scope_graft(at->scope, sut->frame) : scope_push(at->scope);
	const struct session_user *user = session_of(c, at->step);
	if (user) {
		scope = scope_push(scope);
		scope_bind(scope, "session", user->captured, BINDING_RECEIVED);
	}
	return scope;
}

struct client *case_run_client(struct case_run *c, const struct step *step)
{
	const struct running *sut = case_run_sut(c, step);
	for (struct client_of *have = c->clients; have; have = have->next)
		if (have->sut == sut && words_same(have->as, step->as) && have->client)
			return have->client;
	struct client_of *new = arena_alloc(c->cell_arena, 1, sizeof *new);
	*new = (struct client_of){ c->clients, sut, step->as,
		client_new(c->engine, &sut->address) };
	c->clients = new;
	return new->client;
}

void case_run_forget_clients(struct case_run *c, const struct running *sut)
{
	for (struct client_of *have = c->clients; have; have = have->next) {
		if (sut && have->sut != sut)
			continue;
		client_free(have->client);
		have->client = NULL;
	}
}

void case_run_interrupted(struct case_run *c, struct place place)
{
	if (!c->interrupted)
		tally_problem(&c->tally, PROBLEM_ENVIRONMENT, place, "interrupted");
	c->interrupted = true;
}

const char *case_run_again(struct case_run *c, struct cell_text cell)
{
	struct arena *arena = c->root.arena;
	return arena_print(arena, "onus run %s%s%s%s%s", cell_quote(arena, c->one->path),
		cell.options, c->fault ? " --fault " : "", c->fault ? c->fault : "", c->run->again);
}

static struct place top_of(const struct case_run *c)
{
	return json_place(c->one->json, json_root(c->one->json));
}

struct engine *case_run_engine(struct case_run *c)
{
	struct err err = { 0 };
	struct engine *engine = engine_new();
	enum rc rc = engine ? RC_OK : err_errno(&err, RC_ENVIRONMENT, "", "epoll");
	if (rc == RC_OK && c->run->stop_fd >= 0)
		rc = engine_interrupt(engine, c->run->stop_fd, &err);
	if (rc == RC_OK)
		return engine;
	tally_problem(&c->tally, PROBLEM_ENVIRONMENT, top_of(c), "%s", err.text);
	engine_free(engine);
	return NULL;
}

static void run_steps(struct case_run *c, struct scope *scope)
{
	const struct run *run = c->run;
	const struct walker walker = { c, steps_visit, steps_broken, run->filters,
		run->filter_count };
	size_t before = c->tally.cells;
	/* How it ended is in the tally. */
	(void)!walk_steps(&walker, c->one->steps, c->one->step_count, scope, c->cell);
	if (c->tally.cells == before)
		c->tally.cells++;
}

/* Every cell has its own scopes, connections, SUTs and memory. */
static void run_cell(struct case_run *c, const struct cell *cell)
{
	struct run *run = c->run;
	struct arena *outer = scope_begin(&c->root);
	c->cell_arena = c->root.arena;
	c->cell = cell_text(c->cell_arena, cell_text_none, cell);
	c->named = NULL;
	c->engine = case_run_engine(c);
	c->clients = NULL;
	c->users = NULL;
	c->stream = NULL;
	struct scope *scope =
		scope_push(frames_outer(&c->root, run->suite, c->one, run->seed, false));
	cell_bind(scope, cell);
	if (c->engine) {
		alone_enter(&run->alone, false);
		bool started = suts_start(c, scope);
		alone_leave(&run->alone, false);
		if (started && session_sign_in(c, scope))
			run_steps(c, scope);
		alone_enter(&run->alone, false);
		suts_stop(c);
		alone_leave(&run->alone, false);
	}
	engine_free(c->engine);
	scope_end(&c->root, outer);
}

static void run_cells(struct case_run *c)
{
	struct cells cells;
	struct err err = { 0 };
	struct arena *outer = scope_begin(&c->root);
	struct scope *scope = frames_outer(&c->root, c->run->suite, c->one, c->run->seed, false);
	if (cells_expand(scope, c->one->matrix, &cells, &err) != RC_OK) {
		tally_problem(&c->tally, PROBLEM_USAGE, json_place(c->one->json, c->one->matrix),
			"%s", err.text);
		cells.count = 0;
	}
	for (size_t i = 0; i < cells.count; i++) {
		if (!cell_wanted(&cells.list[i], c->run->filters, c->run->filter_count))
			continue;
		if (*c->run->stop) {
			case_run_interrupted(c, top_of(c));
			break;
		}
		run_cell(c, &cells.list[i]);
	}
	scope_end(&c->root, outer);
}

static void check_floor(struct case_run *c, const char *name, size_t found)
{
	const cJSON *floor = json_get(c->one->floor, name);
	/* "cells", of which one is a cell. */
	int letters = (int)strlen(name) - (floor && floor->valuedouble == 1);
	if (floor && (double)found < floor->valuedouble)
		tally_problem(&c->tally, PROBLEM_FLOOR, json_place(c->one->json, floor),
			"expected at least %.0f %.*s, found %zu", floor->valuedouble, letters, name,
			found);
}

static bool has_finding(const struct case_run *c, const char *pointer)
{
	for (size_t i = 0; i < c->tally.finding_count; i++)
		if (strcmp(c->tally.findings[i].place.pointer, pointer) == 0)
			return true;
	return false;
}

static bool is_due(const struct case_run *c, const char *pointer)
{
	for (size_t i = 0; i < c->one->must_fail_count; i++)
		if (strcmp(c->one->must_fail[i], pointer) == 0)
			return true;
	return false;
}

/* A self-test passes with exactly the findings that must appear: they are taken out, a missing one is put in. */
static void judge_must_fail(struct case_run *c)
{
	size_t kept = 0, found = c->tally.finding_count;
	const char **missing = arena_alloc(c->arena, c->one->must_fail_count, sizeof *missing);
	size_t missing_count = 0;
	/* With --cell only some of them can appear. */
	for (size_t i = 0; !c->run->filter_count && i < c->one->must_fail_count; i++)
		if (!has_finding(c, c->one->must_fail[i]))
			missing[missing_count++] = c->one->must_fail[i];
	for (size_t i = 0; i < found; i++)
		if (!is_due(c, c->tally.findings[i].place.pointer))
			c->tally.findings[kept++] = c->tally.findings[i];
	c->tally.finding_count = kept;
	for (size_t i = 0; i < missing_count; i++)
		tally_finding(&c->tally, missing[i],
			&(struct finding){ .request = "must_fail",
				.details = "",
				.what = missing[i],
				.expected = "a finding",
				.found = "none",
				.cell = "",
				.again = arena_print(
					c->arena, "onus run %s%s", c->one->path, c->run->again) });
}

static enum outcome outcome_of(const struct tally *tally)
{
	if (tally->problem_count)
		return OUTCOME_ERROR;
	return tally->finding_count ? OUTCOME_FAILED : OUTCOME_PASSED;
}

/* What ran is judged as a whole: nothing that was looked at is no success. */
static void conclude(struct case_run *c, struct case_result *result)
{
	if (c->one->must_fail_count && !c->tally.problem_count)
		judge_must_fail(c);
	bool sound = !c->tally.finding_count && !c->tally.problem_count;
	bool filtered = c->run->filter_count && !c->tally.cells && sound;
	if (sound && !filtered) {
		if (!c->tally.checks)
			tally_problem(&c->tally, PROBLEM_FLOOR, top_of(c),
				"no check was made: this case cannot fail");
		if (!c->run->filter_count) {
			check_floor(c, "cells", c->tally.cells);
			check_floor(c, "checks", c->tally.checks);
			check_floor(c, "requests", c->tally.requests);
			check_floor(c, "events", c->tally.events);
			check_floor(c, "routes", c->tally.routes);
		}
	}
	result->outcome = filtered ? OUTCOME_SKIPPED : outcome_of(&c->tally);
	result->skip_reason = filtered ? "none of its cells is wanted by --cell" : NULL;
	result->cells = c->tally.cells;
	result->checks = c->tally.checks;
	result->requests = c->tally.requests;
	result->findings = c->tally.findings;
	result->finding_count = c->tally.finding_count;
	result->figures = c->tally.figures;
	result->figure_count = c->tally.figure_count;
	result->charts = c->tally.charts;
	result->chart_count = c->tally.chart_count;
	result->problems = c->tally.problems;
	result->problem_count = c->tally.problem_count;
}

/*
 * A folder of the case's own in the run directory. What is there already, of another run or of a case whose id looks the
 * same without slashes, is left alone.
 */
static enum rc make_folder(struct case_run *c, const struct job *job, struct err *err)
{
	char *name = arena_print(
		c->arena, "%.*s", (int)FOLDER_NAME_BYTES, job->folder ? job->folder : c->one->id);
	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '-';
	enum rc rc = spec_folder(c->run->run_dir, err);
	for (unsigned i = 1; rc == RC_OK && !c->dir; i++) {
		const char *dir = arena_print(
			c->arena, i > 1 ? "%s/%s-%u" : "%s/%s", c->run->run_dir, name, i);
		if (mkdir(dir, 0777) == 0)
			c->dir = dir;
		else if (errno != EEXIST || i == FOLDER_TRIES)
			rc = err_errno(err, RC_ENVIRONMENT, dir, "cannot be made");
	}
	return rc;
}

static void run_all(struct case_run *c, struct job *job)
{
	struct case_result *result = &job->result;
	struct err err = { 0 };
	const char *reason;
	enum rc rc = require_check(c->run, c->one, c->arena, &reason, &err);
	if (rc == RC_OK && reason) {
		result->outcome = OUTCOME_SKIPPED;
		result->skip_reason = reason;
		return;
	}
	if (rc == RC_OK)
		rc = make_folder(c, job, &err);
	if (rc == RC_OK)
		run_cells(c);
	else
		tally_problem(&c->tally, PROBLEM_ENVIRONMENT, top_of(c), "%s%s%s", err.where,
			err.where[0] ? ": " : "", err.text);
	conclude(c, result);
}

/* Two cases may speak to one SUT (--target), so that each has texts of its own. */
static const char *unique_start(struct case_run *c)
{
	struct rng rng;
	rng_init(&rng, c->run->seed, arena_print(c->arena, "unique %s", c->one->id));
	return arena_print(c->arena, "u%08llx", (unsigned long long)rng_next(&rng) >> 32);
}

void case_run(struct run *run, struct job *job)
{
	struct case_run c = { .run = run,
		.one = job->one,
		.fault = job->fault,
		.arena = job->arena,
		.deadline_ns = CLOCK_NEVER };
	int64_t start = clock_now_ns();
	c.root = (struct scope_root){
		.arena = c.arena, .lasting = c.arena, .rng = &c.rng, .unique = unique_start(&c)
	};
	c.tally = (struct tally){
		.arena = c.arena, .one = c.one, .sessions = run->suite->json, .root = &c.root
	};
	rng_init(&c.rng, run->seed, c.one->id);
	struct case_result *result = &job->result;
	*result = (struct case_result){
		.id = c.one->id, .file = c.one->path, .title = c.one->title, .why = c.one->why
	};
	run_all(&c, job);
	result->duration_ns = clock_now_ns() - start;
	bool bad = result->outcome == OUTCOME_FAILED || result->outcome == OUTCOME_ERROR;
	if (bad)
		result->output = c.output;
	if (run->keep || bad)
		result->run_dir = c.dir;
	else if (c.dir)
		files_remove(c.dir);
}
