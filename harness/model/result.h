/*
 * result: what a run found: the only thing that reports read. Data only.
 *
 * Three outcomes are never mixed: a finding (the SUT broke its contract), a problem (onus could not judge: usage,
 * environment, floor, measurement), and BUG(), which ends the program. All strings are of the run's arena; they may hold
 * any bytes but NUL, for a SUT's answer is quoted in them: each report escapes.
 *
 *	struct run_result result = { .arena = arena, .version = ..., .seed = seed };
 *	result_plan(&result, id);		for each case that is going to run, before the first report is begun
 *	... result.cases grows ...
 *	return result_exit(&result);
 */
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include "base/arena.h"
#include "base/place.h"
#include "model/chart.h"

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

/* A quantity that a step measured; see model/measure.h. */
struct figure {
	const char *step;  /* its pointer in the case file: "/steps/0" */
	const char *cell;  /* "accept=gzip", or "" */
	const char *name;  /* "probe.p99" */
	const char *value; /* with its unit, exact: "83.123us"; quantity_parse reads it */
	const char *note;  /* for people, or NULL */
};

struct problem {
	enum problem_kind kind;
	struct place place; /* line 0 where it has none */
	const char *text;
};

/*
 * What stands in a case by its outcome: passed has neither findings nor problems; failed has findings and no problems;
 * skipped has a skip_reason; error has problems, and the findings made before it stopped, if any.
 */
struct case_result {
	const char *id, *file, *title;
	const char *why; /* what the contract is there for, or NULL */
	enum outcome outcome;
	size_t cells, checks, requests;
	int64_t duration_ns;
	struct finding *findings;
	size_t finding_count;
	struct problem *problems;
	size_t problem_count;
	struct figure *figures;
	size_t figure_count;
	struct chart *charts;
	size_t chart_count;
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
	size_t planned;  /* how many cases were to run; more than case_count where it was stopped */
	size_t id_width; /* bytes of the longest id planned, for columns that hold while streaming */
	struct case_result *cases; /* in the order of the files */
	size_t case_count;
	struct problem *problems; /* of the run as a whole: too few cases, an unwritable report */
	size_t problem_count;
};

struct totals {
	size_t passed, failed, skipped, errors;
	size_t cells, checks, requests;
};

/* Counts a case in that is going to run. */
void result_plan(struct run_result *result, const char *id);

struct totals result_totals(const struct run_result *result);
/*
 * The first of 2, 3, 1, 4, 5 that applies; else 77 where there are cases and all were skipped; else 0. That there are
 * enough cases is no question for here: whoever runs them adds a PROBLEM_FLOOR. BUG() for an error without a problem.
 */
int result_exit(const struct run_result *result);
const char *outcome_word(enum outcome outcome);   /* passed failed skipped error */
const char *problem_word(enum problem_kind kind); /* usage environment floor invalid */

#endif
