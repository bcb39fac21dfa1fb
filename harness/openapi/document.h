/*
 * document: the text of an OpenAPI document (3.0 and 3.1, JSON), checked, with every $ref resolved.
 *
 * What passes has operations to walk: YAML, HTML, Swagger 2.0, a document without paths, a $ref that leads nowhere, out
 * of the document or back to itself are refused with a text that says what was expected, what was found and where (a
 * JSON pointer). Cycles through schemas are sound and stay. It is no validator of schemas: what is odd inside a schema
 * is compared as it stands.
 *
 *	struct document *document;
 *	if (document_read(bytes, "/openapi.json", &document, &err) != RC_OK)
 *		err.where is "/openapi.json", err.text "expected a JSON document, found YAML ..."
 *	use operations.h, compare.h
 *	document_free(document);
 *
 * Two documents of 5.6 MB take 150 MiB to read and hold (trees of cJSON) and 180 MiB while they are compared.
 */
#ifndef OPENAPI_DOCUMENT_H
#define OPENAPI_DOCUMENT_H

#include "base/json.h"

enum {
	DOCUMENT_MAX_BYTES = 16 * 1024 * 1024,
	DOCUMENT_REFERENCES = 32, /* so many $ref that lead to another one are followed */
};

struct document;

/*
 * name says in errors where the bytes came from; nothing of the bytes or the name is kept but copies. RC_INVALID for
 * what is no OpenAPI document, RC_LIMIT for one beyond DOCUMENT_MAX_BYTES; *document is NULL then. Both are the
 * server's doing where it served the bytes, the user's where a file holds them.
 */
enum rc document_read(
	struct slice bytes, const char *name, struct document **document, struct err *err) MUST_USE;
/* NULL is allowed. */
void document_free(struct document *document);

/* The tree, which belongs to the document and never changes. */
const cJSON *document_root(const struct document *document);
/* 0 for OpenAPI 3.0, 1 for 3.1. */
unsigned document_minor(const struct document *document);

/* What a $ref of this very object leads to (maybe another $ref); NULL where it has none. */
const cJSON *document_target(const struct document *document, const cJSON *object);
/* The object itself, or what its chain of $ref ends at; never NULL for a value of the tree. NULL gives NULL. */
const cJSON *document_resolve(const struct document *document, const cJSON *object);
/* What a reference such as "#/components/schemas/Pet" (RFC 6901 in a URI fragment) stands for, or NULL. */
const cJSON *document_find(const struct document *document, const char *reference);

#endif
