/*
 * mix: picks among kinds of requests by weight.
 *
 *	struct mix mix;
 *	rc = mix_init(&mix, (double[]){ 7, 2, 1 }, 3, &err);
 *	kind = mix_pick(&mix, &rng);
 *
 * Each pick is independent of those before; in the long run each kind has its weight's share.
 */
#ifndef LOAD_MIX_H
#define LOAD_MIX_H

#include <stddef.h>

#include "base/err.h"
#include "base/rng.h"

enum { MIX_MAX = 256 };

/* Not to be looked into. Plain data: threads may copy or share it. */
struct mix {
	size_t count;
	double upto
		[MIX_MAX]; /* the share of all kinds up to this one; 1 for the last that has weight */
};

/*
 * weights[count], any positive numbers; 0 is never picked. RC_USAGE: more than MIX_MAX or none, a weight that is
 * negative or not finite, or no weight at all.
 */
enum rc mix_init(struct mix *mix, const double *weights, size_t count, struct err *err) MUST_USE;

/* 0 <= index < count. Draws one number, none where there is but one kind. */
size_t mix_pick(const struct mix *mix, struct rng *rng);

#endif
