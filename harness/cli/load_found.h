/*
 * load_found: all that a run of `onus load` has found, for its reports to print: what was measured, what spoils it,
 * how the thresholds were kept, and how the program ends. Reports compute nothing.
 */
#ifndef CLI_LOAD_FOUND_H
#define CLI_LOAD_FOUND_H

#include "measure/load_host.h"
#include "cli/load_job.h"

struct load_arm_found {
	const struct load_arm *arm;
	struct load_result *result;
	struct load_host before, after;
	struct load_reasons reasons;
	struct load_verdict *verdicts; /* of each threshold */
};

/* What the null server gave. */
struct load_null {
	bool driven;
	double ceiling_per_s; /* with as many users as the load has, at most */
	int64_t floor_ns;     /* service p50 of one user */
	const char *problem;  /* why not, or NULL: it was not wanted */
};

struct load_found {
	const struct load_job *job;
	const char *version, *libraries, *libcurl, *command, *started; /* wall time, RFC 3339 */
	double started_s; /* the same, seconds since 1970 */
	uint64_t seed;
	struct load_null null;
	struct load_arm_found arms[LOAD_ARMS_MAX];
	size_t arm_count;    /* that ran, maybe in part */
	bool partial;        /* a signal ended it, or an arm never began */
	const char *problem; /* of the environment, or NULL */
	const char *apart;   /* of two arms: why they can't be compared, or NULL */
	int exit;
};

/* Fills reasons, verdicts, problem and exit from the results. */
void load_found_judge(struct load_found *found);

/* What a histogram is of, for people: "response time"; text of `size` bytes, 64 at least. */
void load_found_label(
	const struct load_arm_found *one, enum load_hist which, char *text, size_t size);

/* The quantities that an arm has; how many there are. */
enum { LOAD_ROWS_MAX = 24 };
struct load_row {
	const char *name; /* "service.p99" */
	struct load_number number;
};
size_t load_found_rows(const struct load_found *found, struct load_row *rows, size_t room);

#endif
