#include "case/steps_measure.h"

#include "base/units.h"
#include "case/format.h"
#include "case/steps.h"
#include "expect/expect.h"

const struct shape probe_step_shape = { .kind = SHAPE_OBJECT,
	.name = "a probe",
	.keys = KEYS({ "probe", &request_any_shape, "a light request, or a target to GET", true },
		{ "every", &format_wait,
			"sent so often, whether or not earlier ones have answered; 5ms by default",
			false },
		{ "idle", &format_wait, "for so long before `while`; 1s by default", false },
		{ "while", &steps_shape,
			"steps whose requests are in flight meanwhile, one after another", true },
		{ "expect", &expect_probe_shape, "what must hold of the quantities", false }),
	.key_at = step_common_key_at };

static const struct shape status_shape = {
	.kind = SHAPE_COUNT, .name = "a status such as 401", .least = 100, .most = 599
};
static const struct shape operation_shape = { .kind = SHAPE_STRING,
	.name = "a path of the document such as \"/items/{id}\", or with its method \"GET /items/{id}\"",
	.literal = true };
static const struct shape operations_shape = {
	.kind = SHAPE_LIST, .name = "a list of operations", .items = &operation_shape
};

static const struct shape guard_shape = { .kind = SHAPE_OBJECT,
	.name = "who must be refused, and who not",
	.literal = true,
	.keys = KEYS({ "status", &status_shape, "what who has no credentials gets; 401 by default",
			     false },
		{ "control", &format_literal,
			"a user of the suite, who must not get that: else nothing is proven of an operation",
			true },
		{ "public", &operations_shape, "operations that anybody may call", false }) };

static const struct shape sweep_shape = { .kind = SHAPE_OBJECT,
	.name = "how every operation is called",
	.literal = true,
	.keys = KEYS({ "except", &operations_shape, "operations that are left out", false },
		{ "times", &format_some, "each so often; once by default", false }) };

const struct shape openapi_step_shape = { .kind = SHAPE_OBJECT,
	.name = "an OpenAPI document",
	.keys = KEYS({ "openapi", &request_any_shape, "the document: a target to GET, or a request",
			     true },
		{ "parameters", &format_variables,
			"values by the names of parameters, in the place of the document's examples",
			false },
		{ "guard", &guard_shape,
			"every operation that is not public must refuse who has no credentials",
			false },
		{ "sweep", &sweep_shape,
			"every operation is called in turn, as the step's user, and must not fail by 5xx",
			false },
		{ "expect", &expect_openapi_shape,
			"what must hold of the document and its operations", false }),
	.key_at = step_common_key_at };

/* A text with a variable is looked at again once that is known. */
static bool is_rate(const char *text, bool or_none, struct err *err)
{
	struct quantity quantity = { UNIT_COUNT, 0 };
	if (shape_has_variable(text))
		return true;
	if (quantity_parse(text, &quantity, NULL) == RC_OK && quantity.unit == UNIT_PER_S &&
		(or_none ? quantity.value >= 0 : quantity.value > 0))
		return true;
	err_set(err, RC_INVALID, "", "expected a rate such as \"500/s\", found \"%s\"", text);
	return false;
}

static bool rate_valid(const char *text, struct err *err)
{
	return is_rate(text, false, err);
}

/* Of a stage: down to nothing as well. */
static bool stage_rate_valid(const char *text, struct err *err)
{
	return is_rate(text, true, err);
}

static const struct shape rate_shape = {
	.kind = SHAPE_STRING, .name = "a rate such as \"500/s\"", .valid = rate_valid
};
static const struct shape stage_rate_shape = {
	.kind = SHAPE_STRING, .name = "a rate such as \"500/s\"", .valid = stage_rate_valid
};
static const struct shape weighted_shape = { .kind = SHAPE_OBJECT,
	.name = "a request and its weight",
	.keys = KEYS({ "request", &request_any_shape, "a request, or a target to GET", true },
		{ "weight", &format_some, "so often as one of weight 1; 1 by default", false }) };
static const struct shape mix_shape = { .kind = SHAPE_LIST,
	.name = "a list of requests with their weights",
	.items = &weighted_shape,
	.min_items = 1,
	.literal = true };
