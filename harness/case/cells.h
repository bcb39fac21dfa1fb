/*
 * cells: what a `matrix` stands for: an object is the product of its lists, a list is rows as they are.
 *
 *	{ "accept": [null, "gzip"], "file": ["a", "b"] }	accept=null, file=a ... four cells
 *	{ "size": { "generate": "around", "of": 1024 } }	size=1023, size=1024, size=1025
 *	[ { "level": 1, "max": 10 }, { "level": 9, "max": 5 } ]	two cells
 */
#ifndef CASE_CELLS_H
#define CASE_CELLS_H

#include "case/scope.h"

struct cell_value {
	const char *name;
	const cJSON *value;     /* as written: may hold variables; NULL: not known yet (lint) */
	enum binding_kind kind; /* received: of a list that a variable has brought */
	const char *
		label; /* for people, file names and --cell: a scalar's text, an object's `name`, else "#1" */
};

struct cell {
	struct cell_value *values;
	size_t count;
};

struct cells {
	struct cell *list;
	size_t count;
};

enum { CELLS_MAX = 100 * 1000 };

/*
 * The one empty cell of a step without a matrix, where matrix is NULL. Of the root's arena. RC_USAGE: more than
 * CELLS_MAX, a list without values, a variable or generator that brings no list. In a lenient scope a list that is not known yet gives
 * one cell, whose value is not known either.
 */
enum rc cells_expand(
	struct scope *scope, const cJSON *matrix, struct cells *cells, struct err *err) MUST_USE;

/* Binds a cell's values. */
void cell_bind(struct scope *scope, const struct cell *cell);

/* All matrices around a step, for people and for the shell. */
struct cell_text {
	const char *label;   /* "accept=gzip, file=a" */
	const char *options; /* " --cell accept=gzip --cell file=a", quoted for a shell */
};
extern const struct cell_text cell_text_none;

/* `before` with the cell's values behind it, of the arena. */
struct cell_text cell_text(struct arena *arena, struct cell_text before, const struct cell *cell);

/* Quoted for a shell where it needs to be, of the arena. */
const char *cell_quote(struct arena *arena, const char *text);

/* One `--cell NAME=VALUE`. */
struct cell_filter {
	const char *name, *value;
	bool *used; /* set where a matrix had that name and value, so that a typo is told from an empty run */
};

/* False where the cell has a value of that name and another label. */
bool cell_wanted(const struct cell *cell, const struct cell_filter *filters, size_t count);

#endif
