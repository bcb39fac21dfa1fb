/*
 * hold_number: what a threshold may name of held streams, and thresholds: "streams.held >= 9000", "streams.memory_each <= 24KiB".
 * The numbers themselves are measures (model/measure.h): one that was not taken is absent, never zero.
 */
#ifndef CLI_HOLD_NUMBER_H
#define CLI_HOLD_NUMBER_H

#include "base/units.h"
#include "cli/threshold.h"
#include "model/measure.h"

/* To add one: a row in hold_number.c, and what fills it in hold_found.c or model/cost.c. */
struct hold_number {
	const char *name;
	enum unit unit;
	const char *help;
};
/* NULL behind the last row. */
const struct hold_number *hold_number_at(size_t index);

struct hold_threshold {
	const char *text; /* as written */
	const char *name;
	struct comparison comparison;
};

/* RC_USAGE: no such number, or another unit. `text` must live as long. */
enum rc hold_threshold_parse(
	const char *text, struct hold_threshold *threshold, struct err *err) MUST_USE;
/* LOAD_INVALID where the number is absent. */
struct load_verdict hold_threshold_judge(
	const struct hold_threshold *threshold, const struct measures *measures);

#endif
