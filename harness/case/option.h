/*
 * option: an option of a step with its variables resolved and its form checked again.
 */
#ifndef CASE_OPTION_H
#define CASE_OPTION_H

#include "case/scope.h"
#include "model/case.h"

/* *value is NULL where the step has no such key; else of the root's arena. RC_USAGE with err.text set. */
enum rc option_get(struct scope *scope, const struct step *step, const char *key, cJSON **value,
	struct err *err) MUST_USE;

/* A duration, or `otherwise` where the key is absent. */
enum rc option_duration(struct scope *scope, const struct step *step, const char *key,
	int64_t otherwise_ns, int64_t *ns, struct err *err) MUST_USE;

/* A count, at most a billion, or `otherwise`. */
enum rc option_count(struct scope *scope, const struct step *step, const char *key,
	size_t otherwise, size_t *count, struct err *err) MUST_USE;

#endif
