/*
 * steps: what runs a step of each verb.
 *
 * To add a verb: a file step_VERB.c with its function, and a row in the table of steps.c; see case/steps.h for its form.
 */
#ifndef DRIVE_STEPS_H
#define DRIVE_STEPS_H

#include "drive/judge.h"

/* Runs one cell of a step once. False where something was found or told, so that `retry` tries again. */
typedef bool step_run(struct case_run *c, const struct walk_step *at, struct scope *scope);

step_run step_request;
step_run step_raw;
step_run step_refuses;
step_run step_exec;
step_run step_pause;
step_run step_stream;
step_run step_await;
step_run step_quiet;
step_run step_budget;
step_run step_upstream;
step_run step_journal;
step_run step_parallel;
step_run step_barrier;
step_run step_probe;
step_run step_openapi;
step_run step_load;
step_run step_hold;

/* What runs a step of the verb; NULL for a group, whose steps run by themselves. */
step_run *steps_find(enum verb verb);

/* The walk's visitor: repeat, retry, being alone, and what all steps have in common. */
enum rc steps_visit(void *self, const struct walk_step *at);
/* A matrix that cannot be unfolded at run time. */
void steps_broken(void *self, const struct step *step, const struct err *err);

/* Sends a request and judges the answer: what step_request and step_raw share. Takes captures and the name. */
bool steps_exchange(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct request *request, const char *details);

/* The exchange is what later steps know by the step's name; it is theirs from now on. */
void steps_keep_named(struct case_run *c, const struct walk_step *at, struct exchange *exchange);

/* The step's `within`, at most what the groups around it leave. */
enum rc steps_within(struct case_run *c, const struct walk_step *at, struct scope *scope,
	int64_t otherwise_ns, int64_t *ns, struct err *err) MUST_USE;

#endif
