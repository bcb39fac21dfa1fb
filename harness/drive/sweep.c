#include "drive/sweep.h"

static bool is_success(const struct exchange *exchange)
{
	return operation_answered(exchange) && exchange->status / 100 == 2;
}

/* How an operation has fared so far. */
struct fared {
	bool left_out;  /* by the case, or since it failed */
	bool otherwise; /* some answer was no success */
};

static void call(const struct operation_caller *caller, const struct operation *operation,
	struct fared *fared)
{
	struct exchange *exchange = operation_call(caller, operation, caller->at->step->as);
	bool holds = operation_answered(exchange) && exchange->status < 500;
	fared->otherwise = fared->otherwise || !is_success(exchange);
	fared->left_out = !holds;
	caller->c->tally.checks++;
	if (!holds)
		operation_finding(
			caller, operation, exchange, "/sweep", "an answer other than 5xx");
	exchange_free(exchange);
}

/* All once, then all again: what the machine does for a moment falls on different operations each time. */
size_t sweep_walk(const struct operation_caller *caller, const struct operations *operations,
	const cJSON *sweep)
{
	struct case_run *c = caller->c;
	const cJSON *except = json_get(sweep, "except"), *written = json_get(sweep, "times");
	size_t times = written ? (size_t)written->valuedouble : 1, swept = 0;
	struct fared *fared = arena_alloc(c->root.arena, operations->count, sizeof *fared);
	operation_strangers(caller, except, "/sweep/except", operations);
	for (size_t i = 0; i < operations->count; i++)
		fared[i].otherwise = fared[i].left_out =
			operation_listed(except, &operations->list[i]);
	for (size_t round = 0; round < times; round++)
		for (size_t i = 0; i < operations->count && !*c->run->stop; i++)
			if (!fared[i].left_out)
				call(caller, &operations->list[i], &fared[i]);
	for (size_t i = 0; i < operations->count; i++)
		swept += !fared[i].otherwise;
	return swept;
}
