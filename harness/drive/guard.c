#include "drive/guard.h"

enum { STATUS = 401 };

static bool refuses(
	const struct operation_caller *caller, const struct operation *operation, int status)
{
	struct case_run *c = caller->c;
	struct exchange *exchange = operation_call(caller, operation, NULL);
	bool holds = exchange->status == status && operation_answered(exchange);
	c->tally.checks++;
	if (!holds)
		operation_finding(caller, operation, exchange, "/guard",
			arena_print(c->root.arena, "status %d without credentials", status));
	exchange_free(exchange);
	return holds;
}

static bool lets_in(
	const struct operation_caller *caller, const struct operation *operation, int status)
{
	struct case_run *c = caller->c;
	struct exchange *exchange = operation_call(caller, operation, caller->at->step->control);
	bool holds = exchange->status != 0 && exchange->status != status;
	c->tally.checks++;
	if (!holds)
		operation_finding(caller, operation, exchange, "/guard/control",
			arena_print(c->root.arena, "any status but %d with the credentials of %s",
				status, caller->at->step->control));
	exchange_free(exchange);
	return holds;
}

size_t guard_walk(const struct operation_caller *caller, const struct operations *operations,
	const cJSON *guard)
{
	const cJSON *public = json_get(guard, "public"), *written = json_get(guard, "status");
	int status = written ? written->valueint : STATUS;
	size_t guarded = 0;
	operation_strangers(caller, public, "/guard/public", operations);
	for (size_t i = 0; i < operations->count && !*caller->c->run->stop; i++) {
		const struct operation *operation = &operations->list[i];
		if (operation_listed(public, operation))
			continue;
		bool refused = refuses(caller, operation, status);
		guarded += lets_in(caller, operation, status) && refused;
	}
	return guarded;
}
