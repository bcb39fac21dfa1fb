#include "case/steps_measure.h"

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
