#include "openapi/literal.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { SHOWN_BYTES = 100 };

uint64_t literal_hash_text(const char *text, uint64_t seed)
{
	return XXH3_64bits_withSeed(text, strlen(text), seed);
}

static uint64_t hash_children(const cJSON *value)
{
	uint64_t hash = 0;
	for (const cJSON *child = value->child; child; child = child->next) {
		uint64_t one = literal_hash(child);
		if (child->string)
			hash += literal_hash_text(child->string, one);
		else
			hash = XXH3_64bits_withSeed(&one, sizeof one, hash);
	}
	return hash;
}

uint64_t literal_hash(const cJSON *value)
{
	uint64_t kind = value ? (uint64_t)(value->type & 0xff) : 0, children;
	double number;
	switch (kind) {
	case cJSON_Number:
		number = value->valuedouble + 0.0; /* -0 is 0 */
		return XXH3_64bits_withSeed(&number, sizeof number, kind);
	case cJSON_String: return literal_hash_text(value->valuestring, kind);
	case cJSON_Array:
	case cJSON_Object:
		children = hash_children(value);
		return XXH3_64bits_withSeed(&children, sizeof children, kind);
	default: return XXH3_64bits_withSeed(&kind, sizeof kind, 1);
	}
}

uint64_t literal_hash_unordered(const cJSON *list)
{
	uint64_t hash = 0;
	for (const cJSON *child = list ? list->child : NULL; child; child = child->next) {
		uint64_t one = literal_hash(child);
		hash += XXH3_64bits_withSeed(&one, sizeof one, 2);
	}
	return hash;
}

bool literal_equal(const cJSON *a, const cJSON *b)
{
	return literal_hash(a) == literal_hash(b);
}

const char *literal_show(const cJSON *value, struct arena *arena)
{
	if (!value)
		return "none";
	if (cJSON_IsArray(value) && !value->child)
		return "[]";
	char *text = json_print(value);
	size_t len = strlen(text), cut = SHOWN_BYTES;
	/* Not within a character: a byte of the form 10xxxxxx goes on. */
	while (len > SHOWN_BYTES && cut && ((uint8_t)text[cut] & 0xc0) == 0x80)
		cut--;
	const char *shown = len > SHOWN_BYTES ? arena_print(arena, "%.*s...", (int)cut, text)
					      : arena_text(arena, text);
	free(text);
	return shown;
}
