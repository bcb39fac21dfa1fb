/*
 * shuffle_testing: a document's tree in another order that says the same. For the tests of this folder only.
 */
#ifndef OPENAPI_SHUFFLE_TESTING_H
#define OPENAPI_SHUFFLE_TESTING_H

#include <string.h>

#include "base/json.h"
#include "base/rng.h"

/* Lists whose order says nothing. */
static inline bool is_set(const char *name)
{
	static const char *const SETS[] = { "required", "enum", "tags", "parameters", "oneOf",
		"anyOf", "allOf", "security", "type" };
	for (size_t i = 0; name && i < sizeof SETS / sizeof *SETS; i++)
		if (strcmp(SETS[i], name) == 0)
			return true;
	return false;
}

static inline void shuffle(cJSON *value, struct rng *rng)
{
	int count = cJSON_GetArraySize(value);
	cJSON *child;
	cJSON_ArrayForEach (child, value)
		shuffle(child, rng);
	if (!cJSON_IsObject(value) && !(cJSON_IsArray(value) && is_set(value->string)))
		return;
	/* Each child once from a random place to the end of a new list. */
	cJSON *all = cJSON_CreateArray();
	for (; count; count--) {
		cJSON *one = cJSON_GetArrayItem(value, (int)rng_below(rng, (uint64_t)count));
		cJSON_AddItemToArray(all, cJSON_DetachItemViaPointer(value, one));
	}
	value->child = all->child;
	all->child = NULL;
	cJSON_Delete(all);
}

#endif
