#include "report/page.h"

#include <string.h>

#include "report/axis.h"
#include "report/escape.h"
#include "report/svg.h"

/* Of a table of a chart's data: more is for programs, which read JSON. */
enum { ROWS_MOST = 1200 };

void page_begin(const char *title, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
		out);
	escape_xml(out, title);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", page_css);
}

void page_end(FILE *out)
{
	fputs("</main>\n</body>\n</html>\n", out);
}

void page_text(const char *element, const char *text, FILE *out)
{
	int name = (int)strcspn(element, " ");
	fprintf(out, "<%s>", element);
	escape_xml(out, text);
	fprintf(out, "</%.*s>\n", name, element);
}

void page_facts_begin(FILE *out)
{
	fputs("<dl class=\"facts\">\n", out);
}

static void fact(const char *name, const char *element, const char *value, FILE *out)
{
	if (!value || !value[0])
		return;
	fputs("<dt>", out);
	escape_xml(out, name);
	fprintf(out, "</dt><dd><%s>", element);
	escape_xml(out, value);
	fprintf(out, "</%s></dd>\n", element);
}

void page_fact(const char *name, const char *value, FILE *out)
{
	fact(name, "span", value, out);
}

void page_fact_code(const char *name, const char *value, FILE *out)
{
	fact(name, "code", value, out);
}

void page_facts_end(FILE *out)
{
	fputs("</dl>\n", out);
}

/* Whoever has no mouse scrolls it with the keys, so that it can be reached. */
void page_table_begin(const char *caption, const char *const *heads, size_t count, FILE *out)
{
	fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
	escape_attribute(out, caption);
	fputs("\">\n<table>\n<caption>", out);
	escape_xml(out, caption);
	fputs("</caption>\n<thead><tr>", out);
	for (size_t i = 0; i < count; i++) {
		bool number = heads[i][0] == '#';
		fprintf(out, "<th scope=\"col\"%s>", number ? " class=\"number\"" : "");
		escape_xml(out, heads[i] + number);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

void page_row_begin(FILE *out)
{
	fputs("<tr>", out);
}

void page_cell(const char *text, FILE *out)
{
	fputs("<td>", out);
	escape_xml(out, text);
	fputs("</td>", out);
}

void page_number(const char *text, FILE *out)
{
	fputs("<td class=\"number\">", out);
	escape_xml(out, text);
	fputs("</td>", out);
}

void page_row_end(FILE *out)
{
	fputs("</tr>\n", out);
}

void page_table_end(FILE *out)
{
	fputs("</tbody>\n</table>\n</div>\n", out);
}

static size_t columns_of(const struct chart_panel *panel)
{
	return panel->series_count < SVG_SERIES_MOST ? panel->series_count : SVG_SERIES_MOST;
}

/* The least x that a series has not given yet; false where all are through. */
static bool next_x(const struct chart_panel *panel, const size_t *at, double *x)
{
	bool any = false;
	for (size_t i = 0; i < columns_of(panel); i++) {
		const struct chart_series *series = &panel->series[i];
		if (at[i] == series->count || (any && series->points[at[i]].x >= *x))
			continue;
		*x = series->points[at[i]].x;
		any = true;
	}
	return any;
}

static void data_row(
	const struct chart *chart, const struct chart_panel *panel, size_t *at, double x, FILE *out)
{
	char text[AXIS_LABEL_BYTES];
	axis_label(chart->x.unit, x, text, sizeof text);
	page_row_begin(out);
	page_number(text, out);
	for (size_t i = 0; i < columns_of(panel); i++) {
		const struct chart_series *series = &panel->series[i];
		snprintf(text, sizeof text, "–");
		if (at[i] < series->count && series->points[at[i]].x <= x) {
			double y = series->points[at[i]++].y;
			if (chart_holds(y))
				axis_label(panel->y.unit, y, text, sizeof text);
		}
		page_number(text, out);
	}
	page_row_end(out);
}

static void data_table(const struct chart *chart, const struct chart_panel *panel, FILE *out)
{
	size_t at[SVG_SERIES_MOST] = { 0 }, rows = 0;
	double x;
	fputs("<div class=\"scroll data\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
	escape_attribute(out, panel->y.title);
	fputs("\">\n<table>\n<caption>", out);
	escape_xml(out, panel->y.title);
	fputs("</caption>\n<thead><tr><th scope=\"col\" class=\"number\">", out);
	escape_xml(out, chart->x.title);
	for (size_t i = 0; i < columns_of(panel); i++) {
		fputs("</th><th scope=\"col\" class=\"number\">", out);
		escape_xml(out, panel->series[i].name);
	}
	fputs("</th></tr></thead>\n<tbody>\n", out);
	for (; rows < ROWS_MOST && next_x(panel, at, &x); rows++)
		data_row(chart, panel, at, x, out);
	page_table_end(out);
	if (rows == ROWS_MOST && next_x(panel, at, &x))
		page_text("p class=\"more\"", "The rest is in the json report.", out);
	if (panel->series_count > SVG_SERIES_MOST)
		page_text("p class=\"more\"", "More curves are in the json report.", out);
}

void page_chart(const struct chart *chart, const char *id, FILE *out)
{
	char small[64];
	snprintf(small, sizeof small, "%sn", id);
	fputs("<figure>\n<figcaption>", out);
	page_text("strong", chart->title, out);
	page_text("span", chart->description, out);
	fputs("</figcaption>\n", out);
	svg_draw(chart, &(struct svg_style){ .id = id }, out);
	svg_draw(chart, &(struct svg_style){ .id = small, .narrow = true }, out);
	fputs("<details>\n<summary>The data as tables</summary>\n", out);
	for (size_t i = 0; i < chart->panel_count && i < SVG_PANELS_MOST; i++)
		data_table(chart, &chart->panels[i], out);
	fputs("</details>\n</figure>\n", out);
}
