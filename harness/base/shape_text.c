#include "base/shape_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

enum { LISTED_MAX = 12, FOUND_BYTES = 80 };

static void add(char *text, const char *format, ...) PRINTF(2, 3);

static void add(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;
	va_start(args, format);
	vsnprintf(text + used, SHAPE_TEXT_BYTES - used, format, args);
	va_end(args);
}

const struct shape_key *shape_key_at(const struct shape *shape, size_t index)
{
	size_t own = 0;
	while (shape->keys && shape->keys[own].name && own < index)
		own++;
	if (shape->keys && shape->keys[own].name)
		return &shape->keys[own];
	return shape->key_at ? shape->key_at(index - own) : NULL;
}

const struct shape_key *shape_key_find(const struct shape *shape, const char *name)
{
	const struct shape_key *key;
	for (size_t i = 0; (key = shape_key_at(shape, i)) != NULL; i++)
		if (strcmp(key->name, name) == 0)
			return key;
	return NULL;
}

const struct shape_variant *shape_variant_find(const struct shape *shape, const char *verb)
{
	const struct shape_variant *variant;
	for (size_t i = 0; (variant = shape->variant_at(i)) != NULL; i++)
		if (strcmp(variant->verb, verb) == 0)
			return variant;
	return NULL;
}

bool shape_takes_type(const struct shape *shape, const cJSON *value)
{
	if (!shape)
		return true;
	switch (shape->kind) {
	case SHAPE_ANY: return true;
	case SHAPE_NULL: return cJSON_IsNull(value);
	case SHAPE_BOOL: return cJSON_IsBool(value);
	case SHAPE_COUNT:
	case SHAPE_NUMBER: return cJSON_IsNumber(value);
	case SHAPE_STRING: return cJSON_IsString(value);
	case SHAPE_LIST: return cJSON_IsArray(value);
	case SHAPE_OBJECT:
	case SHAPE_MAP:
	case SHAPE_VARIANT: return cJSON_IsObject(value);
	case SHAPE_CHOICE: break;
	}
	for (size_t i = 0; shape->choices[i]; i++)
		if (shape_takes_type(shape->choices[i], value))
			return true;
	return false;
}

static void add_expected(const struct shape *shape, char *text)
{
	static const char *const kinds[] = {
		[SHAPE_ANY] = "any value",
		[SHAPE_NULL] = "null",
		[SHAPE_BOOL] = "true or false",
		[SHAPE_COUNT] = "a whole number, 0 or more",
		[SHAPE_NUMBER] = "a number",
		[SHAPE_STRING] = "a string",
		[SHAPE_LIST] = "a list",
		[SHAPE_OBJECT] = "an object",
		[SHAPE_MAP] = "an object",
		[SHAPE_VARIANT] = "an object",
	};
	if (shape->name || shape->kind != SHAPE_CHOICE) {
		add(text, "%s", shape->name ? shape->name : kinds[shape->kind]);
		return;
	}
	for (size_t i = 0; shape->choices[i]; i++) {
		const char *comma = shape->choices[i + 1] ? ", " : " or ";
		add(text, "%s", i ? comma : "");
		add_expected(shape->choices[i], text);
	}
}

void shape_expected(const struct shape *shape, char *text)
{
	text[0] = 0;
	add_expected(shape, text);
}

void shape_found(const cJSON *value, char *text)
{
	if (cJSON_IsObject(value) || cJSON_IsArray(value)) {
		const char *kind = cJSON_IsObject(value) ? "object" : "list";
		snprintf(text, SHAPE_TEXT_BYTES, "an %s%s", value->child ? "" : "empty ", kind);
		if (value->child && cJSON_IsArray(value))
			snprintf(text, SHAPE_TEXT_BYTES, "a list");
		return;
	}
	char *printed = json_print(value);
	bool cut = strlen(printed) > FOUND_BYTES;
	snprintf(text, SHAPE_TEXT_BYTES, "%.*s%s", FOUND_BYTES, printed, cut ? "..." : "");
	free(printed);
}

/* The name at `index` of what a value of the shape may be called, or NULL behind the last. */
static const char *name_at(const struct shape *shape, size_t index)
{
	if (shape->kind == SHAPE_STRING)
		return shape->words[index];
	if (shape->kind == SHAPE_VARIANT) {
		const struct shape_variant *variant = shape->variant_at(index);
		return variant ? variant->verb : NULL;
	}
	const struct shape_key *key = shape_key_at(shape, index);
	return key ? key->name : NULL;
}

void shape_suggest(const struct shape *shape, const char *word, char *text)
{
	const char **names = NULL, *name;
	size_t count = 0;
	for (; (name = name_at(shape, count)) != NULL; count++) {
		names = mem_grow(names, count + 1, sizeof *names);
		names[count] = name;
	}
	text[0] = 0;
	const char *nearest = words_nearest(word, names, count);
	if (nearest)
		add(text, "; did you mean \"%s\"?", nearest);
	for (size_t i = 0; !nearest && i < count && i < LISTED_MAX; i++)
		add(text, "%s%s", i ? ", " : " (one of ", names[i]);
	if (!nearest && count)
		add(text, "%s)", count > LISTED_MAX ? ", ..." : "");
	free(names);
}

void shape_found_keys(const cJSON *object, char *text)
{
	size_t count = 0;
	text[0] = 0;
	for (const cJSON *member = object->child; member && count < LISTED_MAX;
		member = member->next)
		add(text, "%s\"%.*s\"", count++ ? ", " : "keys ", FOUND_BYTES, member->string);
	if (!count)
		add(text, "no keys");
}
