/*
 * length: whether a length of time in a plan is one that can be meant.
 */
#ifndef LOAD_LENGTH_H
#define LOAD_LENGTH_H

#include <stdint.h>

#include "base/err.h"

/* least_ns to a century, far above what anybody means and far below what overflows; RC_USAGE names it by `what`. */
enum rc length_check(
	const char *what, int64_t length_ns, int64_t least_ns, struct err *err) MUST_USE;

#endif
