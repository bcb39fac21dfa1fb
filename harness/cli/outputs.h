/*
 * outputs: the reports of a run and where they go.
 *
 * Without another report on standard output the console report goes there. A file that cannot be written becomes a
 * problem of the run (exit 3); the others, the console above all, are still printed.
 */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "base/err.h"
#include "base/arena.h"
#include "cli/options.h"
#include "report/report.h"

struct outputs;

/* wanted: KIND or KIND=FILE. Files of reports without a FILE go to folder. RC_USAGE: unknown kind, two on stdout. */
enum rc outputs_open(const struct texts *wanted, const char *folder, bool verbose,
	struct arena *arena, struct outputs **outputs, struct err *err) MUST_USE;

void outputs_begin(struct outputs *outputs, struct run_result *result);
void outputs_case(
	struct outputs *outputs, struct run_result *result, const struct case_result *one);
/* Prints the rest, closes all, and adds what could not be written to the result before the console's end is printed. */
void outputs_end(struct outputs *outputs, struct run_result *result);

/* A problem of the run as a whole. */
void outputs_problem(struct run_result *result, enum problem_kind kind, const char *format, ...)
	PRINTF(3, 4);

#endif
