/*
 * expand: every request of every cell of a case, as `onus lint --expand` prints it. What only an answer can bring stays
 * as it is written.
 */
#ifndef CASE_EXPAND_H
#define CASE_EXPAND_H

#include <stdio.h>

#include "model/case.h"

enum rc expand_case(const struct case_file *one, const struct suite *suite, uint64_t seed,
	FILE *out, struct err *err) MUST_USE;

#endif
