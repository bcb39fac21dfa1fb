/*
 * load_report: the reports of `onus load`, and where they go. A report prints a struct load_found; it computes nothing.
 *
 *	rc = load_reports_open(&options, arena, &reports, &err);	// before anything is measured
 *	rc = load_reports_print(reports, &found, &err);
 *
 * To add one: a file load_NAME.c with its row, and a line in the table of load_report.c. Texts that came from elsewhere
 * go through visible_line() or a JSON printer.
 */
#ifndef CLI_LOAD_REPORT_H
#define CLI_LOAD_REPORT_H

#include <stdio.h>

#include "cli/hold_report.h"
#include "cli/load_found.h"

struct load_report {
	const char *name, *help;
	void (*print)(const struct load_found *found, bool color, FILE *out);
	/* Of --hold; NULL: it has nothing to say of that, and is refused. */
	void (*print_hold)(const struct hold_found *found, bool color, FILE *out);
};

/* The rows in the order of the table; NULL behind the last. */
const struct load_report *load_report_at(size_t index);

extern const struct load_report load_console, load_json, load_csv, load_prometheus, load_html;

struct load_reports;

/*
 * Of --report KIND[=FILE] and --hlog FILE: files are made at once, so that a bad path is told before the load. Without a
 * report for standard output that is the console's. RC_USAGE, or RC_ENVIRONMENT with the file as err's `where`.
 */
enum rc load_reports_open(
	const struct options *options, struct load_reports **reports, struct err *err) MUST_USE;
/* All of them, also where one can't be written: RC_ENVIRONMENT for the first of those. The files are closed. */
enum rc load_reports_print(
	struct load_reports *reports, const struct load_found *found, struct err *err) MUST_USE;
/* The same of streams that were held. */
enum rc load_reports_print_hold(
	struct load_reports *reports, const struct hold_found *found, struct err *err) MUST_USE;
/* Without printing. */
void load_reports_close(struct load_reports *reports);

/* Of load_hlog.c: the histograms of every arm. */
void load_hlog_print(const struct load_found *found, FILE *out);

#endif
