/*
 * chart: what was measured as curves, for reports to draw and to print as tables: panels one below the other over one x
 * axis. Data only; report/svg.h draws it.
 *
 *	struct chart *chart = chart_new(arena, "Rate over time", "Answers a second, second by second.");
 *	chart->x = (struct chart_axis){ "time since the start", UNIT_NS, CHART_LINEAR };
 *	struct chart_panel *panel = chart_panel(chart, (struct chart_axis){ "answers a second", UNIT_PER_S, CHART_LINEAR });
 *	struct chart_series *series = chart_series(chart, panel, "answered");
 *	chart_point(chart, series, 1e9, 2000);
 *	chart_mark(chart, 0, "measuring begins");
 *
 * Everything is of the chart's arena; names, titles and texts are not copied. Adding a panel or a series may move those
 * before it: fill one, then add the next.
 */
#ifndef MODEL_CHART_H
#define MODEL_CHART_H

#include "base/arena.h"
#include "base/units.h"

enum chart_scale {
	CHART_LINEAR,  /* from 0 */
	CHART_LOG,     /* only what is above 0 is shown */
	CHART_PERCENT, /* percentiles 0 to below 100, each 9 more as wide as the one before */
};

struct chart_axis {
	const char *title; /* what it counts: "memory, resident" */
	enum unit unit;    /* of the values, as in struct quantity */
	enum chart_scale scale;
};

/* A coordinate is between -CHART_MOST and CHART_MOST; a y that is not is absent, and is NaN. */
#define CHART_MOST 1e18

struct chart_point {
	double x, y;
};

/* Points by x, which does not fall. Behind an absent y the line begins anew. */
struct chart_series {
	const char *name;
	struct chart_point *points;
	size_t count, room;
};

struct chart_panel {
	struct chart_axis y;
	struct chart_series *series;
	size_t series_count, series_room;
};

/* Something that happened at x: "killed: its memory cap was full". */
struct chart_mark {
	double x;
	const char *text;
};

struct chart {
	struct arena *arena;
	const char *step, *cell; /* where it was measured, as in struct figure; or "" */
	const char *title,
		*description; /* the description says what to see, also to who does not */
	struct chart_axis x;
	struct chart_panel *panels;
	size_t panel_count, panel_room;
	struct chart_mark *marks;
	size_t mark_count, mark_room;
};

struct chart *chart_new(struct arena *arena, const char *title, const char *description) MUST_USE;
struct chart_panel *chart_panel(struct chart *chart, struct chart_axis y);
struct chart_series *chart_series(struct chart *chart, struct chart_panel *panel, const char *name);
/* x beyond CHART_MOST, or NaN: the point is left out. */
void chart_point(struct chart *chart, struct chart_series *series, double x, double y);
void chart_mark(struct chart *chart, double x, const char *text);

/* A coordinate that a chart may have. */
bool chart_holds(double value);

/*
 * The points of which a picture, or a report, of `most` (at least 5) looks the same: neighbours are put into groups of like
 * number, of which the least and the greatest stay in their order, and an absent one where there is any. Writes at most
 * `most` to `out`, and tells how many; all of them where they fit.
 */
size_t chart_thin(
	const struct chart_point *points, size_t count, struct chart_point *out, size_t most);

const char *chart_scale_word(enum chart_scale scale); /* linear log percent */
const char *chart_unit_word(enum unit unit);          /* count ns bytes per_s percent */

#endif
