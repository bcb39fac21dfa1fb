#include "report/svg.h"

#include <math.h>
#include <stdlib.h>

#include "base/visible.h"
#include "report/axis.h"
#include "report/escape.h"

/* In px of the picture, which the page scales. A letter is as wide as most are at most. */
enum {
	LETTER = 7,
	LINE = 18,
	GAP = 16,
	SAMPLE = 26, /* of a line in the legend, with the space behind it */
	BETWEEN = 16,
	DOTS_MOST = 40,
};

static const struct look {
	int width, left, right, x_ticks;
	struct {
		int height, ticks;
	} only, each; /* a plot by itself, one of several */
} looks[] = {
	{ 860, 72, 20, 8, { 280, 8 }, { 150, 6 } },
	{ 380, 70, 14, 6, { 250, 8 }, { 140, 5 } },
};

struct drawing {
	const struct chart *chart;
	const struct svg_style *style;
	const struct look *look;
	FILE *out;
	struct axis x;
	size_t panels;
	int top; /* where the next line begins */
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t letters(const char *text)
{
	struct point point;
	size_t count = 0;
	while (point_next(&text, &point))
		count++;
	return count;
}

/* Text at x and y, cut where it would be wider than `width`. */
static void text_at(const struct drawing *d, const char *class, double x, double y, double width,
	const char *text)
{
	size_t room = (size_t)fmax(1, width / LETTER);
	fprintf(d->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	if (letters(text) <= room) {
		escape_xml(d->out, text);
	} else {
		const char *end = text;
		struct point point;
		for (size_t i = 1; i < room; i++)
			point_next(&end, &point);
		char *kept = mem_text(text);
		kept[end - text] = '\0';
		escape_xml(d->out, kept);
		fputs("…", d->out);
		free(kept);
	}
	fputs("</text>\n", d->out);
}

static void line_at(
	const struct drawing *d, const char *class, double x1, double y1, double x2, double y2)
{
	fprintf(d->out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
		class, x1, y1, x2, y2);
}

/* For who does not see it: what it spans, line by line. */
static void say_series(
	const struct drawing *d, const struct chart_panel *panel, const struct chart_series *series)
{
	double low = (double)INFINITY, high = -(double)INFINITY;
	char from[AXIS_LABEL_BYTES], to[AXIS_LABEL_BYTES];
	for (size_t i = 0; i < series->count; i++) {
		low = fmin(low, series->points[i].y);
		high = fmax(high, series->points[i].y);
	}
	fputs(" ", d->out);
	escape_xml(d->out, panel->y.title);
	fputs(", ", d->out);
	escape_xml(d->out, series->name);
	if (low > high) {
		fputs(": nothing.", d->out);
		return;
	}
	axis_label(panel->y.unit, low, from, sizeof from);
	axis_label(panel->y.unit, high, to, sizeof to);
	fprintf(d->out, ": %s to %s.", from, to);
}

static void say(const struct drawing *d)
{
	const struct chart *chart = d->chart;
	fprintf(d->out, "<title id=\"%s-t\">", d->style->id);
	escape_xml(d->out, chart->title);
	fprintf(d->out, "</title>\n<desc id=\"%s-d\">", d->style->id);
	escape_xml(d->out, chart->description);
	for (size_t i = 0; i < d->panels; i++)
		for (size_t k = 0; k < least(chart->panels[i].series_count, SVG_SERIES_MOST); k++)
			say_series(d, &chart->panels[i], &chart->panels[i].series[k]);
	for (size_t i = 0; i < least(chart->mark_count, SVG_MARKS_MOST); i++) {
		char at[AXIS_LABEL_BYTES];
		axis_label(chart->x.unit, chart->marks[i].x, at, sizeof at);
		fprintf(d->out, " At %s: ", at);
		escape_xml(d->out, chart->marks[i].text);
		fputs(".", d->out);
	}
	fputs("</desc>\n", d->out);
}

/* What the legend takes of the height; drawn where `draw` says so. */
static int legend(const struct drawing *d, const struct chart_panel *panel, bool draw)
{
	size_t count = least(panel->series_count, SVG_SERIES_MOST);
	int x = d->look->left, lines = count > 0, end = d->look->width - d->look->right;
	for (size_t i = 0; i < count; i++) {
		size_t wanted = SAMPLE + LETTER * letters(panel->series[i].name);
		int width = (int)least(wanted, (size_t)(end - d->look->left));
		if (x > d->look->left && x + width > end) {
			x = d->look->left;
			lines++;
		}
		double y = d->top + (lines - 1) * LINE;
		char class[16];
		snprintf(class, sizeof class, "line s%zu", i);
		if (draw) {
			line_at(d, class, x, y + 9, x + SAMPLE - 6, y + 9);
			text_at(d, "name", x + SAMPLE, y + 13, width - SAMPLE,
				panel->series[i].name);
		}
		x += width + BETWEEN;
	}
	return lines * LINE;
}

static void grid(const struct drawing *d, const struct axis *y, bool last)
{
	struct axis_tick ticks[AXIS_TICKS_MOST];
	double left = d->x.from_px, right = d->x.to_px;
	int most = d->panels > 1 ? d->look->each.ticks : d->look->only.ticks;
	size_t count = y->reached ? axis_ticks(y, (size_t)most, ticks) : 0;
	for (size_t i = 0; i < count; i++) {
		line_at(d, ticks[i].label[0] ? "grid" : "grid between", left, ticks[i].px, right,
			ticks[i].px);
		if (ticks[i].label[0])
			text_at(d, "tick y", left - 8, ticks[i].px + 4, left, ticks[i].label);
	}
	count = axis_ticks(&d->x, (size_t)d->look->x_ticks, ticks);
	for (size_t i = 0; i < count; i++) {
		line_at(d, "grid", ticks[i].px, y->to_px, ticks[i].px, y->from_px);
		double half = (double)(letters(ticks[i].label) * LETTER) / 2;
		if (last)
			text_at(d, "tick x", fmin(ticks[i].px, d->look->width - half),
				y->from_px + 18, 3 * half, ticks[i].label);
	}
	line_at(d, "axis", left, y->from_px, right, y->from_px);
	line_at(d, "axis", left, y->from_px, left, y->to_px);
}

/* Of few points each is to be seen, and says what it is. */
static void dots(const struct drawing *d, const struct chart_panel *panel, const struct axis *y,
	size_t index)
{
	const struct chart_series *series = &panel->series[index];
	for (size_t i = 0; i < series->count; i++) {
		char at[AXIS_LABEL_BYTES], value[AXIS_LABEL_BYTES];
		double px, py;
		if (!axis_place(&d->x, series->points[i].x, &px) ||
			!axis_place(y, series->points[i].y, &py))
			continue;
		axis_label(d->chart->x.unit, series->points[i].x, at, sizeof at);
		axis_label(panel->y.unit, series->points[i].y, value, sizeof value);
		fprintf(d->out,
			"<circle class=\"dot s%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"><title>",
			index, px, py);
		escape_xml(d->out, series->name);
		fprintf(d->out, ": %s at %s</title></circle>\n", value, at);
	}
}

static void line(const struct drawing *d, const struct chart_panel *panel, const struct axis *y,
	size_t index)
{
	const struct chart_series *series = &panel->series[index];
	size_t most = (size_t)d->look->width;
	struct chart_point *points = mem_alloc(most, sizeof *points);
	size_t count = chart_thin(series->points, series->count, points, most);
	bool drawn = false, on = false;
	for (size_t i = 0; i < count; i++) {
		double px, py;
		bool there = axis_place(&d->x, points[i].x, &px) && axis_place(y, points[i].y, &py);
		if (there && !drawn)
			fprintf(d->out, "<path class=\"line s%zu\" d=\"", index);
		if (there)
			/* A point alone is a line without length, which has round ends. */
			fprintf(d->out, on ? "L%.1f %.1f" : "M%.1f %.1fh0", px, py);
		drawn = drawn || there;
		on = there;
	}
	if (drawn)
		fputs("\"/>\n", d->out);
	if (series->count <= DOTS_MOST)
		dots(d, panel, y, index);
	free(points);
}

/*
 * A mark's label is above the first panel, in a line of its own, and on the side where there is more room. What it is
 * at goes on in the plots alone, so that it crosses no other label.
 */
static void marks(const struct drawing *d, const struct axis *y, bool first, int labels_top)
{
	size_t count = least(d->chart->mark_count, SVG_MARKS_MOST);
	for (size_t i = 0; i < count; i++) {
		const struct chart_mark *mark = &d->chart->marks[i];
		double px, row = labels_top + (double)i * LINE;
		if (!axis_place(&d->x, mark->x, &px))
			continue;
		line_at(d, "mark", px, y->to_px, px, y->from_px);
		bool right = px < (d->x.from_px + d->x.to_px) / 2;
		if (!first)
			continue;
		line_at(d, "mark", px, row + 2, px, row + LINE);
		text_at(d, right ? "label" : "label end", right ? px + 5 : px - 5, row + 13,
			right ? d->look->width - px - 5 : px - 5, mark->text);
	}
}

static void reach_panel(const struct chart_panel *panel, struct axis *y)
{
	for (size_t i = 0; i < least(panel->series_count, SVG_SERIES_MOST); i++)
		for (size_t k = 0; k < panel->series[i].count; k++)
			axis_reach(y, panel->series[i].points[k].y);
}

static int plot_height(const struct drawing *d)
{
	return d->panels > 1 ? d->look->each.height : d->look->only.height;
}

static int marks_height(const struct drawing *d)
{
	return (int)least(d->chart->mark_count, SVG_MARKS_MOST) * LINE;
}

static void draw_panel(struct drawing *d, size_t index)
{
	const struct chart_panel *panel = &d->chart->panels[index];
	struct axis y;
	double room = d->look->width - d->look->right - 4;
	text_at(d, "title", 4, d->top + 13, room, panel->y.title);
	d->top += LINE;
	d->top += legend(d, panel, true);
	int labels_top = d->top;
	d->top += (index ? 0 : marks_height(d)) + LINE / 2;
	axis_init(&y, &panel->y, d->top + plot_height(d), d->top);
	reach_panel(panel, &y);
	axis_settle(&y, true);
	grid(d, &y, index + 1 == d->panels);
	if (!y.reached)
		text_at(d, "label", d->x.from_px + 8, d->top + LINE, room, "nothing was measured");
	marks(d, &y, index == 0, labels_top);
	for (size_t i = 0; i < least(panel->series_count, SVG_SERIES_MOST); i++)
		line(d, panel, &y, i);
	d->top += plot_height(d) + GAP;
}

static int height(const struct drawing *d)
{
	int all = marks_height(d) + 2 * LINE + 4;
	for (size_t i = 0; i < d->panels; i++)
		all += LINE + legend(d, &d->chart->panels[i], false) + LINE / 2 + plot_height(d) +
		       GAP;
	return all;
}

/* All panels have one x axis; marks are on it too. */
static void settle_x(struct drawing *d)
{
	axis_init(&d->x, &d->chart->x, d->look->left, d->look->width - d->look->right);
	for (size_t i = 0; i < d->panels; i++) {
		const struct chart_panel *panel = &d->chart->panels[i];
		for (size_t k = 0; k < least(panel->series_count, SVG_SERIES_MOST); k++)
			for (size_t n = 0; n < panel->series[k].count; n++)
				axis_reach(&d->x, panel->series[k].points[n].x);
	}
	for (size_t i = 0; i < least(d->chart->mark_count, SVG_MARKS_MOST); i++)
		axis_reach(&d->x, d->chart->marks[i].x);
	axis_settle(&d->x, false);
}

void svg_draw(const struct chart *chart, const struct svg_style *style, FILE *out)
{
	struct drawing d = { .chart = chart,
		.style = style,
		.look = &looks[style->narrow],
		.out = out,
		.panels = least(chart->panel_count, SVG_PANELS_MOST) };
	settle_x(&d);
	fprintf(out,
		"<svg class=\"%s\" role=\"img\" "
		"aria-labelledby=\"%s-t %s-d\" viewBox=\"0 0 %d %d\">\n",
		style->narrow ? "narrow" : "wide", style->id, style->id, d.look->width, height(&d));
	say(&d);
	for (size_t i = 0; i < d.panels; i++)
		draw_panel(&d, i);
	text_at(&d, "title x", (d.x.from_px + d.x.to_px) / 2, d.top + LINE + 4, d.look->width,
		chart->x.title);
	fputs("</svg>\n", out);
}
