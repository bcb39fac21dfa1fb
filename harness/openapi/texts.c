#include "openapi/texts.h"

#include <string.h>

const char *texts_upper(const char *text, struct arena *arena)
{
	char *copy = arena_text(arena, text);
	for (char *at = copy; *at; at++)
		*at = (char)(*at >= 'a' && *at <= 'z' ? *at & ~0x20 : *at);
	return copy;
}

int texts_order(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *texts_of(const cJSON *value)
{
	return cJSON_IsString(value) ? mem_text(value->valuestring) : json_print(value);
}
