/*
 * sweep: every operation is called in turn: does one of them fail by 5xx, or, in the `while` of a probe, hold up others?
 */
#ifndef DRIVE_SWEEP_H
#define DRIVE_SWEEP_H

#include "drive/operation_call.h"

/* How many operations were answered with 2xx. sweep is the step's, resolved. Findings and checks are in the tally. */
size_t sweep_walk(const struct operation_caller *caller, const struct operations *operations,
	const cJSON *sweep);

#endif
