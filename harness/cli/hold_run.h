/*
 * hold_run: opens streams round by round, sees to it that each is alive, and looks at what they cost the SUT and onus.
 *
 *	struct hold_found found = { .job = &job, ... };
 *	if (hold_run(&found, host, each, self, &err) == RC_OK)
 *		hold_found_judge(&found);
 *	free(found.points);
 */
#ifndef CLI_HOLD_RUN_H
#define CLI_HOLD_RUN_H

#include "cli/hold_found.h"
#include "sut/sut.h"

/*
 * `each` is told every point as it is taken. host runs the trigger; NULL where there is none. RC_ENVIRONMENT, RC_USAGE: nothing
 * was sent: no such process, no memory cap to wait for, descriptors.
 */
enum rc hold_run(struct hold_found *found, struct sut_host *host,
	void (*each)(void *self, const struct hold_point *point), void *self,
	struct err *err) MUST_USE;

#endif
