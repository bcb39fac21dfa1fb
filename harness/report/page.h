/*
 * page: what reports in HTML share: a page that loads nothing from elsewhere and needs no script, its looks, tables,
 * lists of facts, and charts with their data.
 *
 *	page_begin("onus: 3 passed", out);
 *	page_facts_begin(out);
 *	page_fact("seed", "0x9a1f", out);
 *	page_facts_end(out);
 *	page_table_begin("Thresholds", heads, 3, out);	// heads that begin with '#' are of numbers
 *	page_row_begin(out);
 *	page_cell("a", out); page_number("1 ms", out); ...
 *	page_row_end(out);
 *	page_table_end(out);
 *	page_chart(chart, "c1", out);
 *	page_end(out);
 *
 * Every text may hold any bytes. Classes: page_css.c.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "model/chart.h"

void page_begin(const char *title, FILE *out);
void page_end(FILE *out);

/* Text in an element: <h2 class="bad">text</h2>. element: "h2", or "h2 class=\"bad\"", never from elsewhere. */
void page_text(const char *element, const char *text, FILE *out);

/* A list of names and values; a value of several lines stays one. NULL and "": nothing is printed. */
void page_facts_begin(FILE *out);
void page_fact(const char *name, const char *value, FILE *out);
/* The same for what is copied: commands and paths. */
void page_fact_code(const char *name, const char *value, FILE *out);
void page_facts_end(FILE *out);

/* A table that scrolls by itself where it is too wide. */
void page_table_begin(const char *caption, const char *const *heads, size_t count, FILE *out);
void page_row_begin(FILE *out);
void page_cell(const char *text, FILE *out);
void page_number(const char *text, FILE *out);
void page_row_end(FILE *out);
void page_table_end(FILE *out);

/* With title, description, both pictures, and the data as tables. id: letters and digits, of no other of the page. */
void page_chart(const struct chart *chart, const char *id, FILE *out);

extern const char page_css[];

#endif
