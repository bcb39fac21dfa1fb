#include <stdlib.h>
#include <string.h>

#include "case/option.h"
#include "drive/spec.h"
#include "drive/steps.h"
#include "drive/upstream.h"

/* A suite that has a server of its own maps `stop` and `start` to commands. */
static enum rc run_command(struct case_run *c, const cJSON *command, struct err *err)
{
	struct process_end end = { 0 };
	struct process_spec spec = { .name = "upstream",
		.argv = spec_words(c->root.arena, command),
		.env = spec_environment(c->root.arena, NULL, NULL, NULL),
		.stop_within_ns = NS_PER_S };
	enum rc rc = sut_run(
		c->run->host, &spec, slice_from(NULL, 0), 120 * NS_PER_S, &end, c->root.arena, err);
	if (rc == RC_OK && (end.timed_out || end.exit != 0))
		return err_set(err, RC_ENVIRONMENT, "", "%s: exit status %d: %.*s", spec.argv[0],
			end.exit, SLICE_PRINT(slice_part(end.err, 0, 300)));
	return rc;
}

static enum rc tell(struct case_run *c, const cJSON *subject, struct err *err)
{
	if (cJSON_IsString(subject)) {
		const cJSON *command = json_get(c->run->suite->upstream, subject->valuestring);
		if (command)
			return run_command(c, command, err);
		return upstream_tell(
			c, arena_print(c->root.arena, "/%s", subject->valuestring), NULL, err);
	}
	char *knobs = json_print(json_get(subject, "set"));
	enum rc rc = upstream_tell(c, "/set", knobs, err);
	free(knobs);
	return rc;
}

bool step_upstream(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	cJSON *subject;
	struct err err = { 0 };
	c->sent_ns = clock_now_ns();
	enum rc rc = option_get(scope, at->step, "upstream", &subject, &err);
	if (rc == RC_OK)
		rc = tell(c, subject, &err);
	if (rc == RC_OK)
		return true;
	judge_step_problem(c, at, rc, err.text);
	return false;
}
