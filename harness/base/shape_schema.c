#include <stdlib.h>
#include <string.h>

#include "base/shape_text.h"

enum { NESTING_MAX = 64 };

#define VARIABLE "variable_text"

struct named {
	const struct shape *shape;
};

struct schema {
	cJSON *defs;
	struct named *named; /* the shapes that defs holds, or is about to */
	size_t count;
	int nesting;
};

/* A variable may stand for the shape as a whole, or was already allowed by what the shape is a choice of. */
enum variable { VARIABLE_TOO, VARIABLE_HANDLED };

static cJSON *emit(struct schema *schema, const struct shape *shape, enum variable variable);

static void put(cJSON *object, const char *key, cJSON *value)
{
	if (!value || !cJSON_AddItemToObject(object, key, value))
		BUG("no memory for the schema");
}

static void append(cJSON *list, cJSON *value)
{
	if (!value || !cJSON_AddItemToArray(list, value))
		BUG("no memory for the schema");
}

static cJSON *object_of(const char *key, cJSON *value)
{
	cJSON *object = cJSON_CreateObject();
	put(object, key, value);
	return object;
}

static cJSON *typed(const char *type)
{
	return object_of("type", cJSON_CreateString(type));
}

static cJSON *reference(const char *name)
{
	char *text = mem_print("#/$defs/%s", name);
	cJSON *object = object_of("$ref", cJSON_CreateString(text));
	free(text);
	return object;
}

static cJSON *string_schema(const struct shape *shape)
{
	cJSON *object = typed("string");
	if (shape->pattern)
		put(object, "pattern", cJSON_CreateString(shape->pattern));
	if (!shape->words)
		return object;
	cJSON *words = cJSON_CreateArray();
	for (size_t i = 0; shape->words[i]; i++)
		append(words, cJSON_CreateString(shape->words[i]));
	put(object, "enum", words);
	return object;
}

/* Adds name to the object's list of required keys. */
static void require(cJSON *object, const char *name)
{
	cJSON *required = json_get(object, "required");
	if (!required) {
		required = cJSON_CreateArray();
		put(object, "required", required);
	}
	for (const cJSON *each = required->child; each; each = each->next)
		if (strcmp(each->valuestring, name) == 0)
			return;
	append(required, cJSON_CreateString(name));
}

/* The rows of a shape; those that are required are listed in object. */
static cJSON *properties_schema(struct schema *schema, const struct shape *shape, cJSON *object)
{
	cJSON *properties = cJSON_CreateObject();
	const struct shape_key *key;
	for (size_t i = 0; (key = shape_key_at(shape, i)) != NULL; i++) {
		cJSON *property = emit(schema, key->shape, VARIABLE_TOO);
		if (key->help && !json_get(property, "description"))
			put(property, "description", cJSON_CreateString(key->help));
		put(properties, key->name, property);
		if (key->required)
			require(object, key->name);
	}
	return properties;
}

static cJSON *object_schema(struct schema *schema, const struct shape *shape)
{
	cJSON *object = typed("object");
	put(object, "properties", properties_schema(schema, shape, object));
	put(object, "additionalProperties", cJSON_CreateFalse());
	return object;
}

static cJSON *list_schema(struct schema *schema, const struct shape *shape)
{
	cJSON *object = typed("array");
	if (shape->items)
		put(object, "items", emit(schema, shape->items, VARIABLE_TOO));
	if (shape->min_items)
		put(object, "minItems", cJSON_CreateNumber((double)shape->min_items));
	return object;
}

static cJSON *map_schema(struct schema *schema, const struct shape *shape)
{
	cJSON *object = typed("object");
	if (shape_key_at(shape, 0))
		put(object, "properties", properties_schema(schema, shape, object));
	if (shape->items)
		put(object, "additionalProperties", emit(schema, shape->items, VARIABLE_TOO));
	return object;
}

static cJSON *choice_schema(struct schema *schema, const struct shape *shape)
{
	/* Nearer shapes may be literal where the choice is not, so that it is said once, beside them. */
	enum variable inner = shape->literal ? VARIABLE_TOO : VARIABLE_HANDLED;
	cJSON *any = cJSON_CreateArray();
	for (size_t i = 0; shape->choices[i]; i++)
		append(any, emit(schema, shape->choices[i], inner));
	return object_of("anyOf", any);
}

