/*
 * load_job: what the command line of `onus load` asks for, checked and made into plans. Nothing is connected to.
 *
 *	struct load_job job;
 *	if (load_job_read(&options, seed, &job, &err) != RC_OK) ...	// a usage error, or a file that can't be read
 *	load_run(&job.arms[0].plan, ...);
 *
 * An arm is one run of load; `--accept both` has two, which differ in the header Accept-Encoding only.
 */
#ifndef CLI_LOAD_JOB_H
#define CLI_LOAD_JOB_H

#include "cli/load_threshold.h"
#include "cli/load_urls.h"
#include "cli/options.h"
#include "sut/sample.h"

enum { LOAD_ARMS_MAX = 2 };

struct load_arm {
	const char *name;      /* "load"; of two: "none" and "gzip" */
	const char *asks_for;  /* the value of Accept-Encoding, or NULL: it is not sent */
	struct load_plan plan; /* stop_fd, second and self are the caller's to set */
};

struct load_job {
	struct arena *arena; /* the options'; everything below is of it */
	struct load_arm arms[LOAD_ARMS_MAX];
	size_t arm_count;
	const char *url;   /* of the server, for people: "http://127.0.0.1:8080" */
	const char *shape; /* "closed loop, 10 users" */
	struct load_threshold *thresholds;
	size_t threshold_count;    /* 0 with --hold, which has others */
	struct sample_source cost; /* of --pid or --container; neither: the SUT is not sampled */
	bool calibrate;
};

/*
 * stdin_text: what standard input has, where load_job_wants_stdin() says that it is read; else absent. RC_USAGE, with
 * the option as err's `where`, or RC_ENVIRONMENT.
 */
enum rc load_job_read(const struct options *options, uint64_t seed, struct slice stdin_text,
	struct load_job *job, struct err *err) MUST_USE;

/* `-` among the URLs, or --body @-. */
bool load_job_wants_stdin(const struct options *options);

/* How long it will take without the drain, ns; CLOCK_NEVER where only -n ends it. */
int64_t load_plan_length(const struct load_plan *plan);

#endif
