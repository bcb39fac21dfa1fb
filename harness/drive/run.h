/*
 * run: runs cases, several at a time, each with its own SUT and folder.
 *
 * Workers take jobs in their order; done() is called on the caller's thread, also in their order, as soon as a job and
 * all before it are through.
 */
#ifndef DRIVE_RUN_H
#define DRIVE_RUN_H

#include <stdatomic.h>

#include "case/cells.h"
#include "drive/alone.h"
#include "http/connection.h"
#include "model/case.h"
#include "measure/load_null.h"
#include "model/result.h"
#include "sut/sample.h"
#include "sut/sut.h"

struct run {
	const struct suite *suite;
	struct sut_host *host;
	const struct client_options
		*target; /* an already running SUT: --target; or NULL: onus starts it */
	struct sample_source
		target_cost; /* --pid, --container: whose cost is sampled; neither: nobody's */
	uint64_t seed;
	const char *from;    /* the working directory, absolute; "" where it has none */
	const char *run_dir; /* absolute, exists */
	bool keep;           /* folders of cases that passed stay */
	bool fail_fast;
	unsigned workers;
	const struct cell_filter *filters;
	size_t filter_count;
	const char *again;      /* what every "again" command ends with: " --suite x" */
	const atomic_int *stop; /* a signal came: no new step is begun */
	int stop_fd;            /* readable from then on, so that no wait outlasts it; -1: none */
	struct alone alone;     /* of run_jobs */
	struct load_null null;  /* what onus can do at most, for cases that load; else not driven */
};

struct job {
	const struct case_file *one;
	const char *fault; /* or NULL */
	const char *
		folder; /* in the run directory: tells two jobs of one case apart; NULL: the case's id */
	struct arena *arena; /* of the result's texts; run_jobs makes it, the caller frees it */
	struct case_result result;
};

/*
 * Fills the result of every job. With fail_fast, or when *run->stop is set, jobs not begun yet are skipped with that
 * reason.
 */
void run_jobs(struct run *run, struct job *jobs, size_t count,
	void (*done)(void *self, const struct job *job), void *self);

#endif
