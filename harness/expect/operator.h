/*
 * operator: the rows of the matcher language: what may stand in a matcher object, and where.
 *
 * To add one: a row in the table of the operator_*.c that holds its concept, or a new file with a table that
 * operator.c lists, and rows in matcher_test.c. An operator that means different things in different places has a row
 * for each of them. The shapes of matchers, and so the errors of `onus lint` and the schema, come from these rows.
 */
#ifndef EXPECT_OPERATOR_H
#define EXPECT_OPERATOR_H

#include "base/shape.h"
#include "expect/matcher.h"

struct operator_row {
	struct shape_key key; /* its name, the shape of its argument, help */
	unsigned places;      /* of enum matcher_place */
	bool takes_absent;    /* else what is absent never holds, and holds() is not asked */
	/* argument is of the shape. May set m->found where it can tell more than the subject as a whole. */
	bool (*holds)(
		struct matching *m, const cJSON *argument); /* NULL: an option of its neighbour */
	/* Completes "expected", of the arena of m->j: "has token accept-encoding". */
	const char *(*words)(const struct matching *m, const cJSON *argument);
};

/* Rows by index, NULL behind the last, in the order of the manual. */
const struct operator_row *operator_at(size_t index);
/* The row for a name in a place; NULL where there is none. */
const struct operator_row *operator_find(const char *name, enum matcher_place place);

/* The tables, each ended by a row without name. */
extern const struct operator_row operators_value[];
extern const struct operator_row operators_text[];
extern const struct operator_row operators_number[];
extern const struct operator_row operators_items[];
extern const struct operator_row operators_same[];

#endif
