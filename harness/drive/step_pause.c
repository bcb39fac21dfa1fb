#include "base/units.h"
#include "case/option.h"
#include "drive/steps.h"

static bool stopped(void *self)
{
	const struct case_run *c = self;
	return *c->run->stop;
}

bool step_pause(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	int64_t pause_ns;
	struct err err = { 0 };
	enum rc rc = option_duration(scope, at->step, "pause", 0, &pause_ns, &err);
	if (rc == RC_OK)
		rc = engine_run(c->engine, stopped, c, clock_now_ns() + pause_ns);
	if (rc == RC_TIMEOUT || rc == RC_OK)
		return true;
	judge_step_problem(c, at, rc, err.text);
	return false;
}