static cJSON *variant_schema(struct schema *schema, const struct shape *shape)
{
	cJSON *one = cJSON_CreateArray();
	const struct shape_variant *variant;
	for (size_t i = 0; (variant = shape->variant_at(i)) != NULL; i++) {
		cJSON *object = emit(schema, variant->shape, VARIABLE_HANDLED);
		require(object, variant->verb);
		append(one, object);
	}
	return object_of("oneOf", one);
}

static cJSON *plain_schema(struct schema *schema, const struct shape *shape)
{
	cJSON *count;
	switch (shape->kind) {
	case SHAPE_NULL: return typed("null");
	case SHAPE_BOOL: return typed("boolean");
	case SHAPE_NUMBER: return typed("number");
	case SHAPE_STRING: return string_schema(shape);
	case SHAPE_LIST: return list_schema(schema, shape);
	case SHAPE_OBJECT: return object_schema(schema, shape);
	case SHAPE_MAP: return map_schema(schema, shape);
	case SHAPE_CHOICE: return choice_schema(schema, shape);
	case SHAPE_VARIANT: return variant_schema(schema, shape);
	case SHAPE_COUNT:
		count = typed("integer");
		put(count, "minimum", cJSON_CreateNumber(shape->least));
		if (shape->most)
			put(count, "maximum", cJSON_CreateNumber(shape->most));
		return count;
	case SHAPE_ANY: break;
	}
	return cJSON_CreateObject();
}

/* Any text fits already, whether it holds a variable or not. */
static bool takes_any_text(const struct shape *shape)
{
	if (shape->kind == SHAPE_ANY)
		return true;
	if (shape->kind == SHAPE_STRING)
		return !shape->pattern && !shape->words;
	for (size_t i = 0; shape->kind == SHAPE_CHOICE && shape->choices[i]; i++)
		if (takes_any_text(shape->choices[i]))
			return true;
	return false;
}

/* References are to the shape as it is; where a variable may stand for it is said beside the reference. */
static cJSON *define(struct schema *schema, const struct shape *shape)
{
	for (size_t i = 0; i < schema->count; i++) {
		if (schema->named[i].shape == shape)
			return reference(shape->schema_name);
		if (strcmp(schema->named[i].shape->schema_name, shape->schema_name) == 0)
			BUG("two shapes of the name %s", shape->schema_name);
	}
	schema->named = mem_grow(schema->named, schema->count + 1, sizeof *schema->named);
	schema->named[schema->count++].shape = shape;
	cJSON *definition = plain_schema(schema, shape);
	if (shape->name)
		put(definition, "description", cJSON_CreateString(shape->name));
	put(schema->defs, shape->schema_name, definition);
	return reference(shape->schema_name);
}

static cJSON *emit(struct schema *schema, const struct shape *shape, enum variable variable)
{
	if (!shape)
		return cJSON_CreateObject();
	if (++schema->nesting > NESTING_MAX)
		BUG("a shape that holds itself needs a schema_name");
	cJSON *plain = shape->schema_name ? define(schema, shape) : plain_schema(schema, shape);
	schema->nesting--;
	if (shape->literal || variable == VARIABLE_HANDLED || takes_any_text(shape))
		return plain;
	cJSON *any = json_get(plain, "anyOf");
	if (!any) {
		any = cJSON_CreateArray();
		append(any, plain);
		plain = object_of("anyOf", any);
	}
	append(any, reference(VARIABLE));
	return plain;
}

cJSON *shape_schema(const struct shape *shape, const char *title)
{
	struct schema schema = { .defs = cJSON_CreateObject() };
	cJSON *variable = typed("string");
	put(variable, "pattern", cJSON_CreateString("(^|[^$])\\$\\{"));
	put(variable, "description", cJSON_CreateString("text with a ${variable} in it"));
	put(schema.defs, VARIABLE, variable);
	cJSON *body = emit(&schema, shape, VARIABLE_TOO);
	cJSON *root = object_of(
		"$schema", cJSON_CreateString("https://json-schema.org/draft/2020-12/schema"));
	put(root, "title", cJSON_CreateString(title));
	while (body->child) {
		cJSON *part = cJSON_DetachItemViaPointer(body, body->child);
		char *key = mem_text(part->string);
		put(root, key, part);
		free(key);
	}
	cJSON_Delete(body);
	put(root, "$defs", schema.defs);
	free(schema.named);
	return root;
}
