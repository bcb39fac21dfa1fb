#include "stats/slope.h"

/* Welford's way: sums of squares of large numbers would lose the small differences that count here. */
void slope_add(struct slope *slope, double x, double y)
{
	double from_old = x - slope->x_mean;
	slope->points++;
	slope->x_mean += from_old / (double)slope->points;
	slope->y_mean += (y - slope->y_mean) / (double)slope->points;
	slope->xx += from_old * (x - slope->x_mean);
	slope->xy += from_old * (y - slope->y_mean);
}

bool slope_take(const struct slope *slope, double *each)
{
	if (slope->points < SLOPE_POINTS_LEAST || !(slope->xx > 0))
		return false;
	*each = slope->xy / slope->xx;
	return true;
}
