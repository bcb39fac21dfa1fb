/*
 * quantity: what expectations on numbers with a unit have in common: the shape of their comparisons, and how a number
 * is held against one.
 */
#ifndef EXPECT_QUANTITY_H
#define EXPECT_QUANTITY_H

#include "expect/expect.h"

/* Comparisons of one unit. A count may also be written as a bare number, which it then equals. */
extern const struct shape quantity_time_shape;  /* "<= 20ms" */
extern const struct shape quantity_size_shape;  /* "< 1000B" */
extern const struct shape quantity_share_shape; /* "<= 25%" */
extern const struct shape quantity_rate_shape;  /* ">= 500/s" */
extern const struct shape quantity_count_shape; /* ">= 20", 5 */
/* Of some of a whole: a count, or their share of it. */
extern const struct shape quantity_part_shape; /* ">= 20", 5, "<= 1%" */

/* A check: found, in words behind it `note` or NULL, against the comparison value, which is of the row's shape. */
void quantity_judge(const struct expectation *row, struct judgement *j, struct quantity found,
	const char *note, const cJSON *value, const char *pointer);

/* A check that does not hold, because there is no number: `why` says so. */
void quantity_absent(const struct expectation *row, struct judgement *j, const char *why,
	const cJSON *value, const char *pointer);

/* A row's `check` that looks for the row's name among j->measures. */
void quantity_check_measure(const struct expectation *row, struct judgement *j, const cJSON *value,
	const char *pointer);

#endif
