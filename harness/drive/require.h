/*
 * require: what a case needs of the machine, and why it cannot run here.
 */
#ifndef DRIVE_REQUIRE_H
#define DRIVE_REQUIRE_H

#include "drive/run.h"

/* NULL where the case can run; else the reason to skip it, of the arena. RC_ENVIRONMENT: it could not be found out. */
enum rc require_check(const struct run *run, const struct case_file *one, struct arena *arena,
	const char **reason, struct err *err) MUST_USE;

#endif
