#include <string.h>

#include "drive/spec.h"
#include "drive/steps.h"

/* Starts the SUT with the settings of one key and waits for its end, or until it is ready. */
static enum rc start(struct case_run *c, const struct walk_step *at, const char *key,
	int64_t within, struct process_end *end, struct err *err)
{
	struct spec_set set;
	const char *dir = arena_print(c->root.arena, "%s/%s-%u", c->dir, key, ++c->starts);
	/* As they are written: spec_build resolves them, and what a variable has brought is not scanned again. */
	enum rc rc = spec_build(
		c, at->step->to, json_get(at->step->node, key), dir, 0, at->scope, &set, err);
	if (rc == RC_OK)
		rc = sut_run(c->run->host, &set.list[set.count - 1], slice_from(NULL, 0), within,
			end, c->root.arena, err);
	spec_release(&set);
	return rc;
}

static const char *how_it_ended(struct case_run *c, const struct process_end *end)
{
	if (end->timed_out)
		return "it neither became ready nor ended";
	if (end->signal || end->oom)
		return process_end_words(end, c->root.arena);
	return arena_print(c->root.arena, "exit status %d: %.200s", end->exit,
		arena_slice(c->root.arena, slice_part(end->err, 0, 200)));
}

/* Settings that differ only in what is refused must start, or the refusal proves nothing. */
static bool control_starts(struct case_run *c, const struct walk_step *at, int64_t within)
{
	struct process_end end = { 0 };
	struct err err = { 0 };
	if (!json_get(at->step->node, "control"))
		return true;
	enum rc rc = start(c, at, "control", within, &end, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	c->tally.checks++;
	if (end.answered)
		return true;
	struct judged judged = { .request = "refuses", .details = "" };
	judge_step_finding(c, at, "/control", &judged, "control",
		"the SUT to start with these settings", how_it_ended(c, &end));
	return false;
}

bool step_refuses(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct err err = { 0 };
	struct process_end end = { 0 };
	int64_t within;
	enum rc rc = steps_within(c, at, scope, 10 * NS_PER_S, &within, &err);
	if (rc == RC_OK)
		rc = start(c, at, "refuses", within, &end, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	struct judged judged = { .process = &end,
		.request = "refuses",
		.details = at->cell.label,
		.within_ns = within,
		.refused = true };
	c->tally.checks++;
	if (end.answered || end.timed_out) {
		judge_step_finding(c, at, "/refuses", &judged, "start",
			"the SUT to refuse these settings",
			end.answered ? "it started and became ready" : how_it_ended(c, &end));
		return false;
	}
	bool holds = judge(c, at, scope, &judged);
	if (end.sanitizer) {
		judge_step_finding(
			c, at, "/refuses", &judged, "sanitizer", "no report", end.sanitizer);
		holds = false;
	}
	return control_starts(c, at, within) && holds;
}
