/*
 * result: what a run found: the only thing that reports read. Data only.
 *
 * Three outcomes are never mixed: a finding (the SUT broke its contract), a problem (onus could not judge: usage,
 * environment, floor, measurement), and BUG(), which ends the program. All strings are of the run's arena.
 */
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include "base/arena.h"
#include "base/place.h"

enum outcome { OUTCOME_PASSED, OUTCOME_FAILED, OUTCOME_SKIPPED, OUTCOME_ERROR };

/* What a problem means for the exit code: 2, 3, 4 and 5. */
enum problem_kind { PROBLEM_USAGE, PROBLEM_ENVIRONMENT, PROBLEM_FLOOR, PROBLEM_INVALID };

struct finding {
	struct place place; /* the expectation in the case file */
	const char *
		request; /* "GET /assets/app.css", or the step: "refuses", "exec"; "SUT" for a crash */
	const char *
		details; /* "Accept-Encoding: gzip": what sets this request apart from its siblings; or "" */
	const char *what; /* "header Vary", "status", "body.decoded" */
	const char *expected, *found;
	const char *cell;     /* "accept=gzip, file=app.css", or "" */
	const char *exchange; /* path of the saved exchange, or NULL */
	const char *again;    /* the command that runs it again */
};

struct problem {
	enum problem_kind kind;
	struct place place; /* line 0 where it has none */
	const char *text;
};

struct case_result {
	const char *id, *file, *title;
	enum outcome outcome;
	size_t cells, checks, requests;
	int64_t duration_ns;
	struct finding *findings;
	size_t finding_count;
	struct problem *problems;
	size_t problem_count;
	const char *skip_reason; /* NULL but for OUTCOME_SKIPPED */
	const char *output;      /* last lines of the SUT's output where the case failed, or NULL */
	const char *run_dir;     /* NULL once removed */
};

struct run_result {
	struct arena *arena;
	const char *version;   /* of onus: "0.1.0" */
	const char *libraries; /* "libcurl 7.88.1 · zlib 1.2.13 ..." */
	const char *libcurl;   /* "7.88.1" */
	const char *started;   /* RFC 3339, UTC */
	const char *command;   /* the command line, for "again" and metadata */
	const char *fault;     /* --fault, or NULL */
	const char *run_dir;
	uint64_t seed;
	int64_t duration_ns;
	struct case_result *cases; /* in the order of the files */
	size_t case_count;
	struct problem *problems; /* of the run as a whole: too few cases, an unwritable report */
	size_t problem_count;
};

struct totals {
	size_t passed, failed, skipped, errors;
	size_t cells, checks, requests;
};

struct totals result_totals(const struct run_result *result);
/* 0, 1, 2, 3, 4, 5 or 77 by the rule of the README: the first of 2, 3, 1, 4, 5 that applies. */
int result_exit(const struct run_result *result);
const char *outcome_word(enum outcome outcome);   /* passed failed skipped error */
const char *problem_word(enum problem_kind kind); /* usage environment floor invalid */

#endif
