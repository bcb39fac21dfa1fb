/*
 * fields: the header fields that a document's parameters give a request.
 *
 * A document comes from the server under test, and nothing in it may make another request of the one that is meant. So a
 * name that is no token (RFC 9110 section 5.6.2) is left out; so are fields that say how the message itself is framed or
 * where it goes, and those that a document has no say in (OpenAPI 3.1, section 4.8.12.1: Accept, Content-Type,
 * Authorization). A control character of a value becomes a space (RFC 9110 section 5.5).
 *
 *	fields_make(operation, arena);
 *	for (size_t i = 0; i < operation->field_count; i++)
 *		add(operation->fields[i].name, operation->fields[i].value);
 */
#ifndef OPENAPI_FIELDS_H
#define OPENAPI_FIELDS_H

#include "openapi/operations.h"

enum { FIELDS_VALUE_MAX_BYTES = 4096, FIELDS_MAX_BYTES = 32 * 1024 };

/*
 * Fills operation->fields from its parameters, whose values are there. What goes beyond FIELDS_MAX_BYTES in all is left
 * out: no server takes as much.
 */
void fields_make(struct operation *operation, struct arena *arena);

/* The text as a field's value: at most FIELDS_VALUE_MAX_BYTES, no control characters, no white space at its ends. */
const char *fields_value(struct arena *arena, const char *text);

#endif