static const struct shape driven_shape = { .kind = SHAPE_CHOICE,
	.name = "a request, or a list of requests with their weights",
	.choices = (const struct shape *const[]){ &mix_shape, &request_any_shape, NULL } };

static const char *const ARRIVAL_WORDS[] = { "constant", "poisson", NULL };
static const struct shape arrival_shape = {
	.kind = SHAPE_STRING, .name = "\"constant\" or \"poisson\"", .words = ARRIVAL_WORDS
};
static const struct shape stage_shape = { .kind = SHAPE_OBJECT,
	.name = "a stage",
	.keys = KEYS({ "for", &format_duration, "how long it takes; 0s: it jumps", true },
		{ "users", &format_count, "to so many users, in a line", false },
		{ "rate", &stage_rate_shape, "to this rate, in a line", false }) };
static const struct shape stages_shape = { .kind = SHAPE_LIST,
	.name = "a list of stages",
	.items = &stage_shape,
	.min_items = 1,
	.literal = true };
static const struct shape burst_shape = { .kind = SHAPE_OBJECT,
	.name = "bursts of requests",
	.keys = KEYS({ "size", &format_some, "so many are due at once", true },
		{ "every", &format_wait, "so often, the first when the load begins", true }) };

const struct shape load_step_shape = { .kind = SHAPE_OBJECT,
	.name = "a load",
	.keys = KEYS({ "load", &driven_shape,
			     "a request, a target to GET, or a list of `{request, weight}`", true },
		{ "users", &format_some,
			"so many, each sending again once it is answered; with `rate`: at most so many requests in flight, 256 by default",
			false },
		{ "rate", &rate_shape,
			"so many requests are due each second, whether or not earlier ones were answered",
			false },
		{ "max_in_flight", &format_some,
			"with `rate`, `burst` or stages of a rate: at most so many requests in flight, as `users` says there too",
			false },
		{ "arrival", &arrival_shape,
			"with `rate`: \"constant\", evenly spaced, which is the default, or \"poisson\", independent of each other",
			false },
		{ "stages", &stages_shape,
			"the rate, or the number of users, goes in a line to each stage's; `rate` or `users` is where the first begins",
			false },
		{ "burst", &burst_shape, "in the place of `rate`: many requests at once", false },
		{ "for", &format_wait, "measured for so long; not with `stages`", false },
		{ "requests", &format_some,
			"measured until so many were sent, at most for `for`; no tail, and no warm-up by itself",
			false },
		{ "warm_up", &format_duration,
			"driven for so long before; a tenth of `for` by default, at most 500ms",
			false },
		{ "think", &format_duration, "how long a user waits before it sends again", false },
		{ "ramp", &format_duration,
			"how long it takes, before `warm_up`, until all users are there, or the whole rate is",
			false },
		{ "threads", &format_some, "of onus; 1 by default", false },
		{ "streams", &format_some,
			"of HTTP/2: so many users share a connection; 1 by default", false },
		{ "decode", &format_bool,
			"true: codings are taken off, for bytes.decoded and errors.undecodable; it costs onus CPU time",
			false },
		{ "expect", &expect_load_shape, "what must hold of the numbers", false }),
	.key_at = step_common_key_at };

static const char *const UNTIL_WORDS[] = { "oom", NULL };
static const struct shape until_shape = {
	.kind = SHAPE_STRING, .name = "\"oom\"", .words = UNTIL_WORDS, .literal = true
};

const struct shape hold_step_shape = { .kind = SHAPE_OBJECT,
	.name = "held streams",
	.keys = KEYS({ "hold", &request_any_shape, "a stream's request, or a target to GET", true },
		{ "add", &format_some, "so many more each round", true },
		{ "every", &format_duration,
			"how often a round begins, at most; at once by default", false },
		{ "up_to", &format_some, "so many in all", true },
		{ "until", &until_shape,
			"\"oom\": until the SUT's memory_max is full and it is killed; not to get there by `up_to` is exit status 3",
			false },
		{ "steps", &steps_shape,
			"run each round; an `await` in it means every stream that is held", false },
		{ "expect", &expect_hold_shape, "what must hold of the numbers", false }),
	.key_at = step_common_key_at };
