/*
 * spread: durations that were all kept, as count, least, percentiles and greatest.
 *
 *	int64_t values[] = { ... };
 *	struct spread spread = spread_of(values, count);
 */
#ifndef STATS_SPREAD_H
#define STATS_SPREAD_H

#include "model/measure.h"

/*
 * Sorts the values, in ns. A percentile is the nearest rank: the smallest value that at least so large a share of all
 * do not exceed; so it is always one of the values. All are 0 where count is 0.
 */
struct spread spread_of(int64_t *values_ns, size_t count);

#endif
