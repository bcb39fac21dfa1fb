/*
 * require: what a case needs of the machine, and why it cannot run here.
 */
#ifndef DRIVE_REQUIRE_H
#define DRIVE_REQUIRE_H

#include "drive/run.h"

/* NULL where the case can run; else the reason to skip it, of the arena. RC_ENVIRONMENT: it could not be found out. */
enum rc require_check(const struct run *run, const struct case_file *one, struct arena *arena,
	const char **reason, struct err *err) MUST_USE;

/*
 * Does a version fulfil ">= 2.4", "< 3", "= 1.22.1"? Numbers between dots are compared one after another, so that 2.10 is
 * above 2.9; what is missing counts as 0.
 */
bool require_version(const char *wanted, const char *found);

#endif
