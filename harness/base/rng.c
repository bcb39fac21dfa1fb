#include "base/rng.h"

#include <stddef.h>

#include "base/err.h"

static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* FNV-1a: names differ in few bits, which splitmix64 then spreads. */
static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
	return hash;
}

void rng_init(struct rng *rng, uint64_t seed, const char *name)
{
	uint64_t state = seed;
	if (name && *name)
		state = splitmix64(&state) ^ hash_name(name);
	for (size_t i = 0; i < 4; i++)
		rng->state[i] = splitmix64(&state);
}

static uint64_t rotate(uint64_t x, int left)
{
	return (x << left) | (x >> (64 - left));
}

uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
	if (!bound)
		BUG("a random number below 0");
	/* 2^64 mod bound: as many of the lowest numbers are thrown away, so that the rest divides evenly. */
	uint64_t surplus = (0 - bound) % bound;
	uint64_t n;
	do
		n = rng_next(rng);
	while (n < surplus);
	return n % bound;
}

double rng_share(struct rng *rng)
{
	return (double)(rng_next(rng) >> 11) * 0x1p-53;
}
