/*
 * errors: everything that is wrong with a file, told at once and in the order of its lines.
 *
 *	cases/a.json:4:9: /steps/0/gett: expected a verb or an option of a request, found "gett"; did you mean "get"?
 */
#ifndef BASE_ERRORS_H
#define BASE_ERRORS_H

#include <stdio.h>

#include "base/err.h"
#include "base/place.h"

enum { ERRORS_MAX = 100 };

struct error {
	struct place
		place; /* its strings are the error's own, so that it outlives the file it is about */
	enum rc rc; /* RC_USAGE for what is wrong in the file, RC_LIMIT for a floor that is not met (exit 4) */
	char *text, *file, *pointer;
};

struct errors {
	struct error *list;
	size_t count;   /* at most ERRORS_MAX are kept */
	size_t dropped; /* how many more there were */
};

void errors_release(struct errors *errors);
void errors_add(struct errors *errors, struct place place, enum rc rc, const char *format, ...)
	PRINTF(4, 5);

/* Sorted by file, line and column, one a line, whatever is in them: visible_line(). Long pointers are cut in the middle. */
void errors_print(struct errors *errors, FILE *out);

#endif
