/*
 * security: which credentials an operation asks for, its own list or the document's, as texts that can be compared.
 */
#ifndef OPENAPI_SECURITY_H
#define OPENAPI_SECURITY_H

#include "openapi/operations.h"

struct security_list {
	enum security security;
	const char **
		list; /* "bearer", "key + oauth(read, write)"; sorted, each once; {} is not among them */
	size_t count;
};

void security_read(struct security_list *list, const struct document *document,
	const cJSON *operation, struct arena *arena);

#endif
