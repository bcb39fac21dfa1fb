/*
 * generate: values made from the run's seed, so that a case can say "40,000 ids, 33,000 of them distinct".
 *
 *	{ "generate": "range", "from": 1, "to": 100 }		 whole numbers, both ends included; "step"
 *	{ "generate": "pick", "from": [...], "count": N, "distinct": M, "order": "random"|"given" }
 *	{ "generate": "uuid", "count": N }			 version 4 (RFC 9562); without count one text
 *	{ "generate": "text", "length": N, "alphabet": "abc" }	 one text; with count a list
 */
#ifndef CASE_GENERATE_H
#define CASE_GENERATE_H

#include "base/shape.h"
#include "case/scope.h"

/* Is the value of a variable a generator? */
bool generate_is(const cJSON *value);

/* settings are resolved. *made is the caller's to free. RC_USAGE with err.text set: at most a million values, 64 MiB. */
enum rc generate(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err) MUST_USE;

#endif
