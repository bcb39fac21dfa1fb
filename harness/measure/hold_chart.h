/*
 * hold_chart: the memory of a SUT over how many streams it holds open, as a curve.
 *
 *	struct chart *chart = hold_chart_new(arena);
 *	hold_chart_add(chart, streams, resident_bytes, capped_bytes);	// of each round that held, in order
 *	hold_chart_end(chart, streams, cap_bytes, true);
 */
#ifndef MEASURE_HOLD_CHART_H
#define MEASURE_HOLD_CHART_H

#include "model/chart.h"

struct chart *hold_chart_new(struct arena *arena) MUST_USE;
/* capped: what the kernel counts against its memory cap; 0: it has none. */
void hold_chart_add(
	struct chart *chart, double streams, double resident_bytes, double capped_bytes);
/* cap_bytes: of the cap, or 0; streams: how many there were at the end, of which killed says whether they were too many. */
void hold_chart_end(struct chart *chart, double streams, double cap_bytes, bool killed);

#endif
