/*
 * svg: a chart as a picture: one <svg> element for a page of HTML, with a title and a text that says what is in it.
 *
 *	svg_draw(chart, &(struct svg_style){ .id = "c3", .narrow = false }, out);
 *
 * Colours, dashes and fonts are the page's, by class (page.h has them). The picture does not grow with the data: a line
 * has at most as many points as there are pixels, and keeps its extremes; more than SVG_SERIES_MOST series of a
 * panel, SVG_PANELS_MOST panels and SVG_MARKS_MOST marks are left out, which the tables beside it are not. Texts may
 * hold any bytes.
 */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include <stdio.h>

#include "model/chart.h"

enum { SVG_SERIES_MOST = 8, SVG_PANELS_MOST = 8, SVG_MARKS_MOST = 6 };

struct svg_style {
	const char *id; /* of letters and digits, unlike any other of the page */
	bool narrow;    /* for a phone */
};

void svg_draw(const struct chart *chart, const struct svg_style *style, FILE *out);

#endif
