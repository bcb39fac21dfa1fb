#include "base/json_hash.h"

#include <string.h>
#include <xxhash.h>

uint64_t json_hash_text(const char *text, uint64_t seed)
{
	return XXH3_64bits_withSeed(text, strlen(text), seed);
}

static uint64_t hash_children(const cJSON *value)
{
	uint64_t hash = 0;
	for (const cJSON *child = value->child; child; child = child->next) {
		uint64_t one = json_hash(child);
		if (child->string)
			hash += json_hash_text(child->string, one);
		else
			hash = XXH3_64bits_withSeed(&one, sizeof one, hash);
	}
	return hash;
}

uint64_t json_hash(const cJSON *value)
{
	uint64_t kind = value ? (uint64_t)(value->type & 0xff) : 0, children;
	double number;
	switch (kind) {
	case cJSON_Number:
		number = value->valuedouble + 0.0; /* -0 is 0 */
		return XXH3_64bits_withSeed(&number, sizeof number, kind);
	case cJSON_String: return json_hash_text(value->valuestring, kind);
	case cJSON_Array:
	case cJSON_Object:
		children = hash_children(value);
		return XXH3_64bits_withSeed(&children, sizeof children, kind);
	default: return XXH3_64bits_withSeed(&kind, sizeof kind, 1);
	}
}

uint64_t json_hash_unordered(const cJSON *list)
{
	uint64_t hash = 0;
	for (const cJSON *child = list ? list->child : NULL; child; child = child->next) {
		uint64_t one = json_hash(child);
		hash += XXH3_64bits_withSeed(&one, sizeof one, 2);
	}
	return hash;
}
