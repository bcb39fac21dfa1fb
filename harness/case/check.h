/*
 * check: what is wrong with a suite or a case that has the right form: things that need the whole file to tell.
 */
#ifndef CASE_CHECK_H
#define CASE_CHECK_H

#include "model/case.h"

/*
 * Each adds to errors all it finds and is false where something of kind RC_USAGE was among it. formed: the file has the
 * form of a case (suite); where it has not, what can still be told of the rest of it is told as well, so that a user
 * sees all errors at once.
 */
bool check_suite(const struct suite *suite, bool formed, struct errors *errors);
bool check_case(
	const struct case_file *one, const struct suite *suite, bool formed, struct errors *errors);

/*
 * The parts of check_case: check_steps.c (what a step says), names.c (variables), dry.c (every cell resolved, files that
 * must exist, `when`).
 */
void check_steps(const struct case_file *one, const struct suite *suite, struct errors *errors);
void check_suite_names(const struct suite *suite, struct errors *errors);
void check_names(const struct case_file *one, const struct suite *suite, struct errors *errors);
void check_cells(const struct case_file *one, const struct suite *suite, struct errors *errors);

/* Is name (NULL: yes) a member of the object? Else an error, with the nearest one: unknown root "webap". */
void check_member(struct errors *errors, struct place place, const char *what, const cJSON *object,
	const char *name);

#endif
