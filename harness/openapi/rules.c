#include "openapi/rules.h"

#include <string.h>

#include "openapi/comparison.h"

#define NARROWED EFFECT_NARROWED
#define WIDENED  EFFECT_WIDENED
#define CHANGED  EFFECT_CHANGED
#define LOST     EFFECT_LOST
#define GAINED   EFFECT_GAINED
#define PRESUMED EFFECT_PRESUMED
#define NOTED    EFFECT_NOTED

/* Keywords of one object stand together; a row's columns are those of struct rule. */
static const struct rule RULES[] = {
	/* What a schema allows. */
	{ OBJECT_SCHEMA, "type", compare_type, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "nullable", compare_ignored, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "enum", compare_values, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "const", compare_values, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "minimum", compare_bound, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "exclusiveMinimum", compare_bound, WIDENED, NARROWED, CHANGED, 0, false,
		false },
	{ OBJECT_SCHEMA, "maximum", compare_bound, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "exclusiveMaximum", compare_bound, WIDENED, NARROWED, CHANGED, 0, false,
		false },
	{ OBJECT_SCHEMA, "minLength", compare_bound, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "maxLength", compare_bound, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "minItems", compare_bound, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "maxItems", compare_bound, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "minProperties", compare_bound, WIDENED, NARROWED, CHANGED, 0, false,
		false },
	{ OBJECT_SCHEMA, "maxProperties", compare_bound, WIDENED, NARROWED, CHANGED, 0, false,
		false },
	{ OBJECT_SCHEMA, "minContains", compare_exact, CHANGED, CHANGED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "maxContains", compare_bound, WIDENED, NARROWED, CHANGED, 0, false,
		false },
	{ OBJECT_SCHEMA, "multipleOf", compare_exact, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "pattern", compare_exact, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "uniqueItems", compare_flag, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "format", compare_format, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_SCHEMA, "contentMediaType", compare_media_type, CHANGED, CHANGED, CHANGED, 0,
		false, false },
	{ OBJECT_SCHEMA, "contentEncoding", compare_exact, CHANGED, CHANGED, CHANGED, 0, false,
		false },
	{ OBJECT_SCHEMA, "properties", compare_schema_map, LOST, GAINED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "patternProperties", compare_schema_map, LOST, GAINED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "dependentSchemas", compare_schema_map, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "required", compare_required, WIDENED, NARROWED, CHANGED, 0, false,
		false },
	{ OBJECT_SCHEMA, "items", compare_schema_member, WIDENED, NARROWED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "additionalProperties", compare_schema_member, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "unevaluatedItems", compare_schema_member, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "unevaluatedProperties", compare_schema_member, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "contains", compare_schema_member, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "propertyNames", compare_schema_member, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "contentSchema", compare_schema_member, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, false, false },
	{ OBJECT_SCHEMA, "if", compare_schema_member, CHANGED, CHANGED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "then", compare_schema_member, WIDENED, NARROWED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "else", compare_schema_member, WIDENED, NARROWED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "not", compare_opposite, WIDENED, NARROWED, CHANGED, OBJECT_SCHEMA, false,
		false },
	{ OBJECT_SCHEMA, "prefixItems", compare_row, WIDENED, NARROWED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "allOf", compare_alternatives, LOST, NARROWED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "anyOf", compare_alternatives, NARROWED, WIDENED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "oneOf", compare_alternatives, NARROWED, WIDENED, CHANGED, OBJECT_SCHEMA,
		false, false },
	{ OBJECT_SCHEMA, "discriminator", compare_discriminator, CHANGED, CHANGED, CHANGED,
		OBJECT_SCHEMA, false, false },
	/* What a schema says beside that. */
	{ OBJECT_SCHEMA, "$ref", compare_ignored, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "$defs", compare_ignored, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "definitions", compare_ignored, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "default", compare_exact, PRESUMED, PRESUMED, PRESUMED, 0, false, true },
	{ OBJECT_SCHEMA, "readOnly", compare_flag, CHANGED, CHANGED, CHANGED, 0, false, true },
	{ OBJECT_SCHEMA, "writeOnly", compare_flag, CHANGED, CHANGED, CHANGED, 0, false, true },
	{ OBJECT_SCHEMA, "deprecated", compare_flag, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "title", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "summary", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "example", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "examples", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "externalDocs", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "$comment", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "$schema", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "$id", compare_noted, NOTED, NOTED, NOTED, 0, false, true },
	{ OBJECT_SCHEMA, "$anchor", compare_noted, NOTED, NOTED, NOTED, 0, false, true },

	{ OBJECT_ROOT, "openapi", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_ROOT, "paths", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_ROOT, "webhooks", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_ROOT, "components", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_ROOT, "security", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_ROOT, "servers", compare_servers, LOST, GAINED, CHANGED, 0, false, false },
	{ OBJECT_ROOT, "info", compare_one, NOTED, NOTED, NOTED, OBJECT_INFO, false, false },
	{ OBJECT_ROOT, "tags", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_ROOT, "externalDocs", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_ROOT, "jsonSchemaDialect", compare_exact, CHANGED, CHANGED, CHANGED, 0, false,
		false },

	/* Operations and parameters are told with the method before the path. */
	{ OBJECT_PATH_ITEM, "get", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "put", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "post", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "delete", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "options", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "head", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "patch", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "trace", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "parameters", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "summary", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PATH_ITEM, "servers", compare_servers, LOST, GAINED, CHANGED, 0, false, false },

	{ OBJECT_OPERATION, "parameters", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_OPERATION, "security", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_OPERATION, "servers", compare_servers, LOST, GAINED, CHANGED, 0, false, false },
	{ OBJECT_OPERATION, "requestBody", compare_body, LOST, GAINED, CHANGED, OBJECT_BODY, true,
		false },
	{ OBJECT_OPERATION, "responses", compare_responses, LOST, GAINED, CHANGED, OBJECT_RESPONSE,
		true, false },
	{ OBJECT_OPERATION, "callbacks", compare_callbacks, LOST, GAINED, CHANGED, OBJECT_CALLBACK,
		false, false },
	{ OBJECT_OPERATION, "deprecated", compare_flag, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_OPERATION, "operationId", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_OPERATION, "summary", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_OPERATION, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_OPERATION, "tags", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_OPERATION, "externalDocs", compare_noted, NOTED, NOTED, NOTED, 0, false, false },

	{ OBJECT_PARAMETER, "name", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PARAMETER, "in", compare_ignored, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PARAMETER, "required", compare_flag, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_PARAMETER, "allowEmptyValue", compare_flag, NARROWED, WIDENED, CHANGED, 0, false,
		false },
	{ OBJECT_PARAMETER, "allowReserved", compare_flag, CHANGED, CHANGED, CHANGED, 0, false,
		false },
	{ OBJECT_PARAMETER, "style", compare_style, CHANGED, CHANGED, CHANGED, 0, false, false },
	{ OBJECT_PARAMETER, "explode", compare_explode, CHANGED, CHANGED, CHANGED, 0, false,
		false },
	{ OBJECT_PARAMETER, "schema", compare_schema_member, WIDENED, NARROWED, CHANGED,
		OBJECT_SCHEMA, true, false },
	{ OBJECT_PARAMETER, "content", compare_media, LOST, GAINED, CHANGED, OBJECT_MEDIA, true,
		false },
	{ OBJECT_PARAMETER, "deprecated", compare_flag, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PARAMETER, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PARAMETER, "example", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_PARAMETER, "examples", compare_noted, NOTED, NOTED, NOTED, 0, false, false },

	{ OBJECT_HEADER, "required", compare_flag, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_HEADER, "style", compare_style, CHANGED, CHANGED, CHANGED, 0, false, false },
	{ OBJECT_HEADER, "explode", compare_explode, CHANGED, CHANGED, CHANGED, 0, false, false },
	{ OBJECT_HEADER, "schema", compare_schema_member, WIDENED, NARROWED, CHANGED, OBJECT_SCHEMA,
		true, false },
	{ OBJECT_HEADER, "content", compare_media, LOST, GAINED, CHANGED, OBJECT_MEDIA, true,
		false },
	{ OBJECT_HEADER, "deprecated", compare_flag, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_HEADER, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_HEADER, "example", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_HEADER, "examples", compare_noted, NOTED, NOTED, NOTED, 0, false, false },

	{ OBJECT_BODY, "required", compare_flag, WIDENED, NARROWED, CHANGED, 0, false, false },
	{ OBJECT_BODY, "content", compare_media, LOST, GAINED, CHANGED, OBJECT_MEDIA, true, false },
	{ OBJECT_BODY, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },

	{ OBJECT_RESPONSE, "content", compare_media, LOST, GAINED, CHANGED, OBJECT_MEDIA, true,
		false },
	{ OBJECT_RESPONSE, "headers", compare_headers, LOST, GAINED, CHANGED, OBJECT_HEADER, true,
		false },
	{ OBJECT_RESPONSE, "links", compare_map, LOST, GAINED, CHANGED, OBJECT_LINK, false, false },
	{ OBJECT_RESPONSE, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },

	{ OBJECT_MEDIA, "schema", compare_schema_member, WIDENED, NARROWED, CHANGED, OBJECT_SCHEMA,
		true, false },
	{ OBJECT_MEDIA, "encoding", compare_map, CHANGED, CHANGED, CHANGED, OBJECT_ENCODING, false,
		false },
	{ OBJECT_MEDIA, "example", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_MEDIA, "examples", compare_noted, NOTED, NOTED, NOTED, 0, false, false },

	{ OBJECT_ENCODING, "headers", compare_headers, LOST, GAINED, CHANGED, OBJECT_HEADER, true,
		false },
	{ OBJECT_LINK, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_SCHEME, "description", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
	{ OBJECT_SCHEME, "bearerFormat", compare_noted, NOTED, NOTED, NOTED, 0, false, false },
};

enum { RULE_COUNT = sizeof RULES / sizeof *RULES };

/* What no row is about. Info and examples are texts for people, whatever they hold. */
static const struct rule UNKNOWN = { 0, "", compare_exact, CHANGED, CHANGED, CHANGED, 0, false,
	false };
static const struct rule EXTENSION = { 0, "x-*", compare_noted, NOTED, NOTED, NOTED, 0, false,
	true };

const struct rule *rules_find(enum object_kind kind, const char *keyword)
{
	size_t i = 0;
	while (i < RULE_COUNT && RULES[i].in != kind)
		i++;
	for (; i < RULE_COUNT && RULES[i].in == kind; i++)
		if (RULES[i].keyword[0] == keyword[0] && strcmp(RULES[i].keyword, keyword) == 0)
			return &RULES[i];
	if (strncmp(keyword, "x-", 2) == 0 || kind == OBJECT_INFO || kind == OBJECT_EXAMPLE)
		return &EXTENSION;
	return &UNKNOWN;
}

enum change_class rules_class(enum effect effect, enum direction direction)
{
	static const enum change_class CLASSES[][2] = {
		[EFFECT_NARROWED] = { CHANGE_BREAKING, CHANGE_ADDITIVE },
		[EFFECT_WIDENED] = { CHANGE_ADDITIVE, CHANGE_BREAKING },
		[EFFECT_CHANGED] = { CHANGE_BREAKING, CHANGE_BREAKING },
		[EFFECT_LOST] = { CHANGE_BREAKING, CHANGE_BREAKING },
		[EFFECT_GAINED] = { CHANGE_ADDITIVE, CHANGE_ADDITIVE },
		[EFFECT_PRESUMED] = { CHANGE_BREAKING, CHANGE_DOCUMENTATION },
		[EFFECT_NOTED] = { CHANGE_DOCUMENTATION, CHANGE_DOCUMENTATION },
	};
	return CLASSES[effect][direction];
}
