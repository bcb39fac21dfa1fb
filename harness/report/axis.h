/*
 * axis: one axis of a drawn chart: which values it spans, where on it a value lies, and where its ticks are. Arithmetic
 * only; svg.h draws.
 *
 *	struct axis axis;
 *	axis_init(&axis, &chart->x, 60, 840);		// in px; from > to for an axis that goes upwards
 *	axis_reach(&axis, value);			// each value that it is to show
 *	axis_settle(&axis, true);
 *	if (axis_place(&axis, value, &px)) ...
 *	count = axis_ticks(&axis, 8, ticks);
 *
 * It takes any double: what its scale cannot show is left out, and what lies beyond its ends is put on them.
 */
#ifndef REPORT_AXIS_H
#define REPORT_AXIS_H

#include "model/chart.h"

enum { AXIS_TICKS_MOST = 24, AXIS_LABEL_BYTES = 32 };

struct axis {
	enum chart_scale scale;
	enum unit unit;
	double from_px, to_px;
	double low, high; /* of what the scale makes of values: itself, its logarithm */
	bool reached;     /* at least one value */
};

struct axis_tick {
	double px;
	char label[AXIS_LABEL_BYTES]; /* with its unit; "" for a line between */
};

void axis_init(struct axis *axis, const struct chart_axis *of, double from_px, double to_px);
/* Makes the axis span the value too; nothing where the scale cannot show it. */
void axis_reach(struct axis *axis, double value);
/*
 * Once all values are known: a linear axis gets its 0, and none is without length. round: the ends are put where a
 * tick is, so that the values have room; a percentile's axis is left as it is.
 */
void axis_settle(struct axis *axis, bool round);

bool axis_place(const struct axis *axis, double value, double *px);

/*
 * At most `most` labelled ticks (2 to AXIS_TICKS_MOST / 3), from the low end on, and lines between them where the axis is
 * logarithmic: how many. On a linear axis 1, 2 or 5 times a power of ten apart; seconds above 10 as a clock divides them.
 */
size_t axis_ticks(const struct axis *axis, size_t most, struct axis_tick *ticks);

/* A value as a tick has it: "0", "20 ms", "99.9%". */
void axis_label(enum unit unit, double value, char *text, size_t size);

#endif
