/*
 * units_scan: the one piece that quantities and comparisons are both read by: a number and what stands behind it. Private
 * to units.c and comparison.c.
 */
#ifndef BASE_UNITS_SCAN_H
#define BASE_UNITS_SCAN_H

#include "base/units.h"

struct units_scan {
	const char *text; /* all of it, for errors */
	const char *at;
	bool variables; /* `${…}` is taken for a number, and also for a whole quantity */
};

struct term {
	struct quantity quantity;
	bool times; /* "5x": a multiple of what follows; the quantity is the count 5 */
	bool unknown; /* came from `${…}`: neither value nor, where no unit follows, unit are known */
};

void units_skip_spaces(struct units_scan *scan);
/* Steps over the word where it is next. */
bool units_take(struct units_scan *scan, const char *word);
enum rc units_term(struct units_scan *scan, struct term *term, struct err *err) MUST_USE;

#endif
