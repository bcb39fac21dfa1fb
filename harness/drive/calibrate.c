#include "drive/calibrate.h"

static bool some_loads(const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		bool loads = step->verb == VERB_LOAD || some_loads(step->steps, step->step_count) ||
			     some_loads(step->inner, step->inner_count);
		for (size_t k = 0; !loads && k < step->list_count; k++)
			loads = some_loads(step->lists[k].steps, step->lists[k].count);
		if (loads)
			return true;
	}
	return false;
}

void calibrate(struct run *run, struct case_file *const *cases, size_t count, struct arena *arena)
{
	/* The simplest of requests. */
	const struct load_request request = { .method = "GET", .target = "/", .weight = 1 };
	struct load_plan like = { .requests = &request,
		.request_count = 1,
		.users = { .users = LOAD_NULL_USERS },
		.threads = 1,
		.seed = run->seed };
	bool wanted = false;
	for (size_t i = 0; !wanted && i < count; i++)
		wanted = some_loads(cases[i]->steps, cases[i]->step_count);
	if (wanted)
		load_null_drive(&like, run->stop_fd, arena, &run->null);
}
