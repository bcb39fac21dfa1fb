/*
 * ready: waits until a process that was started is ready, in one of the ways of enum ready_kind.
 *
 * Each way is a row of the table in ready.c: how it begins before the process is started, how it looks, what it waits
 * for. A new way is a value in sut.h, its functions and its row.
 *
 *	struct ready_wait *wait;
 *	ready_begin(spec, &wait, &err);
 *	crew_add(..., { .notify = ready_notify(wait) }, &err);
 *	ready_until(wait, &crew, index, deadline_ns);
 *	ready_free(wait);
 */
#ifndef SUT_READY_H
#define SUT_READY_H

#include "sut/crew.h"

struct ready_wait;

/* Before the start, since a process may be quick. RC_USAGE for a pattern that does not compile, RC_ENVIRONMENT. */
enum rc ready_begin(
	const struct process_spec *spec, struct ready_wait **wait, struct err *err) MUST_USE;
void ready_free(struct ready_wait *wait);
/* What NOTIFY_SOCKET must say, or NULL. */
const char *ready_notify(const struct ready_wait *wait);

/*
 * Waits for children[index] of the crew, whose spec this wait was begun with. RC_CLOSED where any process of the crew
 * has ended, RC_TIMEOUT when until_ns has come, RC_ENVIRONMENT when an interrupt has.
 */
enum rc ready_until(
	struct ready_wait *wait, struct crew *crew, size_t index, int64_t until_ns) MUST_USE;
/* What it waits for, and how far that went: "GET /health at 127.0.0.1:4000 (connect: Connection refused)". */
void ready_describe(const struct ready_wait *wait, char *text, size_t size);

#endif
