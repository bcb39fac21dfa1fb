#include <stdlib.h>
#include <string.h>

#include "base/json.h"

cJSON *json_get(const cJSON *object, const char *key)
{
	if (!cJSON_IsObject(object))
		return NULL;
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

const char *json_text(const cJSON *object, const char *key)
{
	return cJSON_GetStringValue(json_get(object, key));
}

static bool equal_lists(const cJSON *a, const cJSON *b)
{
	const cJSON *x = a->child, *y = b->child;
	for (; x && y; x = x->next, y = y->next)
		if (!json_equal(x, y))
			return false;
	return !x && !y;
}

static bool equal_objects(const cJSON *a, const cJSON *b)
{
	if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b))
		return false;
	/* Members mostly come in the same order: only the others are looked up. */
	const cJSON *beside = b->child;
	for (const cJSON *x = a->child; x; x = x->next, beside = beside->next) {
		bool same = strcmp(x->string, beside->string) == 0;
		const cJSON *y = same ? beside : json_get(b, x->string);
		if (!y || !json_equal(x, y))
			return false;
	}
	return true;
}

bool json_equal(const cJSON *a, const cJSON *b)
{
	if (!a || !b)
		return a == b;
	/* Without the flags that tell who owns the memory. */
	int kind = a->type & 0xff;
	if (kind != (b->type & 0xff))
		return false;
	switch (kind) {
	case cJSON_Number: return a->valuedouble == b->valuedouble;
	case cJSON_String: return strcmp(a->valuestring, b->valuestring) == 0;
	case cJSON_Array: return equal_lists(a, b);
	case cJSON_Object: return equal_objects(a, b);
	default: return true;
	}
}
