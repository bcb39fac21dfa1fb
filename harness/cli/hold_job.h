/*
 * hold_job: what the command line of `onus load URL --hold N` asks for. Nothing is connected to.
 *
 *	struct hold_job hold;
 *	if (options->load.hold)
 *		rc = hold_job_read(&options, &job, &hold, &err);	// job: of load_job_read(), which has the address
 */
#ifndef CLI_HOLD_JOB_H
#define CLI_HOLD_JOB_H

#include "cli/hold_number.h"
#include "cli/load_job.h"

struct hold_job {
	const struct load_job *load; /* where to, what is asked for, whose cost is sampled */
	struct load_plan plan;       /* for hold_new(); stop_fd is the caller's to set */
	size_t up_to, add;           /* add: in each round, at most */
	size_t enough;               /* fewer in the end is a broken contract */
	bool until_oom;              /* the end is the SUT's, killed by the kernel */
	int64_t every_ns;            /* from one round's beginning to the next one's, at least */
	int64_t within_ns;   /* for a round's heads; and for the bytes that the trigger brings */
	int64_t stay_ns;     /* how long all of them are held in the end */
	const char *trigger; /* for sh -c, in each round; or NULL */
	struct hold_threshold *thresholds;
	size_t threshold_count;
};

/* RC_USAGE with the option as err's `where`. */
enum rc hold_job_read(const struct options *options, const struct load_job *load,
	struct hold_job *job, struct err *err) MUST_USE;

#endif
