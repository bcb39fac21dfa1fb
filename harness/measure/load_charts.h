/*
 * load_charts: what a load has found, as curves: the distribution of its latency, and its rate and latency over time with
 * the SUT's CPU and memory below them. It draws nothing.
 *
 *	struct load_charted one = { "", &plan, result, sample_cost(sample) };
 *	struct chart *curve = load_charts_latency(&one, 1, arena);	// NULL: nothing was measured
 *	struct chart *time = load_charts_time(&one, arena);
 */
#ifndef MEASURE_LOAD_CHARTS_H
#define MEASURE_LOAD_CHARTS_H

#include "http/load.h"
#include "model/chart.h"
#include "model/cost.h"

/* A series has no more points than that; of more, the extremes stay. */
enum { LOAD_CHARTS_POINTS = 1000 };

struct load_charted {
	const char *name; /* sets it apart from others in one chart: "gzip"; or "" */
	const struct load_plan *plan;
	const struct load_result *result;
	const struct cost *cost; /* of the SUT, by the clock of the result; or NULL */
};

/*
 * Latency by percentile, all of the list in one chart: response time, service time and send lag of an open loop, service
 * time of a closed one. NULL where no request was measured. Of the arena.
 */
struct chart *load_charts_latency(
	const struct load_charted *list, size_t count, struct arena *arena);

/*
 * Answers and failures a second, latency of what ended in each second, and where the SUT was sampled its CPU and memory. NULL
 * where it did not last for a part of a second that tells anything. Of the arena.
 */
struct chart *load_charts_time(const struct load_charted *one, struct arena *arena);

#endif
