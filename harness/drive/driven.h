/*
 * driven: what a `load` step asks for, with all variables in their places, as a plan of http/load.h. It runs nothing.
 *
 *	struct driven driven;
 *	rc = driven_read(c, at, scope, &driven, &err);
 *	load_run(&driven.plan, &result, &err);
 */
#ifndef DRIVE_DRIVEN_H
#define DRIVE_DRIVEN_H

#include "drive/case_run.h"
#include "http/load.h"

struct driven {
	struct load_plan plan;
	struct load_request *requests; /* the plan's, one for each of the step's inner */
	const char *label;             /* for people: "load of POST /api/jmap" */
	const char *details;           /* header fields of the only request, or "" */
};

/* Of root.arena. RC_USAGE with err.text set. */
enum rc driven_read(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct driven *driven, struct err *err) MUST_USE;

#endif
