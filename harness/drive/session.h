/*
 * session: signs in the users that a case names by `as`, before its first step, and keeps what that brought.
 *
 * The suite's `sessions.steps` run once for each user and SUT; what they capture is `${session.NAME}` of every step with
 * that `as`, and `sessions.adds` is put into its requests.
 */
#ifndef DRIVE_SESSION_H
#define DRIVE_SESSION_H

#include "drive/case_run.h"

struct session_user {
	struct session_user *next;
	const char *variant; /* of the SUT, or NULL */
	const char *name;
	const cJSON *captured; /* { "token": ..., "account": ... } */
	const cJSON *headers;  /* what `adds` brings, resolved; or NULL */
};

/* Signs in every user of the case. False after a finding or problem: without them nothing can be judged. */
bool session_sign_in(struct case_run *c, struct scope *scope);

/* NULL for a step without `as`. */
const struct session_user *session_of(const struct case_run *c, const struct step *step);

#endif
