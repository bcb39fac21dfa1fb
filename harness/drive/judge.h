/*
 * judge: holds what came back against what a step expects, and turns what is broken into findings.
 */
#ifndef DRIVE_JUDGE_H
#define DRIVE_JUDGE_H

#include "drive/case_run.h"

/* What is judged: an exchange, the end of a process, or what a step measured. */
struct judged {
	const struct exchange *exchange;
	const struct process_end *process;
	const struct measures *measures;
	const struct document *document; /* with them, of OpenAPI; or NULL */
	const char *request;             /* for people: "GET /x" */
	const char *details;             /* what sets it apart, or "" */
	int64_t within_ns;               /* for the finding that it was outlasted */
	bool again;                      /* what is implied has been judged already */
	bool strict_framing;             /* framing is judged where no group names it */
	bool refused; /* `refuses`: implied is an exit status other than 0, not 0 */
};

/* scope: the step's, with the SUT's names. False where a finding or a problem was told. */
bool judge(struct case_run *c, const struct walk_step *at, struct scope *scope,
	const struct judged *judged);

/* The same for one group that stands elsewhere in the step: nothing is implied but that there is an answer. */
bool judge_group_of(struct case_run *c, const struct walk_step *at, struct scope *scope,
	const struct judged *judged, const cJSON *group);

/* A finding at a place of the step: "/within". */
void judge_step_finding(struct case_run *c, const struct walk_step *at, const char *below,
	const struct judged *judged, const char *what, const char *expected, const char *found);

/* A problem at the step: the case cannot be judged. */
void judge_step_problem(
	struct case_run *c, const struct walk_step *at, enum rc rc, const char *text);

#endif
