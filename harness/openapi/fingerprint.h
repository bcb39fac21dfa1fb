/*
 * fingerprint: a number that stands for a schema as it counts, some references deep, so that alternatives find their
 * other side wherever they stand in a list. It proves nothing: pairs are compared all the same.
 */
#ifndef OPENAPI_FINGERPRINT_H
#define OPENAPI_FINGERPRINT_H

#include "base/arena.h"
#include "openapi/document.h"
#include "openapi/nodes.h"

enum { FINGERPRINT_DEEP = 3 };

/*
 * Texts, examples and spelling don't count. deep, 0 to FINGERPRINT_DEEP: through how many references behind the schema's
 * own. Remembered in prints, a table for this use only.
 */
uint64_t fingerprint(struct nodes *prints, const struct document *document, const cJSON *schema,
	unsigned deep, struct arena *arena);

/* How much two schemas have in common: 0 is nothing. Takes time by their own members only. */
size_t likeness(const struct document *old_document, const cJSON *old,
	const struct document *new_document, const cJSON *new, struct arena *arena);

#endif
