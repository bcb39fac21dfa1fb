/*
 * guard: whether every operation that is not public refuses who has no credentials.
 *
 * A control session calls it as well: where that is refused too, the refusal proves nothing. Any other answer will do,
 * also 404: the document's examples may name nothing that is there.
 */
#ifndef DRIVE_GUARD_H
#define DRIVE_GUARD_H

#include "drive/operation_call.h"

/* How many operations were found guarded. guard is the step's, resolved. Findings and checks are in the tally. */
size_t guard_walk(const struct operation_caller *caller, const struct operations *operations,
	const cJSON *guard);

#endif
