/*
 * steps_measure: the forms of the verbs that measure; rows of steps.c's table.
 */
#ifndef CASE_STEPS_MEASURE_H
#define CASE_STEPS_MEASURE_H

#include "base/shape.h"

extern const struct shape probe_step_shape, openapi_step_shape, load_step_shape, hold_step_shape;

#endif
