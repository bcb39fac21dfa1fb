/*
 * load_schedule: by which rule requests are due, from the words of the command line: users who wait for their answers, a
 * rate, stages of either, bursts. Ramp and lengths stand in the plan already.
 *
 *	rc = load_schedule_read(&options->load, arena, &plan, &shape, &err);
 */
#ifndef CLI_LOAD_SCHEDULE_H
#define CLI_LOAD_SCHEDULE_H

#include "cli/options.h"
#include "http/load.h"

/*
 * Fills in model, users or arrival, max_in_flight, and of stages the lengths, which are theirs: their sum less the
 * warm-up is measured, and there is no tail. *shape is for people: "closed loop, 10 users". RC_USAGE, with the option as
 * err's `where`.
 */
enum rc load_schedule_read(const struct load_words *words, struct arena *arena,
	struct load_plan *plan, const char **shape, struct err *err) MUST_USE;

#endif
