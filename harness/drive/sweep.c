#include "drive/sweep.h"

static bool is_success(const struct exchange *exchange)
{
	return operation_answered(exchange) && exchange->status / 100 == 2;
}

/* True where every answer was a success. After a failure it is not called again. */
static bool call(
	const struct operation_caller *caller, const struct operation *operation, size_t times)
{
	struct case_run *c = caller->c;
	bool success = true, holds = true;
	for (size_t i = 0; i < times && holds && !*c->run->stop; i++) {
		struct exchange *exchange = operation_call(caller, operation, caller->at->step->as);
		holds = operation_answered(exchange) && exchange->status < 500;
		success = success && is_success(exchange);
		c->tally.checks++;
		if (!holds)
			operation_finding(
				caller, operation, exchange, "/sweep", "an answer other than 5xx");
		exchange_free(exchange);
	}
	return success && holds;
}

size_t sweep_walk(const struct operation_caller *caller, const struct operations *operations,
	const cJSON *sweep)
{
	const cJSON *except = json_get(sweep, "except"), *written = json_get(sweep, "times");
	size_t times = written ? (size_t)written->valuedouble : 1, swept = 0;
	operation_strangers(caller, except, "/sweep/except", operations);
	for (size_t i = 0; i < operations->count && !*caller->c->run->stop; i++)
		if (!operation_listed(except, &operations->list[i]))
			swept += call(caller, &operations->list[i], times);
	return swept;
}
