#include "load/mix.h"

#include <math.h>

enum rc mix_init(struct mix *mix, const double *weights, size_t count, struct err *err)
{
	double sum = 0, upto = 0;
	size_t last = 0;
	if (!count || count > MIX_MAX)
		return err_set(err, RC_USAGE, "", "expected 1 to %d kinds of requests, found %zu",
			MIX_MAX, count);
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(weights[i]) || weights[i] < 0)
			return err_set(err, RC_USAGE, "",
				"expected weights that are numbers from 0 on, found %g",
				weights[i]);
		sum += weights[i];
		if (weights[i] > 0)
			last = i;
	}
	if (!(sum > 0) || !isfinite(sum))
		return err_set(
			err, RC_USAGE, "", "expected a sum of weights above 0, found %g", sum);
	mix->count = count;
	for (size_t i = 0; i < count; i++) {
		upto += weights[i];
		mix->upto[i] = i < last ? upto / sum : 1;
	}
	return RC_OK;
}

size_t mix_pick(const struct mix *mix, struct rng *rng)
{
	size_t low = 0, high = mix->count - 1;
	if (!high)
		return 0;
	double share = rng_share(rng);
	/* The first whose upper end is above: one of weight 0 ends where it begins, so it never is. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (share < mix->upto[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
