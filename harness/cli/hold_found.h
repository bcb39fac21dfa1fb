/*
 * hold_found: all that holding streams has found, round by round, and what it comes to: numbers, verdicts, the exit status.
 * hold_run.h fills it, reports print it.
 */
#ifndef CLI_HOLD_FOUND_H
#define CLI_HOLD_FOUND_H

#include "cli/hold_job.h"
#include "http/hold.h"
#include "model/cost.h"

/* At the end of a round, or at a second of the time behind the last. COST_ABSENT: not known. */
struct hold_point {
	int64_t at_ns; /* since the start */
	size_t round;  /* from 1; 0: not at the end of one */
	struct hold_counts counts;
	int64_t own_bytes; /* resident, onus's */
	int64_t sut_bytes, descriptors;
	int64_t cap_bytes, kernel_bytes; /* of the SUT's memory cgroup */
	int64_t buffer_bytes;            /* TCP and UDP, the whole machine */
};

enum hold_end {
	HOLD_REACHED, /* as many as wanted were held */
	HOLD_KILLED,  /* the SUT's memory cap was full */
	HOLD_ENDED,   /* the SUT ended otherwise */
	HOLD_BROKEN,  /* streams failed or ended */
	HOLD_UNHEARD, /* a stream did not hear of the trigger */
	HOLD_STOPPED, /* a signal */
};
const char *hold_end_word(enum hold_end end); /* "reached" */

struct hold_found {
	const struct hold_job *job;
	const char *version, *libcurl, *command, *started; /* wall time, RFC 3339 */
	uint64_t seed;
	struct hold_point *points;
	size_t point_count;
	struct hold_counts counts; /* in the end */
	size_t held;
	enum hold_end end;
	uint64_t cap_limit_bytes; /* 0: the SUT has no memory cap, or is not known */
	bool has_cost;
	struct cost_sum cost;
	/* Of hold_found_judge(). */
	struct measures numbers;
	struct load_verdict *verdicts; /* of each threshold */
	const char *why;               /* it ended so, in a sentence */
	const char *problem;           /* of the environment, or NULL */
	int exit;
};

/* Fills the rest from what was seen. */
void hold_found_judge(struct hold_found *found);

#endif
