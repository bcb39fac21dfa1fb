#include "model/chart.h"

#include <math.h>
#include <string.h>

enum { PANELS_FIRST = 4, SERIES_FIRST = 4, POINTS_FIRST = 64, MARKS_FIRST = 4 };

/* Of a group at most: the least, the greatest, an absent one. */
enum { KEPT = 3 };

struct chart *chart_new(struct arena *arena, const char *title, const char *description)
{
	struct chart *chart = arena_alloc(arena, 1, sizeof *chart);
	*chart = (struct chart){
		.arena = arena, .step = "", .cell = "", .title = title, .description = description
	};
	return chart;
}

struct chart_panel *chart_panel(struct chart *chart, struct chart_axis y)
{
	chart->panels = arena_grow(chart->arena, chart->panels, chart->panel_count,
		&chart->panel_room, PANELS_FIRST, sizeof *chart->panels);
	struct chart_panel *panel = &chart->panels[chart->panel_count++];
	*panel = (struct chart_panel){ .y = y };
	return panel;
}

struct chart_series *chart_series(struct chart *chart, struct chart_panel *panel, const char *name)
{
	panel->series = arena_grow(chart->arena, panel->series, panel->series_count,
		&panel->series_room, SERIES_FIRST, sizeof *panel->series);
	struct chart_series *series = &panel->series[panel->series_count++];
	*series = (struct chart_series){ .name = name };
	return series;
}

bool chart_holds(double value)
{
	return value >= -CHART_MOST && value <= CHART_MOST;
}

void chart_point(struct chart *chart, struct chart_series *series, double x, double y)
{
	if (!chart_holds(x))
		return;
	series->points = arena_grow(chart->arena, series->points, series->count, &series->room,
		POINTS_FIRST, sizeof *series->points);
	series->points[series->count++] =
		(struct chart_point){ x, chart_holds(y) ? y : (double)NAN };
}

void chart_mark(struct chart *chart, double x, const char *text)
{
	if (!chart_holds(x))
		return;
	chart->marks = arena_grow(chart->arena, chart->marks, chart->mark_count, &chart->mark_room,
		MARKS_FIRST, sizeof *chart->marks);
	chart->marks[chart->mark_count++] = (struct chart_mark){ x, text };
}

/* Indices of what stays of a group, each once, in their order; how many. */
static size_t pick(const struct chart_point *points, size_t count, size_t *picked)
{
	size_t least = count, greatest = count, absent = count, kept = 0;
	for (size_t i = 0; i < count; i++) {
		double y = points[i].y;
		if (isnan(y))
			absent = i;
		else if (least == count || y < points[least].y)
			least = i;
		if (!isnan(y) && (greatest == count || y > points[greatest].y))
			greatest = i;
	}
	for (size_t i = 0; i < count; i++)
		if (i == least || i == greatest || i == absent)
			picked[kept++] = i;
	return kept;
}

size_t chart_thin(
	const struct chart_point *points, size_t count, struct chart_point *out, size_t most)
{
	if (count <= most) {
		if (count)
			memcpy(out, points, count * sizeof *points);
		return count;
	}
	/* A chart of time begins and ends where it did. */
	size_t groups = (most - 2) / KEPT, inner = count - 2, written = 0;
	out[written++] = points[0];
	for (size_t g = 0; g < groups; g++) {
		size_t first = 1 + inner * g / groups, end = 1 + inner * (g + 1) / groups;
		size_t picked[KEPT];
		size_t kept = pick(points + first, end - first, picked);
		for (size_t k = 0; k < kept; k++)
			out[written++] = points[first + picked[k]];
	}
	out[written++] = points[count - 1];
	return written;
}

const char *chart_scale_word(enum chart_scale scale)
{
	static const char *const words[] = { "linear", "log", "percent" };
	return words[scale];
}

const char *chart_unit_word(enum unit unit)
{
	static const char *const words[] = {
		[UNIT_COUNT] = "count",
		[UNIT_NS] = "ns",
		[UNIT_BYTES] = "bytes",
		[UNIT_PER_S] = "per_s",
		[UNIT_PERCENT] = "percent",
	};
	return words[unit];
}
