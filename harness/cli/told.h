/*
 * told: what went wrong, on standard error, and how the program ends by it.
 */
#ifndef CLI_TOLD_H
#define CLI_TOLD_H

#include "base/err.h"

/* "onus: WHERE: TEXT", by err's `where`, or where it has none by `otherwise`. The exit status of rc, which is no RC_OK. */
int told(enum rc rc, const struct err *err, const char *otherwise);

/* "onus: TEXT"; NULL: nothing. */
void told_problem(const char *text);

#endif
