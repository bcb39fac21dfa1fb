/*
 * compare: what changed between two documents, to any depth, and whom it hurts.
 *
 * Documents are compared by what they promise, not by how they are written: $ref or inlined, the names of referenced
 * components, the order of members, parameters, enum values and alternatives, OpenAPI 3.0's or 3.1's spelling of the
 * same type (nullable, exclusiveMinimum, format: binary) make no change. rules.h has the table that says how each
 * keyword compares. It doesn't prove anything about schemas: allOf is compared part by part, not merged.
 *
 *	struct changes changes;
 *	compare_documents(accepted, served, &changes);
 *	for (size_t i = 0; i < changes.count; i++)
 *		printf("%s %s\n", changes.list[i].where, changes.list[i].what);
 *	changes_release(&changes);
 *
 *	GET /x 200 application/json /items/properties/kind removed
 *	GET /x 200 application/json /items/properties/size/type "string" -> "integer"
 *	POST /x request application/json /properties/tag added, required
 *	POST /x query limit removed
 *	DELETE /x deprecated removed
 *	PUT /x security removed, open to everyone
 */
#ifndef OPENAPI_COMPARE_H
#define OPENAPI_COMPARE_H

#include "openapi/changes.h"
#include "openapi/document.h"

/*
 * Fills changes, which changes_release empties; they outlive both documents. A component that several places refer to
 * is compared once for requests and once for answers, and what changed in it told at the place that is reached first.
 * Takes time and memory linear in the documents (n log n in members of an object).
 */
void compare_documents(
	const struct document *accepted, const struct document *served, struct changes *changes);

#endif
