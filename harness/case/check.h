/*
 * check: what is wrong with a suite or a case that has the right form: things that need the whole file to tell.
 */
#ifndef CASE_CHECK_H
#define CASE_CHECK_H

#include "model/case.h"

/* Each adds to errors all it finds and is false where something of kind RC_USAGE was among it. */
bool check_suite(const struct suite *suite, struct errors *errors);
bool check_case(const struct case_file *one, const struct suite *suite, struct errors *errors);

/* The parts of check_case: names.c (variables), dry.c (every cell resolved, files that must exist, `when`). */
void check_suite_names(const struct suite *suite, struct errors *errors);
void check_names(const struct case_file *one, const struct suite *suite, struct errors *errors);
void check_cells(const struct case_file *one, const struct suite *suite, struct errors *errors);

#endif
