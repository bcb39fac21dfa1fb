#include "base/units.h"
#include "case/option.h"
#include "drive/steps.h"
#include "drive/wait.h"

bool step_pause(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	int64_t pause_ns;
	struct err err = { 0 };
	enum rc rc = option_duration(scope, at->step, "pause", 0, &pause_ns, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	int64_t until_ns = clock_now_ns() + pause_ns;
	if (until_ns > c->deadline_ns)
		until_ns = c->deadline_ns;
	if (wait_pause(c, until_ns) == RC_TIMEOUT)
		return true;
	case_run_interrupted(c, at->step->place);
	return false;
}
