/*
 * target: a request target made from a path template: parameters as RFC 6570 and OpenAPI's styles write them, with the
 * server's base path before them.
 */
#ifndef OPENAPI_TARGET_H
#define OPENAPI_TARGET_H

#include "openapi/operations.h"

/* Where the values of parameters come from. */
struct target_values {
	const struct document *document;
	const cJSON *given; /* by name, before the document's examples; or NULL */
	size_t *left_bytes; /* see example_of_object */
};

/*
 * The path of the first of `servers` (variables by their defaults), without the last slash: "" or "/api/v3". A URL that
 * is relative counts from the root.
 */
const char *target_base(const cJSON *servers, struct arena *arena);

/*
 * Fills operation->target and ->undeclared from its path and parameters, and the parameters' values. A query parameter is
 * in it where it is required or given.
 */
void target_make(struct operation *operation, struct operation_parameter *parameters,
	const struct target_values *values, const char *base, struct arena *arena);

#endif
