/*
 * defaults: what `onus load` and the step `load` take where nothing is said, and the most that either takes.
 */
#ifndef LOAD_DEFAULTS_H
#define LOAD_DEFAULTS_H

#include "base/clock.h"

enum {
	LOAD_IN_FLIGHT = 256, /* of an open loop */
	LOAD_THREADS_MAX = 256,
	LOAD_STREAMS_MAX = 1000, /* of HTTP/2, on a connection */
};

#define LOAD_TIMEOUT_NS (10 * NS_PER_S)
#define LOAD_LONGEST_NS                                                                            \
	(INT64_C(86400) * NS_PER_S) /* also of a number of requests without a length */

/* Warm-up and tail: a tenth of what is measured, at most half a second. */
static inline int64_t load_edge_ns(int64_t measure_ns)
{
	enum { PART = 10 };
	int64_t part_ns = measure_ns / PART, most_ns = NS_PER_S / 2;
	return part_ns < most_ns ? part_ns : most_ns;
}

#endif
