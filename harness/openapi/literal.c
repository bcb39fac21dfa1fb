#include "openapi/literal.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_hash.h"

enum { SHOWN_BYTES = 100 };

bool literal_equal(const cJSON *a, const cJSON *b)
{
	return json_hash(a) == json_hash(b);
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
