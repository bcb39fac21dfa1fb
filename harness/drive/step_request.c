#include "drive/outgoing_request.h"
#include "drive/steps.h"

bool step_request(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct err err = { 0 };
	struct request request;
	const char *details;
	enum rc rc = outgoing_request(c, at->step, scope, &request, &details, &err);
	if (rc == RC_OK)
		return steps_exchange(c, at, scope, &request, details);
	judge_step_problem(c, at, rc, err.text);
	return false;
}
