/*
 * html_parts: what the pages of a load and of held streams share, on top of report/page.h: quantities as people read them,
 * the title by how onus ends, and the verdicts on thresholds.
 */
#ifndef CLI_HTML_PARTS_H
#define CLI_HTML_PARTS_H

#include <stdio.h>

#include "base/arena.h"
#include "cli/threshold.h"

/* A cell of a table. */
void html_quantity(struct quantity quantity, FILE *out);
void html_count(uint64_t count, FILE *out);

/* A fact of a list. */
void html_fact_quantity(const char *name, struct quantity quantity, FILE *out);
void html_fact_count(const char *name, uint64_t count, FILE *out);

/* A box of the class "note" or "problem"; text NULL: none. */
void html_note(const char *class, const char *title, const char *text, FILE *out);

/* Begins the page. exit: an exit status; held: what an exit status of 0 is called. */
void html_title(const char *url, int exit, const char *held, struct arena *arena, FILE *out);

/* One of a table with the columns verdict, arm (not where it is NULL), threshold, found. */
void html_verdict(
	const struct load_verdict *verdict, const char *arm, const char *threshold, FILE *out);

#endif
