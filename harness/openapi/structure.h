/*
 * structure: whether the objects around the schemas have the form that OpenAPI 3 gives them, as far as somebody walks
 * them: paths, operations, parameters, bodies, answers, servers, security. Schemas are looked at no further than that
 * they are objects or booleans.
 */
#ifndef OPENAPI_STRUCTURE_H
#define OPENAPI_STRUCTURE_H

#include "openapi/document.h"

/* RC_INVALID, with the first fault in err: its pointer, what was expected, what was found. */
enum rc structure_check(const struct document *document, struct err *err) MUST_USE;

/* Lower-case names of the methods that a Path Item Object has, ended by NULL. */
extern const char *const STRUCTURE_METHODS[];

#endif
