/*
 * users: how many users of a closed loop may be active, and how long each thinks between an answer and its next request.
 *
 * Pure: it never asks the clock. Times are offsets in ns from the start of the load.
 *
 *	struct users_plan plan = { .kind = USERS_RAMP, .users = 50, .length_ns = 10 * NS_PER_S };
 *	rc = users_check(&plan, &err);
 *	while (active < users_at(&plan, now_ns - start_ns))
 *		start one more
 *	next send of a user = end of its answer + users_think(&plan, &rng)
 */
#ifndef LOAD_USERS_H
#define LOAD_USERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"

enum users_kind {
	USERS_CONSTANT,
	USERS_RAMP, /* ten equal steps of a tenth of the users each, over ramp_ns; then all of them */
	USERS_STAGES, /* in a line to each stage's, as k6's ramping-vus has it */
};

enum users_thinking {
	USERS_THINK_CONSTANT,
	USERS_THINK_EXPONENTIAL, /* users who don't know of each other */
};

enum { USERS_MAX = 1000000, USERS_MAX_STAGES = 64, USERS_STEPS = 10 };

struct users_stage {
	int64_t length_ns; /* 0: their number jumps */
	uint64_t to;       /* at its end */
};

/* Plain data, zeroed where a kind doesn't ask for it. Stages are borrowed. */
struct users_plan {
	enum users_kind kind;
	uint64_t users; /* CONSTANT, RAMP; STAGES: where they begin */
	int64_t length_ns; /* no user is active from here on; CLOCK_NEVER: no end. STAGES: not used, the stages' sum */
	int64_t ramp_ns; /* RAMP: 0 is a quarter of length_ns, so that three quarters are the plateau */
	const struct users_stage *stages; /* STAGES */
	size_t stage_count;
	enum users_thinking thinking;
	int64_t think_ns; /* on average; 0: none */
	/* Which share of the users, as in arrival.h: all shares together have them all, at any time. count 0: all. */
	struct {
		uint64_t index, count;
	} share;
};

/* RC_USAGE with what was expected and found: no users, a length that isn't positive... */
enum rc users_check(const struct users_plan *plan, struct err *err) MUST_USE;

/* How many users of this share may be active at t_ns. Fewer than before: let those above it end their request and go. */
uint64_t users_at(const struct users_plan *plan, int64_t t_ns);

/* When their number changes next, ns since the start and above t_ns, at the latest; CLOCK_NEVER: no more. For timers. */
int64_t users_change(const struct users_plan *plan, int64_t t_ns);

/* The most that this share ever has: how many connections to prepare. */
uint64_t users_most(const struct users_plan *plan);

/* From when on all users are active and percentiles may be taken: the end of the ramp; 0 for the other kinds. */
int64_t users_ramp_end(const struct users_plan *plan);

/* How long a user waits before its next request, in ns; an exponential one at most 20 times the average. */
int64_t users_think(const struct users_plan *plan, struct rng *rng);

#endif
