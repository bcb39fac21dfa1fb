#include "stats/spread.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

/* per_mille of count, rounded up, in whole numbers: 99.9% of 1000 is 999 and not one more. */
static int64_t at(const int64_t *sorted, size_t count, size_t per_mille)
{
	size_t rank = (count * per_mille + 999) / 1000;
	return sorted[rank ? rank - 1 : 0];
}

struct spread spread_of(int64_t *values_ns, size_t count)
{
	if (!count)
		return (struct spread){ 0 };
	qsort(values_ns, count, sizeof *values_ns, compare);
	return (struct spread){ .count = count,
		.min_ns = values_ns[0],
		.p50_ns = at(values_ns, count, 500),
		.p90_ns = at(values_ns, count, 900),
		.p99_ns = at(values_ns, count, 990),
		.p999_ns = at(values_ns, count, 999),
		.max_ns = values_ns[count - 1] };
}
