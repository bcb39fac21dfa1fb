/*
 * generate: values made from the run's seed, so that a case can say "40,000 ids, 33,000 of them distinct".
 *
 *	{ "generate": "range", "from": 1, "to": 100 }		 whole numbers, both ends included; "step"
 *	{ "generate": "around", "of": 32766 }			 [32765, 32766, 32767]; "by"
 *	{ "generate": "ladder", "from": "1KiB", "to": "32KiB" }	 [1024, 2048, 4096 ... 32768]; "factor"
 *	{ "generate": "pick", "from": [...], "count": N, "distinct": M, "order": "random"|"given" }
 *	{ "generate": "pick", "from": [...], "times": 3, "unknown": N|"10%"|[0, 7] }
 *	{ "generate": "known", "of": [...], "in": [...] }	 of's values, null for those that are not in the list
 *	{ "generate": "uuid", "count": N }			 version 4 (RFC 9562); without count one text
 *	{ "generate": "text", "length": N, "alphabet": "abc" }	 one text; with count a list
 *
 * pick: count values; of them unknown ones, the others distinct ones and then repeats of those. With times each of the
 * distinct ones (of all) stands there so often. Unknown ones are UUIDs where the list has texts, larger numbers where
 * it has whole numbers; known tells them apart again, which is what an answer is expected to have in their places.
 *
 * A generator is the whole value of a variable, or stands in the place of a list of a matrix.
 */
#ifndef CASE_GENERATE_H
#define CASE_GENERATE_H

#include "base/shape.h"
#include "case/scope.h"

/* Is the value of a variable a generator? */
bool generate_is(const cJSON *value);

/*
 * The form of settings whose variables are not resolved: a kind and keys that are known, of the right types. Adds every
 * fault with its place; settings are of the tree of json.
 */
bool generate_check(const struct json *json, const cJSON *settings, struct errors *errors);

/* settings are resolved. *made is the caller's to free. RC_USAGE with err.text set: at most a million values, 64 MiB. */
enum rc generate(
	struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err) MUST_USE;

/*
 * The same with the random numbers of what has the name in a frame of that origin (scope_random): the value hangs on
 * neither the order in which others are made nor on what is left out.
 */
enum rc generate_for(struct scope_root *root, const char *origin, const char *name,
	const cJSON *settings, cJSON **made, struct err *err) MUST_USE;

#endif
