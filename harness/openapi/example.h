/*
 * example: a value that a schema allows, as far as that can be told without solving it.
 *
 * The schema's own example, examples, default, const or first enum value; or else one of its type and format: the
 * smallest allowed number (1 where 0 and 1 are), a text of minLength, an object with its required properties (those
 * that are readOnly left out), a list of minItems. Of alternatives the first that isn't null. `pattern` and `not` are
 * not looked at.
 */
#ifndef OPENAPI_EXAMPLE_H
#define OPENAPI_EXAMPLE_H

#include "openapi/document.h"

/*
 * Of a Parameter, Header or Media Type Object: its example, its first of examples, or one by its schema; without a
 * schema "x". The caller frees it by cJSON_Delete; never NULL.
 *
 * Required properties that go round in a circle, and what would be larger than some thousand values or a mebibyte, end
 * with null; so does what goes beyond *left_bytes, which all examples of a document share, and from which it is taken.
 */
cJSON *example_of_object(
	const struct document *document, const cJSON *object, size_t *left_bytes) MUST_USE;

#endif
