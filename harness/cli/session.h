/*
 * session: what run and prove have in common: a suite and its cases loaded and checked, and everything set up to run
 * them.
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/cli.h"
#include "drive/run.h"

struct session {
	struct arena *arena;
	const struct options *options;
	struct suite *suite;
	struct case_file **cases; /* those that the options want, in the order of their files */
	size_t case_count;
	size_t found, filtered,
		tagged; /* files; those left by --filter; those of them left by --tag */
	struct run run;
	struct client_options target;
	bool *cells_used; /* one for each --cell */
};

/*
 * Loads; prints what is wrong to stderr. EXIT_HELD, or the code to end with. The session is to be closed in any case.
 */
int session_load(struct session *session, const struct options *options) MUST_USE;

/* Why case_count is 0: which option nothing matched. Of the arena, or constant. */
const char *session_no_case(const struct session *session);

/* Loads nothing more, but makes the run directory and what starts processes. Call it before any thread exists. */
int session_set_up(struct session *session) MUST_USE;

void session_close(struct session *session);

/* Names of the SUT's faults, of the arena; none where the suite has no `faults`. */
int session_faults(struct session *session, const char ***faults, size_t *count) MUST_USE;

/* The seed of the options, or a random one. */
uint64_t session_seed(const struct options *options);

#endif
