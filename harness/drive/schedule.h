/*
 * schedule: how long a `load` step takes, and by which rule its requests are due: users who wait for their answers, a
 * rate, stages of either, bursts. case/check_steps.c has seen to it that they go together.
 */
#ifndef DRIVE_SCHEDULE_H
#define DRIVE_SCHEDULE_H

#include "drive/case_run.h"
#include "http/load.h"

/* Fills in the plan's model, users or arrival, max_in_flight and lengths. Of root.arena; RC_USAGE with err.text set. */
enum rc schedule_read(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct load_plan *plan, struct err *err) MUST_USE;

#endif
