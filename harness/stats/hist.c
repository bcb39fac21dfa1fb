#include "stats/hist.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * HdrHistogram's layout. A value below 2048 units has a bucket of its own unit; each doubling above shares 1024 buckets,
 * the upper half of 2048. So a slot's number is (doubling + 1) * 1024 + the unit's place in that half.
 */
enum {
	UNIT_BITS = 9, /* 512 ns: the largest power of two that is not above HIST_LOWEST_NS */
	HALF_BITS =
		10, /* 2048 = 2 << 10: the smallest power of two that is not below 2 * 10^HIST_DIGITS */
	HALF = 1 << HALF_BITS,
	DOUBLINGS = 23, /* 2048 units doubled 22 times are above an hour */
	SLOTS = (DOUBLINGS + 1) * HALF,
};

struct hist {
	uint64_t count, over;
	int64_t min_ns, max_ns; /* INT64_MAX and 0 where count is 0 */
	unsigned __int128 sum_ns;
	uint64_t slots[SLOTS];
};

static inline size_t slot_of(int64_t ns)
{
	uint64_t value = (uint64_t)ns;
	/* With the units of the first half set, whatever is below them is in doubling 0. */
	int doubling =
		63 - __builtin_clzll(value | (2 * HALF - 1) << UNIT_BITS) - UNIT_BITS - HALF_BITS;
	return ((size_t)doubling << HALF_BITS) + (size_t)(value >> (doubling + UNIT_BITS));
}

static struct hist_bucket bucket_of(const struct hist *hist, size_t slot)
{
	size_t doubling = slot < HALF ? 0 : (slot >> HALF_BITS) - 1;
	int64_t units = (int64_t)(slot - (doubling << HALF_BITS));
	int64_t low = units << (doubling + UNIT_BITS);
	return (struct hist_bucket){ low, low + (INT64_C(1) << (doubling + UNIT_BITS)) - 1,
		hist->slots[slot] };
}

struct hist *hist_new(void)
{
	struct hist *hist = mem_alloc(1, sizeof *hist);
	hist->min_ns = INT64_MAX;
	return hist;
}

void hist_free(struct hist *hist)
{
	free(hist);
}

void hist_clear(struct hist *hist)
{
	if (hist->count) {
		size_t first = slot_of(hist->min_ns), last = slot_of(hist->max_ns);
		memset(hist->slots + first, 0, (last - first + 1) * sizeof *hist->slots);
	}
	hist->count = hist->over = 0;
	hist->min_ns = INT64_MAX;
	hist->max_ns = 0;
	hist->sum_ns = 0;
}

void hist_record(struct hist *hist, int64_t ns)
{
	hist_record_many(hist, ns, 1);
}

void hist_record_many(struct hist *hist, int64_t ns, uint64_t count)
{
	if (!count)
		return;
	if (ns < 0)
		ns = 0;
	if (ns > HIST_HIGHEST_NS) {
		ns = HIST_HIGHEST_NS;
		hist->over += count;
	}
	if (ns < hist->min_ns)
		hist->min_ns = ns;
	if (ns > hist->max_ns)
		hist->max_ns = ns;
	hist->count += count;
	hist->sum_ns += (unsigned __int128)ns * count;
	hist->slots[slot_of(ns)] += count;
}

void hist_add(struct hist *into, const struct hist *from)
{
	if (!from->count)
		return;
	size_t last = slot_of(from->max_ns);
	for (size_t i = slot_of(from->min_ns); i <= last; i++)
		into->slots[i] += from->slots[i];
	into->count += from->count;
	into->over += from->over;
	into->sum_ns += from->sum_ns;
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

void hist_widen(struct hist *hist, int64_t min_ns, int64_t max_ns)
{
	if (!hist->count)
		return;
	if (min_ns >= 0 && slot_of(min_ns) == slot_of(hist->min_ns))
		hist->min_ns = min_ns;
	if (max_ns >= 0 && max_ns <= HIST_HIGHEST_NS && slot_of(max_ns) == slot_of(hist->max_ns))
		hist->max_ns = max_ns;
}

uint64_t hist_count(const struct hist *hist)
{
	return hist->count;
}

uint64_t hist_over(const struct hist *hist)
{
	return hist->over;
}

int64_t hist_min(const struct hist *hist)
{
	return hist->count ? hist->min_ns : 0;
}

int64_t hist_max(const struct hist *hist)
{
	return hist->max_ns;
}

double hist_mean(const struct hist *hist)
{
	return hist->count ? (double)hist->sum_ns / (double)hist->count : 0;
}

int64_t hist_quantile(const struct hist *hist, double share)
{
	if (!hist->count || !(share > 0))
		return hist_min(hist);
	if (share >= 1)
		return hist->max_ns;
	/* The next lower number makes up for all rounding: of a share that is k of count, k is never exceeded. */
	double rank = ceil(nextafter(share, 0) * (double)hist->count);
	uint64_t want = rank < 1 ? 1 : (uint64_t)rank;
	size_t slot = slot_of(hist->min_ns), last = slot_of(hist->max_ns);
	for (uint64_t seen = hist->slots[slot]; seen < want && slot < last;)
		seen += hist->slots[++slot];
	int64_t high_ns = bucket_of(hist, slot).high_ns;
	return high_ns < hist->max_ns ? high_ns : hist->max_ns;
}

struct spread hist_spread(const struct hist *hist)
{
	return (struct spread){ .count = hist->count,
		.min_ns = hist_min(hist),
		.p50_ns = hist_quantile(hist, 0.5),
		.p90_ns = hist_quantile(hist, 0.9),
		.p99_ns = hist_quantile(hist, 0.99),
		.p999_ns = hist_quantile(hist, 0.999),
		.max_ns = hist->max_ns };
}

bool hist_next(const struct hist *hist, size_t *at, struct hist_bucket *bucket)
{
	size_t behind = hist->count ? slot_of(hist->max_ns) + 1 : 0;
	while (*at < behind && !hist->slots[*at])
		++*at;
	if (*at >= behind)
		return false;
	*bucket = bucket_of(hist, (*at)++);
	return true;
}
