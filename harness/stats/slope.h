/*
 * slope: what one more of something costs: the line of least squares through totals at several counts. Never a total divided
 * by a count, in which what is there from the start would be shared out.
 *
 *	struct slope slope = { 0 };
 *	slope_add(&slope, 200, 11e6);
 *	slope_add(&slope, 400, 13e6);
 *	slope_add(&slope, 600, 15e6);
 *	if (slope_take(&slope, &each)) ...	// 10000
 */
#ifndef STATS_SLOPE_H
#define STATS_SLOPE_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer do not tell a line from noise. */
enum { SLOPE_POINTS_LEAST = 3 };

/* Zeroed: without a point. */
struct slope {
	size_t points;
	double x_mean, y_mean;
	double xx, xy; /* sums of (x - mean)(x - mean) and of (x - mean)(y - mean) */
};

void slope_add(struct slope *slope, double x, double y);
/* False with fewer than SLOPE_POINTS_LEAST points, or where all have one x. */
bool slope_take(const struct slope *slope, double *each);

#endif
