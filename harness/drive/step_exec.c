#include <string.h>

#include "case/option.h"
#include "drive/spec.h"
#include "drive/steps.h"
#include "drive/wait.h"

/* The command as one line, for findings. */
static const char *line_of(struct case_run *c, const char *const *argv)
{
	const char *line = "";
	for (; *argv && strlen(line) < 200; argv++)
		line = arena_print(c->root.arena, "%s%s%s", line, line[0] ? " " : "", *argv);
	return line;
}

static const char *keep_text(struct arena *arena, const char *text)
{
	return text ? arena_text(arena, text) : NULL;
}

/* Other lists of a `parallel` have their turn meanwhile, so that it has an arena of its own until it has ended. */
static enum rc run_aside(struct case_run *c, const struct process_spec *spec, struct slice in,
	int64_t within_ns, struct process_end *end, struct err *err)
{
	struct arena *arena = arena_new(), *kept = c->root.arena;
	wait_aside(c);
	enum rc rc = sut_run(c->run->host, spec, in, within_ns, end, arena, err);
	wait_back(c);
	end->out = slice_from(arena_slice(kept, end->out), end->out.len);
	end->err = slice_from(arena_slice(kept, end->err), end->err.len);
	end->dropped = keep_text(kept, end->dropped);
	end->sanitizer = keep_text(kept, end->sanitizer);
	arena_free(arena);
	return rc;
}

bool step_exec(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	cJSON *command, *env, *input = NULL;
	struct err err = { 0 };
	struct process_spec spec = { .name = "exec", .stop_within_ns = NS_PER_S };
	struct process_end end = { 0 };
	int64_t within;
	enum rc rc = option_get(scope, at->step, "exec", &command, &err);
	if (rc == RC_OK)
		rc = option_get(scope, at->step, "env", &env, &err);
	if (rc == RC_OK)
		rc = option_get(scope, at->step, "input", &input, &err);
	if (rc == RC_OK)
		rc = steps_within(c, at, scope, 10 * NS_PER_S, &within, &err);
	if (rc == RC_OK) {
		spec.argv = spec_words(c->root.arena, command);
		spec.env = spec_environment(c->root.arena, env, NULL, NULL);
		struct slice in = input ? slice_of(input->valuestring) : slice_from(NULL, 0);
		rc = run_aside(c, &spec, in, within, &end, &err);
	}
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	struct judged judged = { .process = &end,
		.request = "exec",
		.details = line_of(c, spec.argv),
		.within_ns = within };
	if (end.timed_out) {
		judge_step_finding(c, at, "/within", &judged, "within",
			arena_print(c->root.arena, "to end within %lld ms",
				(long long)(within / NS_PER_MS)),
			"it was still running");
		return false;
	}
	return judge(c, at, scope, &judged);
}
