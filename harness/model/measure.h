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

enum spoil_way {
	SPOIL_EITHER, /* the number may be too high or too low */
	SPOIL_RAISED, /* too high, or true: at most so much, where it holds all the same, does hold */
	SPOIL_LOWERED, /* too low, or true: likewise at least so much */
};

/* Why a number may not be used for a verdict. */
struct spoil {
	const char *text; /* NULL: it may */
	enum spoil_way way;
};

/* Whether it leaves a verdict: the comparison holds of what was found, or does not. */
bool spoil_leaves(const struct spoil *spoil, const struct comparison *comparison, bool holds);

struct measure {
	const char *name; /* "probe.silence_share" */
	struct quantity quantity;
	const char *note; /* for people, behind the value: which request it was; or NULL */
	struct spoil spoil;
	double whole; /* of what counts some of something: of how many; else 0 */
	bool aside;   /* of no interest but to who asks for it: not among a case's figures */
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
