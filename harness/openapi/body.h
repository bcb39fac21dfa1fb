/*
 * body: a request body by the schema of a Request Body Object, JSON where it is among the media types.
 */
#ifndef OPENAPI_BODY_H
#define OPENAPI_BODY_H

#include "openapi/operations.h"
#include "openapi/target.h"

/* Fills body_required, body_types, body_type and body of the operation; request_body is resolved, or NULL. */
void body_make(struct operation *operation, const struct target_values *values,
	const cJSON *request_body, struct arena *arena);

#endif
