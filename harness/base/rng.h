/*
 * rng: random numbers from the printed seed: xoshiro256** (Blackman and Vigna), seeded by splitmix64.
 *
 * A thread or case owns its own, made from the run's seed and a name, so that a case draws the same numbers whatever
 * ran beside it.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state[4];
};

/* Without a name (NULL or ""), the state is the first four outputs of splitmix64 for the seed. */
void rng_init(struct rng *rng, uint64_t seed, const char *name);
uint64_t rng_next(struct rng *rng);
/* 0 <= n < bound, without bias; bound > 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);
/* 0 <= x < 1. */
double rng_share(struct rng *rng);

#endif
