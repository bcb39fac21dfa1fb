#include "drive/case_run.h"

#include <stdlib.h>
#include <string.h>

#include "case/frames.h"
#include "drive/files.h"
#include "drive/require.h"
#include "drive/spec.h"
#include "drive/steps.h"
#include "drive/suts.h"

struct running *case_run_sut(struct case_run *c, const struct step *step)
{
	for (size_t i = 0; i < c->sut_count; i++)
		if (!c->suts[i].variant || strcmp(c->suts[i].variant, step->to) == 0)
			return &c->suts[i];
	BUG("%s:%d: a step without its SUT", step->place.file, step->place.line);
}

struct scope *case_run_scope(struct case_run *c, const struct walk_step *at)
{
	struct scope *scope = scope_push(at->scope);
	if (c->sut_count)
		scope->bindings = case_run_sut(c, at->step)->frame->bindings;
	return scope;
}

const char *case_run_again(struct case_run *c, struct cell_text cell)
{
	struct arena *arena = c->cell_arena;
	return arena_print(arena, "onus run %s%s%s%s%s", cell_quote(arena, c->one->path),
		cell.options, c->fault ? " --fault " : "", c->fault ? c->fault : "", c->run->again);
}

/* Every cell has its own scopes, connections, SUTs and memory. */
static void run_cell(struct case_run *c, const struct cell *cell)
{
	struct run *run = c->run;
	c->cell_arena = c->root.arena = arena_new();
	c->cell = cell_text(c->cell_arena, cell_text_none, cell);
	c->engine = engine_new();
	c->named = NULL;
	struct scope *scope =
		scope_push(frames_outer(&c->root, run->suite, c->one, run->seed, false));
	cell_bind(scope, cell);
	alone_enter(&run->alone, false);
	bool started = suts_start(c, scope);
	alone_leave(&run->alone, false);
	if (started) {
		struct walker walker = { c, steps_visit, steps_broken, run->filters,
			run->filter_count };
		size_t before = c->tally.cells;
		if (walk_steps(&walker, c->one->steps, c->one->step_count, scope, c->cell) ==
				RC_OK &&
			c->tally.cells == before)
			c->tally.cells++;
	}
	alone_enter(&run->alone, false);
	suts_stop(c);
	alone_leave(&run->alone, false);
	engine_free(c->engine);
	arena_free(c->cell_arena);
	c->root.secrets = NULL;
	c->root.secret_count = 0;
}

static struct place top_of(const struct case_run *c)
{
	return json_place(c->one->json, json_root(c->one->json));
}

static void run_cells(struct case_run *c)
{
	struct cells cells;
	struct err err = { 0 };
	struct arena *arena = arena_new();
	struct scope_root root = { .arena = arena, .rng = &c->rng, .unique = "" };
	struct scope *scope = frames_outer(&root, c->run->suite, c->one, c->run->seed, false);
	if (cells_expand(scope, c->one->matrix, &cells, &err) != RC_OK) {
		tally_problem(&c->tally, PROBLEM_USAGE, json_place(c->one->json, c->one->matrix),
			"%s", err.text);
		cells.count = 0;
	}
	for (size_t i = 0; i < cells.count; i++)
		if (cell_wanted(&cells.list[i], c->run->filters, c->run->filter_count))
			run_cell(c, &cells.list[i]);
	arena_free(arena);
}

static void check_floor(struct case_run *c, const char *name, size_t found)
{
	const cJSON *floor = json_get(c->one->floor, name);
	if (floor && (double)found < floor->valuedouble)
		tally_problem(&c->tally, PROBLEM_FLOOR, json_place(c->one->json, floor),
			"expected at least %.0f %s, found %zu", floor->valuedouble, name, found);
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
	for (size_t i = 0; i < c->one->must_fail_count; i++)
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
	bool filtered = c->run->filter_count && !c->tally.cells;
	if (!c->tally.finding_count && !c->tally.problem_count && !filtered) {
		if (!c->tally.checks)
			tally_problem(&c->tally, PROBLEM_FLOOR, top_of(c),
				"no check was made: this case cannot fail");
		if (!c->run->filter_count) {
			check_floor(c, "cells", c->tally.cells);
			check_floor(c, "checks", c->tally.checks);
			check_floor(c, "requests", c->tally.requests);
		}
	}
	result->outcome = filtered ? OUTCOME_SKIPPED : outcome_of(&c->tally);
	result->skip_reason = filtered ? "none of its cells is wanted by --cell" : NULL;
	result->cells = c->tally.cells;
	result->checks = c->tally.checks;
	result->requests = c->tally.requests;
	result->findings = c->tally.findings;
	result->finding_count = c->tally.finding_count;
	result->problems = c->tally.problems;
	result->problem_count = c->tally.problem_count;
}

static const char *folder_of(struct case_run *c, const struct job *job)
{
	char *name = arena_text(c->arena, job->folder ? job->folder : c->one->id);
	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '-';
	return arena_print(c->arena, "%s/%s", c->run->run_dir, name);
}

static void run_all(struct case_run *c, struct job *job)
{
	struct case_result *result = &job->result;
	struct err err = { 0 };
	const char *reason;
	enum rc rc = require_check(c->run, c->one, c->arena, &reason, &err);
	if (rc == RC_OK && !reason)
		rc = spec_folder(c->dir, &err);
	if (rc != RC_OK) {
		tally_problem(&c->tally, PROBLEM_ENVIRONMENT, top_of(c), "%s%s%s", err.where,
			err.where[0] ? ": " : "", err.text);
	} else if (reason) {
		result->outcome = OUTCOME_SKIPPED;
		result->skip_reason = reason;
		return;
	} else {
		run_cells(c);
	}
	conclude(c, result);
}

void case_run(struct run *run, struct job *job)
{
	struct case_run c = { .run = run,
		.one = job->one,
		.fault = job->fault,
		.arena = job->arena,
		.deadline_ns = CLOCK_NEVER };
	int64_t start = clock_now_ns();
	c.dir = folder_of(&c, job);
	c.root = (struct scope_root){ .rng = &c.rng,
		.unique = arena_print(c.arena, "u%llx", (unsigned long long)run->seed) };
	c.tally = (struct tally){ .arena = c.arena,
		.one = c.one,
		.secrets = &c.root.secrets,
		.secret_count = &c.root.secret_count };
	rng_init(&c.rng, run->seed, c.one->id);
	job->result =
		(struct case_result){ .id = c.one->id, .file = c.one->path, .title = c.one->title };
	run_all(&c, job);
	job->result.duration_ns = clock_now_ns() - start;
	if (job->result.outcome == OUTCOME_FAILED || job->result.outcome == OUTCOME_ERROR)
		job->result.output = c.output;
	if (run->keep || job->result.outcome == OUTCOME_FAILED ||
		job->result.outcome == OUTCOME_ERROR)
		job->result.run_dir = c.dir;
	else
		files_remove(c.dir);
}
