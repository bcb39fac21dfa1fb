/*
 * proof: what `onus prove` has to find out, apart from how it is printed.
 *
 * A fault is caught by a case where the case is green before, fails with the finding that it names under the fault, and
 * is green after. A crash of the SUT or an error of onus never counts as caught.
 */
#ifndef CLI_PROOF_H
#define CLI_PROOF_H

#include "cli/session.h"

enum pair_state { PAIR_CAUGHT, PAIR_MISSED, PAIR_SKIPPED };

/* A case under a fault. */
struct pair {
	const struct case_file *one;
	const char *fault;
	const struct catch *catch; /* NULL: not claimed; only the matrix of --full has such pairs */
	enum pair_state state;
	const char *pointer; /* of the finding that counts, or NULL */
	const char *reason;  /* why it was missed or skipped, or NULL */
};

struct proof {
	struct session *session;
	const char **faults;
	size_t fault_count;
	struct pair *pairs;
	size_t pair_count;
	/* Everything else that keeps the proof from standing: texts of the session's arena, most with a place. */
	const char **complaints;
	size_t complaint_count;
	size_t usage;       /* how many of them are mistakes in a case file: exit 2 */
	size_t environment; /* how many of them are not about the SUT or the cases: exit 3 */
	bool all_skipped;   /* no case could be run at all */
	void (*on_pair)(const struct proof *proof, const struct pair *pair);
};

/* Everything that can be told without running: unknown faults, faults that nobody catches, cases that catch none. */
void proof_check(struct proof *proof);

/* What a case's result under the pair's fault says: fills state, and pointer or reason (of the arena). */
void proof_judge(struct arena *arena, struct pair *pair, const struct case_result *result);

/* Runs before, under every fault (claimed ones, or with full all of them), after. */
void proof_run(struct proof *proof, bool full);

/* The first of 2, 3 and 1 that applies; else 77 where no case could be run; else 0. */
int proof_exit(const struct proof *proof);

#endif
