#include <string.h>

#include "base/words.h"
#include "cli/outputs.h"
#include "cli/session.h"
#include "http/client.h"

struct running_report {
	struct outputs *outputs;
	struct run_result result;
};

static void free_arena(void *arena)
{
	arena_free(arena);
}

static void on_done(void *self, const struct job *job)
{
	struct running_report *r = self;
	arena_defer(r->result.arena, free_arena, job->arena);
	struct case_result *one = &r->result.cases[r->result.case_count++];
	*one = job->result;
	outputs_case(r->outputs, &r->result, one);
}

/* A fault that the SUT does not have would be green for nothing. */
static int check_fault(struct session *s)
{
	const char **faults, *wanted = s->options->fault;
	size_t count;
	if (!wanted)
		return EXIT_HELD;
	if (!s->suite->faults) {
		fputs("onus: --fault: the suite says nothing of faults\n", stderr);
		return EXIT_USAGE;
	}
	int code = session_faults(s, &faults, &count);
	if (code != EXIT_HELD)
		return code;
	for (size_t i = 0; i < count; i++)
		if (strcmp(faults[i], wanted) == 0)
			return EXIT_HELD;
	const char *nearest = words_nearest(wanted, faults, count);
	fprintf(stderr, "onus: --fault: unknown fault \"%s\"%s%s%s\n", wanted,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "; `onus list faults` names them");
	return EXIT_USAGE;
}

static void fill_result(struct session *s, struct run_result *result)
{
	char started[32];
	clock_wall(started, sizeof started);
	*result = (struct run_result){ .arena = arena_new(),
		.version = ONUS_VERSION,
		.libcurl = http_libcurl_version(),
		.command = s->options->command_line,
		.fault = s->options->fault,
		.run_dir = s->run.run_dir,
		.seed = s->run.seed };
	result->libraries = http_versions(result->arena);
	result->started = arena_text(result->arena, started);
	result->cases = arena_alloc(result->arena, s->case_count, sizeof *result->cases);
	for (size_t i = 0; i < s->case_count; i++)
		result_plan(result, s->cases[i]->id);
}

/* Never green for nothing: too few cases, too many skips, a --cell that no matrix has. */
static void check_floors(struct session *s, struct run_result *result)
{
	const struct options *o = s->options;
	struct totals totals = result_totals(result);
	size_t ran = result->case_count - totals.skipped;
	if (!s->case_count)
		outputs_problem(result, PROBLEM_FLOOR, "%s", session_no_case(s));
	else if (ran < o->min && totals.skipped < result->case_count)
		outputs_problem(result, PROBLEM_FLOOR,
			"expected at least %u case%s to run, found %zu", o->min,
			o->min == 1 ? "" : "s", ran);
	if (totals.skipped > o->max_skips)
		outputs_problem(result, PROBLEM_FLOOR, "expected at most %u skip%s, found %zu",
			o->max_skips, o->max_skips == 1 ? "" : "s", totals.skipped);
	for (size_t i = 0; i < o->cells.count; i++)
		if (!s->cells_used[i])
			outputs_problem(result, PROBLEM_USAGE, "--cell: no matrix has the cell %s",
				o->cells.list[i]);
	if (*s->run.stop)
		outputs_problem(result, PROBLEM_ENVIRONMENT,
			"interrupted: this is what was found until then");
}

static int run_all(struct session *s)
{
	struct running_report r = { 0 };
	struct err err = { 0 };
	if (outputs_open(&s->options->reports, s->run.run_dir, s->options->verbose, s->arena,
		    &r.outputs, &err) != RC_OK) {
		err_print(err.where, &err);
		return EXIT_USAGE;
	}
	int64_t start = clock_now_ns();
	fill_result(s, &r.result);
	struct job *jobs = arena_alloc(s->arena, s->case_count, sizeof *jobs);
	for (size_t i = 0; i < s->case_count; i++)
		jobs[i] = (struct job){ .one = s->cases[i], .fault = s->options->fault };
	outputs_begin(r.outputs, &r.result);
	run_jobs(&s->run, jobs, s->case_count, on_done, &r);
	r.result.duration_ns = clock_now_ns() - start;
	check_floors(s, &r.result);
	outputs_end(r.outputs, &r.result);
	int code = result_exit(&r.result);
	arena_free(r.result.arena);
	return code;
}

static int run(const struct options *options)
{
	struct session session;
	int code = session_load(&session, options);
	if (code == EXIT_HELD)
		code = session_set_up(&session);
	if (code == EXIT_HELD)
		code = check_fault(&session);
	if (code == EXIT_HELD)
		code = run_all(&session);
	session_close(&session);
	return code;
}

const struct command cmd_run = {
	.name = "run",
	.operands = "[PATH…]",
	.help = "run contract cases (default: cases/)",
	.set = OPTIONS_RUN,
	.run = run,
	.manual =
		"Exit status: 0 every check held; 1 a contract is broken; 2 usage, or a case file is wrong;\n"
		"3 environment; 4 a floor was not met; 5 nothing can be said (a budget did not fit its window, a probe\n"
		"was sent too late); 77 everything was skipped.",
};
