#include "measure/hold_chart.h"

enum { RESIDENT, CAPPED, CAP };

struct chart *hold_chart_new(struct arena *arena)
{
	static const char *const names[] = {
		[RESIDENT] = "resident",
		[CAPPED] = "counted against its cap",
		[CAP] = "its memory cap",
	};
	struct chart *chart = chart_new(arena, "Memory by streams held",
		"What the server and all its processes took in memory when so many streams were open at "
		"once. The slope is the cost of a stream.");
	chart->x = (struct chart_axis){ "streams held open", UNIT_COUNT, CHART_LINEAR };
	struct chart_panel *panel = chart_panel(
		chart, (struct chart_axis){ "memory of the SUT", UNIT_BYTES, CHART_LINEAR });
	for (size_t i = RESIDENT; i <= CAP; i++)
		chart_series(chart, panel, names[i]);
	return chart;
}

void hold_chart_add(struct chart *chart, double streams, double resident_bytes, double capped_bytes)
{
	struct chart_series *series = chart->panels[0].series;
	chart_point(chart, &series[RESIDENT], streams, resident_bytes);
	if (capped_bytes > 0)
		chart_point(chart, &series[CAPPED], streams, capped_bytes);
}

/* Series that stayed empty are not there. */
static void drop_empty(struct chart_panel *panel)
{
	size_t kept = 1;
	for (size_t i = 1; i < panel->series_count; i++)
		if (panel->series[i].count)
			panel->series[kept++] = panel->series[i];
	panel->series_count = kept;
}

void hold_chart_end(struct chart *chart, double streams, double cap_bytes, bool killed)
{
	struct chart_series *cap = &chart->panels[0].series[CAP];
	if (cap_bytes > 0) {
		chart_point(chart, cap, 0, cap_bytes);
		chart_point(chart, cap, streams, cap_bytes);
	}
	if (killed)
		chart_mark(chart, streams, "killed by the kernel: its memory cap was full");
	drop_empty(&chart->panels[0]);
}
