/*
 * reference: every $ref of a tree and what it leads to.
 *
 * A $ref counts where an object of OpenAPI or a schema may stand: not in examples, defaults, enum values and x-*, which
 * are data, nor as the name of a property. It must lead to a value of the same document (RFC 6901 in a URI fragment)
 * and not through other $ref back to itself.
 */
#ifndef OPENAPI_REFERENCE_H
#define OPENAPI_REFERENCE_H

#include "base/json.h"
#include "openapi/nodes.h"

struct references {
	const cJSON *root;
	struct nodes targets; /* object with a $ref -> what it leads to */
	struct nodes lists;   /* large object or list -> its index */
	struct arena *arena;
};

/* RC_INVALID, with the first that leads nowhere in err: its pointer, what was expected, what was found. */
enum rc references_init(struct references *references, const cJSON *root, struct arena *arena,
	struct err *err) MUST_USE;
void references_release(struct references *references);

/* NULL where the object has no $ref. */
const cJSON *references_target(const struct references *references, const cJSON *object);
/* What "#/a/b" stands for, or NULL. Puts indexes of large objects on the way: one thread at a time. */
const cJSON *references_find(struct references *references, const char *reference);

#endif
