/*
 * quantities: what a step itself measures, as variables of its own comparisons: ${bytes.decoded}, ${idle.p99}.
 */
#ifndef CASE_QUANTITIES_H
#define CASE_QUANTITIES_H

#include "case/scope.h"
#include "expect/expect.h"
#include "model/case.h"

/* Declares them without values, so that paths into them are taken. */
void quantities_declare(struct scope *scope, const struct step *step);

/* Binds those for which value gives a text. */
void quantities_bind(struct scope *scope, const struct step *step,
	const char *(*value)(void *self, const struct expectation *row), void *self);

#endif
