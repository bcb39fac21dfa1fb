/*
 * operation_call: one operation of an OpenAPI document is called as the document has it, by a user or by nobody.
 *
 * An operation whose answer is an event stream ends with its head: it has no other end.
 */
#ifndef DRIVE_OPERATION_CALL_H
#define DRIVE_OPERATION_CALL_H

#include "drive/case_run.h"
#include "openapi/operations.h"

/* What the calls of one step have in common. */
struct operation_caller {
	struct case_run *c;
	const struct walk_step *at;
	struct scope *scope;
	int64_t within_ns;
};

/* as NULL: without credentials. Never NULL; counted as a request. */
struct exchange *operation_call(const struct operation_caller *caller,
	const struct operation *operation, const char *as) MUST_USE;

/* Did an answer come to its end, in sound framing? */
bool operation_answered(const struct exchange *exchange);

/* For people: "status 200", how it failed, or what is wrong with its framing. */
const char *operation_ending(struct case_run *c, const struct exchange *exchange);

/* Does the list of a case ("/items/{id}", "GET /items/{id}") name the operation? NULL is an empty list. */
bool operation_listed(const cJSON *list, const struct operation *operation);

/* A finding at each entry of the list that names no operation at all. below: where the list stands in the step. */
void operation_strangers(const struct operation_caller *caller, const cJSON *list,
	const char *below, const struct operations *operations);

/* A finding of one operation; none where a signal came, which cuts answers off. */
void operation_finding(const struct operation_caller *caller, const struct operation *operation,
	const struct exchange *exchange, const char *below, const char *expected);

#endif
