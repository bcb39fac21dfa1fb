/*
 * capture: parts of an answer that later steps use by name.
 */
#ifndef DRIVE_CAPTURE_H
#define DRIVE_CAPTURE_H

#include "drive/case_run.h"

/*
 * Binds every capture of the step into at->names. Anything but exactly one result is an error: RC_INVALID, err says
 * which capture and why.
 */
enum rc capture_all(const struct walk_step *at, struct scope *scope,
	const struct exchange *exchange, struct err *err) MUST_USE;

#endif
