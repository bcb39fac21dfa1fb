/*
 * steps_mail: the forms of the verbs that need an event stream, a budget or an upstream; rows of steps.c's table.
 */
#ifndef CASE_STEPS_MAIL_H
#define CASE_STEPS_MAIL_H

#include "base/shape.h"

extern const struct shape stream_step_shape, await_step_shape, quiet_step_shape, budget_step_shape,
	upstream_step_shape, journal_step_shape, parallel_step_shape, barrier_step_shape;

#endif
