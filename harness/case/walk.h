/*
 * walk: goes over a list of steps with every matrix unfolded: the one order that lint, --expand and a run share.
 *
 * A list of steps is a frame of its own, in which the names and captures of a step are seen by those behind it; each
 * cell and each step's `variables` are frames inside. The visitor of a `group` calls walk_steps() for its children.
 *
 * What a visit takes from the scope's root is gone behind it, but for what it binds in `names`.
 */
#ifndef CASE_WALK_H
#define CASE_WALK_H

#include "case/cells.h"
#include "model/case.h"

struct walk_step {
	const struct step *step;
	struct scope *scope;   /* of the cell, with the step's own variables */
	struct scope *names;   /* where its name and captures go */
	struct cell_text cell; /* of all matrices around it */
};

struct walker {
	void *self;
	/* RC_OK goes on; anything else ends the walk and is returned. */
	enum rc (*visit)(void *self, const struct walk_step *at);
	/* A matrix that cannot be unfolded; the walk goes on behind the step. */
	void (*broken)(void *self, const struct step *step, const struct err *err);
	const struct cell_filter *filters;
	size_t filter_count;
};

/* RC_OK, or what visit returned. */
enum rc walk_steps(const struct walker *walker, const struct step *steps, size_t count,
	struct scope *scope, struct cell_text cell) MUST_USE;

/* The requests, lists and steps inside a step, with the visitor of lint: drive/ runs each kind in its own way. */
enum rc walk_below(const struct walker *walker, const struct walk_step *at) MUST_USE;

/* In a lenient scope: what the step leaves for those behind it, declared without a value. */
void walk_declare(const struct walk_step *at);

#endif
