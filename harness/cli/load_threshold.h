/*
 * load_threshold: what a load must keep to: a number, an operator and a bound, "response.p99 <= 20ms".
 *
 *	rc = load_threshold_parse("errors <= 1%", LOAD_CLOSED, &threshold, &err);
 *	struct load_verdict verdict = load_threshold_judge(&threshold, result, decoded, &reasons);
 */
#ifndef CLI_LOAD_THRESHOLD_H
#define CLI_LOAD_THRESHOLD_H

#include "cli/threshold.h"
#include "measure/load_number.h"
#include "measure/load_validity.h"

struct load_threshold {
	const char *text; /* as written */
	struct load_number number;
	struct comparison comparison;
};

/* RC_USAGE: no such number, another unit, or one that the model can't have. `text` must live as long. */
enum rc load_threshold_parse(const char *text, enum load_model model,
	struct load_threshold *threshold, struct err *err) MUST_USE;

/* What the reasons leave no verdict of is LOAD_INVALID whichever way it would have gone. */
struct load_verdict load_threshold_judge(const struct load_threshold *threshold,
	const struct load_result *result, bool decoded, const struct load_reasons *reasons);

#endif
