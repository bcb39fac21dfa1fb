/*
 * arrival: when the next request of an open loop is due, whatever became of those before.
 *
 * Pure: it never asks the clock. Times are offsets in ns from the start of the load. Each is computed from the number of
 * the request, never added up from gaps, so that a schedule doesn't drift: request k of a constant rate is due at
 * k/rate. How many may be in flight, and what a late send means, is the engine's.
 *
 *	struct arrival_plan plan = { .kind = ARRIVAL_CONSTANT, .rate_per_s = 2000, .length_ns = 10 * NS_PER_S };
 *	rc = arrival_check(&plan, &err);
 *	arrival_init(&arrival, &plan, &rng);
 *	for (int64_t due; (due = arrival_next(&arrival)) != CLOCK_NEVER;)
 *		send a request at start_ns + due
 */
#ifndef LOAD_ARRIVAL_H
#define LOAD_ARRIVAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"

enum arrival_kind {
	ARRIVAL_CONSTANT, /* evenly spaced */
	ARRIVAL_POISSON,  /* independent of each other: gaps are exponential */
	ARRIVAL_RAMP, /* the rate goes in a line from rate_per_s to to_per_s over ramp_ns and stays there */
	ARRIVAL_STAGES, /* the rate goes in a line to each stage's, as k6's ramping-arrival-rate has it */
	ARRIVAL_BURST, /* burst_size at once, every burst_every_ns, the first at 0 */
};

enum { ARRIVAL_MAX_STAGES = 64 };

struct arrival_stage {
	int64_t length_ns; /* 0: the rate jumps */
	double to_per_s;   /* at its end; 0 is allowed */
};

/* Plain data, zeroed where a kind doesn't ask for it. Stages are borrowed: they live as long as the arrival. */
struct arrival_plan {
	enum arrival_kind kind;
	int64_t length_ns; /* nothing is due from here on; CLOCK_NEVER: no end. STAGES: not used, the stages' sum */
	double rate_per_s; /* CONSTANT, POISSON; RAMP and STAGES: where they begin, 0 is allowed */
	double to_per_s;   /* RAMP */
	int64_t ramp_ns;   /* RAMP */
	const struct arrival_stage *stages; /* STAGES */
	size_t stage_count;
	uint64_t burst_size;    /* BURST */
	int64_t burst_every_ns; /* BURST */
	/*
	 * Which share of the schedule: requests index, index + count, index + 2 count... All shares together are the
	 * whole, to the ns, if they have the same plan and an rng of the same seed and name. count 0: the whole.
	 * Thread t of T in shard i of N is index i * T + t of count N * T.
	 */
	struct {
		uint64_t index, count;
	} share;
};

/* A stretch in which the rate goes in a line; each kind but BURST is made of them. */
struct arrival_piece {
	int64_t start_ns, length_ns;
	double from_per_s, to_per_s;
	double first,
		behind; /* how many of the whole schedule are due before it, and before its end */
};

/* Not to be looked into. */
struct arrival {
	struct arrival_plan plan;
	struct rng rng;
	uint64_t number; /* of the next request, in the whole schedule */
	uint64_t drawn;  /* POISSON: how many gaps make up the position */
	double position; /* POISSON: how many would be due by now at an even pace */
	size_t pieces;   /* up to the present one */
	struct arrival_piece piece;
};

/* RC_USAGE with what was expected and found: rates that aren't finite, a schedule in which nothing is ever due... */
enum rc arrival_check(const struct arrival_plan *plan, struct err *err) MUST_USE;

/*
 * The plan must hold by arrival_check. rng is copied: only POISSON draws from it, and what the caller draws makes no
 * difference. It may be NULL for the other kinds.
 */
void arrival_init(struct arrival *arrival, const struct arrival_plan *plan, const struct rng *rng);

/* When the next request of this share is due: ns since the start, never less than the one before; CLOCK_NEVER: no more. */
int64_t arrival_next(struct arrival *arrival);

/* The rate that the whole plan (not the share) asks for at t_ns, per second; BURST: on average; 0 from its end on. */
double arrival_rate(const struct arrival_plan *plan, int64_t t_ns);

/* How many requests of the whole plan (not the share) are due before t_ns; POISSON: on average. */
double arrival_due(const struct arrival_plan *plan, int64_t t_ns);

#endif
