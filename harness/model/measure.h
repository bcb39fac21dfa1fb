/*
 * measure: what a step that measures has found: quantities by the names that expectations, reports and comparisons
 * have for them ("probe.p99"). Data only.
 *
 * A quantity that could not be taken is not in the list: it is absent, never zero.
 */
#ifndef MODEL_MEASURE_H
#define MODEL_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/units.h"

struct measure {
	const char *name; /* "probe.silence_share" */
	struct quantity quantity;
	const char *note;    /* for people, behind the value: which request it was; or NULL */
	const char *spoiled; /* why it may not be used for a verdict; NULL: it may */
	double whole;        /* of what counts some of something: of how many; else 0 */
	bool aside;          /* of no interest but to who asks for it: not among a case's figures */
};

struct measures {
	struct arena *arena; /* of the list; names and notes live as long */
	struct measure *list;
	size_t count, room;
};

/* A whole distribution of durations, in ns; the percentiles are absent where count is 0. */
struct spread {
	size_t count;
	int64_t min_ns, p50_ns, p90_ns, p99_ns, p999_ns, max_ns;
};

void measures_init(struct measures *measures, struct arena *arena);

/* name and note are not copied. What was added, to be changed until the next is. */
struct measure *measures_add(
	struct measures *measures, const char *name, struct quantity quantity, const char *note);

/* "WORD.count", and "WORD.min" to "WORD.max" where anything was counted. */
void measures_add_spread(struct measures *measures, const char *word, const struct spread *spread);

/* NULL where it was not taken; also for NULL. */
const struct measure *measures_find(const struct measures *measures, const char *name);

#endif
