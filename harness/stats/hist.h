/*
 * hist: a histogram of durations in ns that takes millions of them in constant memory, to 3 significant digits.
 *
 * The layout is HdrHistogram's (lowest discernible value 1000 ns, highest 1 h, 3 digits), so that other tools read what
 * hlog.h writes: below 1.05 ms a bucket is 512 ns wide, above it at most 1/1024 of its values. Minimum and maximum are
 * kept exactly. Not for few values, which are better kept: see spread.h. A thread has its own; after join they are added
 * up. One takes 192 KiB, of which only the buckets in use are ever touched.
 *
 *	struct hist *hist = hist_new();
 *	hist_record(hist, end_ns - start_ns);
 *	hist_add(all, hist);
 *	int64_t p99_ns = hist_quantile(all, 0.99);
 *	hist_free(hist);
 */
#ifndef STATS_HIST_H
#define STATS_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "model/measure.h"

#define HIST_LOWEST_NS  (NS_PER_US)
#define HIST_HIGHEST_NS (INT64_C(3600) * NS_PER_S)
#define HIST_DIGITS     3

struct hist;

struct hist *hist_new(void) MUST_USE;
/* NULL is allowed. */
void hist_free(struct hist *hist);
/* Forgets all values and keeps the memory. */
void hist_clear(struct hist *hist);

/*
 * A few ns of time, without a lock or a division. Less than 0 counts as 0: the monotonic clock doesn't go back, but two
 * of its readings may have changed places. More than an hour counts as an hour, and in hist_over.
 */
void hist_record(struct hist *hist, int64_t ns);
/* The same as `count` times hist_record; 0 times is allowed. */
void hist_record_many(struct hist *hist, int64_t ns, uint64_t count);

/* As if all that was recorded in `from` had been recorded in `into` too: nothing is lost, in whatever order. */
void hist_add(struct hist *into, const struct hist *from);

uint64_t hist_count(const struct hist *hist);
/* How many of them were above an hour. */
uint64_t hist_over(const struct hist *hist);
/* Of the values themselves, not of their buckets; 0 where count is 0. */
int64_t hist_min(const struct hist *hist);
int64_t hist_max(const struct hist *hist);
/* Of the values themselves, in ns; 0 where count is 0. A histogram that hlog_read gave has it from its buckets' middles. */
double hist_mean(const struct hist *hist);

/*
 * The value that at least `share` (0..1) of all values do not exceed, in ns, as HdrHistogram's getValueAtPercentile has
 * it: the highest value of the bucket where the count rounded up is reached, a hair forgiven (0.55 of 100 is 55), and at
 * least one. But other than there never above hist_max nor below hist_min: share 1 is the maximum, share 0 the minimum.
 * 0 where count is 0.
 */
int64_t hist_quantile(const struct hist *hist, double share);

/* Count, minimum, p50, p90, p99, p99.9 and maximum for a result. */
struct spread hist_spread(const struct hist *hist);

/*
 * Says more about the minimum and the maximum than was recorded, for a histogram whose values were read from buckets.
 * Each is taken only if it lies in the bucket of the one there is, so that nothing else changes.
 */
void hist_widen(struct hist *hist, int64_t min_ns, int64_t max_ns);

/* A bucket: values from low_ns to high_ns, both included. */
struct hist_bucket {
	int64_t low_ns, high_ns;
	uint64_t count;
};

/*
 * Each bucket that isn't empty, lowest first; false behind the last. *at is 0 at first, and then one more than the
 * bucket's number in the layout. For curves, and for hlog.
 */
bool hist_next(const struct hist *hist, size_t *at, struct hist_bucket *bucket);

#endif
