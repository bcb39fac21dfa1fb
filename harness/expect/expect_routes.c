#include "expect/expect_rows.h"

#include "expect/quantity.h"

#define ROW(key, words)                                                                            \
	{                                                                                          \
		.name = (key), .shape = &quantity_count_shape, .help = (words),                    \
		.source = "OpenAPI 3.1 section 4.8.8", .subjects = EXPECT_OPENAPI,                 \
		.quantity = true, .unit = UNIT_COUNT, .selftest = "openapi",                       \
		.check = quantity_check_measure                                                    \
	}

const struct expectation expect_routes_total =
	ROW("routes.total", "How many operations the document has");
const struct expectation expect_routes_guarded = ROW("routes.guarded",
	"How many operations refused who had no credentials, and not the control session");
const struct expectation expect_routes_deprecated =
	ROW("routes.deprecated", "How many operations are marked deprecated");
const struct expectation expect_routes_swept =
	ROW("routes.swept", "How many operations of a sweep were answered with 2xx");
