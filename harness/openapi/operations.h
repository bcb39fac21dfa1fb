/*
 * operations: what a client can call according to a document: every method of every path, in the document's order.
 *
 * Parameters are those of the path overridden by the operation's own, $ref resolved; security is the operation's own or
 * the document's. Each operation comes with a request that can be sent: a target made from the template, and a body
 * where it takes one. Webhooks and callbacks are not listed: it is others who serve them.
 *
 *	struct operations operations;
 *	operations_init(&operations, document, NULL);
 *	for (size_t i = 0; i < operations.count; i++) {
 *		const struct operation *op = &operations.list[i];
 *		if (op->security != SECURITY_OPEN)
 *			send(op->method, op->target, op->body)
 *	}
 *	operations_release(&operations);
 */
#ifndef OPENAPI_OPERATIONS_H
#define OPENAPI_OPERATIONS_H

#include <stdbool.h>

#include "base/arena.h"
#include "openapi/document.h"

/* What the document says of credentials (OpenAPI 3.1, section 4.8.30 Security Requirement Object). */
enum security {
	SECURITY_OPEN,     /* none: no `security` anywhere, or an empty list */
	SECURITY_OPTIONAL, /* {} is among the alternatives */
	SECURITY_REQUIRED,
};

struct operation_parameter {
	const char *name;
	const char *in; /* "path", "query", "header" or "cookie" */
	bool required;
	bool deprecated;
	bool sent;           /* required, or given a value by the caller */
	const cJSON *object; /* the Parameter Object, resolved */
	const char *value;   /* an example as text, not encoded: "1", "x" */
};

/* A header field as it can be sent; see fields.h. */
struct operation_field {
	const char *name, *value;
};

struct operation {
	const char *method;                /* "GET" */
	const char *path;                  /* the template as the document has it: "/items/{id}" */
	const char *name;                  /* "GET /items/{id}" */
	const char *id;                    /* operationId, or NULL */
	const char *summary, *description; /* or NULL */
	bool deprecated;
	enum security security;
	const struct operation_parameter *parameters; /* path, query, header, cookie; by name */
	size_t parameter_count;

	/*
	 * Origin-form (RFC 9112 section 3.2.1): the path of the server's URL, the template with its parameters as RFC
	 * 6570 expands them, and every required query parameter: "/api/items/1?date=2024-01-01". Values are the
	 * parameter's example, its schema's example, default, const or first enum value, or else one of its type.
	 */
	const char *target;
	/* Of header parameters that are sent. */
	const struct operation_field *fields;
	size_t field_count;
	/* Template variables that no path parameter declares; they are "x" in the target. 0 in a sound document. */
	size_t undeclared;

	bool body_required;
	const char *const *body_types; /* media types as the document has them, ended by NULL */
	const char *
		body_type; /* Content-Type of body (with a boundary for multipart); NULL without a body */
	struct slice
		body; /* by the schema, required properties only; absent where the operation takes none */
	const char *const
		*success_types; /* media types of 2xx answers (of default, where there are none) */
	bool events;            /* text/event-stream is among them: the answer never ends */
};

/* Examples take as much in all; what comes after it is null. No server but a hostile one serves more. */
enum { OPERATIONS_EXAMPLES_MAX_BYTES = 64 * 1024 * 1024 };

struct operations {
	struct operation *list;
	size_t count; /* at least 1: document_read refuses others */
	struct arena *arena;
};

/*
 * given: values of parameters by their names, which take the place of the document's examples; or NULL. Strings live until
 * operations_release, and those of the document as long as it, too.
 */
void operations_init(
	struct operations *operations, const struct document *document, const cJSON *given);
void operations_release(struct operations *operations);

#endif
