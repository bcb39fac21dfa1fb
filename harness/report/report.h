/*
 * report: the registry of reports. A report prints a struct run_result; it never computes one.
 *
 * To add one: a file report_NAME.c with its row, a line in the table of report.c, and a golden file
 * report/golden/NAME.txt made by `make golden`. Texts in a result may hold any bytes: whatever a report prints goes
 * through escape.h, and what several say alike through text.h.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "model/result.h"

struct report_style {
	bool color;   /* only console uses it */
	bool verbose; /* -v */
	int width;    /* columns of the terminal, 0 where there is none */
};

struct report {
	const char *name, *help;
	const char *
		file; /* default file name in the run directory, as "junit.xml"; NULL: standard output */
	/*
	 * Called once before the first case, once for each case in the order of the files as soon as it is known, and
	 * once at the end; any may be NULL. The result holds what is known so far; `one` is an element of its cases.
	 * A write that went wrong is left in ferror(out), for the caller to look at.
	 */
	void (*begin)(const struct run_result *result, const struct report_style *style, FILE *out);
	void (*on_case)(const struct run_result *result, const struct case_result *one,
		const struct report_style *style, FILE *out);
	void (*end)(const struct run_result *result, const struct report_style *style, FILE *out);
};

/* The rows in the order of the table; NULL behind the last. */
const struct report *report_at(size_t index);
const struct report *report_find(const char *name);

/* The whole of a finished result, as if its cases came in one after the other. */
void report_print(const struct report *report, const struct run_result *result,
	const struct report_style *style, FILE *out);

/* The rows, for the table of report.c. */
extern const struct report report_console, report_tap, report_junit, report_json, report_ndjson,
	report_markdown, report_github, report_html;

#endif
