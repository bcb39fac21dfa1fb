/*
 * steps: the table of verbs: what a step may be.
 *
 * To add a verb: its row with its shape here, an entry in enum verb, the function that runs it in drive/steps.c, and a
 * case that uses it. `onus list steps`, the schema and the manual's table come from the row; steps_test.c fails where
 * one is missing.
 */
#ifndef CASE_STEPS_H
#define CASE_STEPS_H

#include "base/shape.h"
#include "expect/judgement.h"
#include "model/case.h"

struct step_kind {
	const char *word;
	enum verb verb;
	const char *help;
	bool request; /* sends requests over a client of its SUT */
	bool alone;   /* its clock matters: it runs alone */
	struct shape_variant variant;
};

/* Row by index, NULL behind the last; row by word, NULL where unknown. */
const struct step_kind *step_kind_at(size_t index);
const struct step_kind *step_kind_find(const char *word);

/* The row whose word is a key of the step; a text is a `get`. */
const struct step_kind *step_kind_of(const cJSON *node);

extern const struct shape step_shape; /* a verb's object, or a text: a GET of it */
extern const struct shape steps_shape;
extern const struct shape request_any_shape; /* a request's object, or a text */

/* Keys that every step takes, by index; NULL behind the last. */
const struct shape_key *step_common_key_at(size_t index);

/* Is the member of the step its steps or requests, which are steps of their own? */
bool step_holds_steps(const struct step *step, const cJSON *member);

/* Does it leave an answer, or quantities, for those behind it: by its name and its captures? */
bool step_answers(const struct step *step);
bool step_measures(const struct step *step);

/* What the step's `expect` judges. */
enum expect_subject step_subject(const struct step *step);

/* "GET" for "get"; for "request" the step's own method. */
const char *step_method(const struct step *step);

#endif
