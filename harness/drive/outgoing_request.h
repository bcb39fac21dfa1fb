/*
 * outgoing_request: a step's request as http/ takes it, with what its session adds.
 */
#ifndef DRIVE_OUTGOING_REQUEST_H
#define DRIVE_OUTGOING_REQUEST_H

#include "drive/case_run.h"
#include "http/client.h"

/* Of the cell's arena. details: the fields that the case wrote, for findings. RC_USAGE with err.text set. */
enum rc outgoing_request(struct case_run *c, const struct step *step, struct scope *scope,
	struct request *request, const char **details, struct err *err) MUST_USE;

/* Adds the Last-Event-ID of a stream step's `resume`. */
enum rc outgoing_resume(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct request *request, struct err *err) MUST_USE;

/* Puts a line behind those that are there. The texts are not copied. */
void outgoing_header(
	struct case_run *c, struct request *request, const char *name, const char *value);

/* What the session of the step's user adds, where the request has no such field; nothing without a user. */
void outgoing_session(struct case_run *c, const struct step *step, struct request *request);

#endif
