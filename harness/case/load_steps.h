/*
 * load_steps: steps of a checked file as what model/case.h describes.
 */
#ifndef CASE_LOAD_STEPS_H
#define CASE_LOAD_STEPS_H

#include "model/case.h"

/* What a list of steps stands in. */
struct step_home {
	struct arena *arena;
	const struct json *json;
	const char *to, *as; /* of the case, or NULL */
	bool needs_sut;      /* set where some step sends a request, or has a user sign in */
	bool needs_upstream; /* set where some step needs a SUT, starts one, or looks at the upstream */
};

void load_steps(struct step_home *home, const cJSON *list, const struct step *outer,
	struct step **steps, size_t *count);

#endif
