/*
 * wait: how a step waits: the transfers of its engine progress, and the other lists of a `parallel` have their turn.
 *
 * The lists of a `parallel` are threads of which one at a time has the turn: what a case shares needs no other lock.
 * The turn is given up only by these functions.
 */
#ifndef DRIVE_WAIT_H
#define DRIVE_WAIT_H

#include "drive/case_run.h"

/* RC_OK once done(self), RC_TIMEOUT at the deadline, RC_CLOSED where a signal ended the run. */
enum rc wait_until(
	struct case_run *c, bool (*done)(void *self), void *self, int64_t deadline_ns) MUST_USE;

/* RC_TIMEOUT, or RC_CLOSED where a signal ended the run. */
enum rc wait_pause(struct case_run *c, int64_t until_ns) MUST_USE;

/*
 * Around work that knows nothing of engines and lists, such as a load: other lists have their turn meanwhile. What stands
 * in between must not touch what a case shares.
 */
void wait_aside(struct case_run *c);
void wait_back(struct case_run *c);

/* client_exchange with other lists having their turn. Never NULL. */
struct exchange *wait_exchange(
	struct case_run *c, struct client *client, const struct request *request) MUST_USE;

#endif
