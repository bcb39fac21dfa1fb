#include "openapi/structure.h"

#include <string.h>

#include "openapi/nodes.h"
#include "openapi/trail.h"

const char *const STRUCTURE_METHODS[] = { "get", "put", "post", "delete", "options", "head",
	"patch", "trace", NULL };

enum kind {
	KIND_ROOT,
	KIND_COMPONENTS,
	KIND_PATH_ITEM,
	KIND_OPERATION,
	KIND_PARAMETER,
	KIND_BODY,
	KIND_RESPONSE,
	KIND_HEADER,
	KIND_MEDIA,
	KIND_SERVER,
	KIND_SCHEMA,
	KIND_OTHER, /* an object, no more is known */
};

enum form { FORM_OBJECT, FORM_MAP, FORM_LIST, FORM_TEXT, FORM_FLAG };

/* Members that aren't here are nobody's business. */
static const struct part {
	enum kind in;
	const char *key;
	enum form form;
	enum kind of; /* the object's, the map's values', the list's items' */
	bool needed;
} PARTS[] = {
	{ KIND_ROOT, "paths", FORM_MAP, KIND_PATH_ITEM, true },
	{ KIND_ROOT, "webhooks", FORM_MAP, KIND_PATH_ITEM, false },
	{ KIND_ROOT, "servers", FORM_LIST, KIND_SERVER, false },
	{ KIND_ROOT, "security", FORM_LIST, KIND_OTHER, false },
	{ KIND_ROOT, "components", FORM_OBJECT, KIND_COMPONENTS, false },
	{ KIND_COMPONENTS, "schemas", FORM_MAP, KIND_SCHEMA, false },
	{ KIND_COMPONENTS, "parameters", FORM_MAP, KIND_PARAMETER, false },
	{ KIND_COMPONENTS, "requestBodies", FORM_MAP, KIND_BODY, false },
	{ KIND_COMPONENTS, "responses", FORM_MAP, KIND_RESPONSE, false },
	{ KIND_COMPONENTS, "headers", FORM_MAP, KIND_HEADER, false },
	{ KIND_COMPONENTS, "securitySchemes", FORM_MAP, KIND_OTHER, false },
	{ KIND_COMPONENTS, "pathItems", FORM_MAP, KIND_PATH_ITEM, false },
	{ KIND_COMPONENTS, "callbacks", FORM_MAP, KIND_OTHER, false },
	{ KIND_PATH_ITEM, "parameters", FORM_LIST, KIND_PARAMETER, false },
	{ KIND_PATH_ITEM, "servers", FORM_LIST, KIND_SERVER, false },
	{ KIND_PATH_ITEM, "get", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_PATH_ITEM, "put", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_PATH_ITEM, "post", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_PATH_ITEM, "delete", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_PATH_ITEM, "options", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_PATH_ITEM, "head", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_PATH_ITEM, "patch", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_PATH_ITEM, "trace", FORM_OBJECT, KIND_OPERATION, false },
	{ KIND_OPERATION, "operationId", FORM_TEXT, KIND_OTHER, false },
	{ KIND_OPERATION, "deprecated", FORM_FLAG, KIND_OTHER, false },
	{ KIND_OPERATION, "parameters", FORM_LIST, KIND_PARAMETER, false },
	{ KIND_OPERATION, "requestBody", FORM_OBJECT, KIND_BODY, false },
	{ KIND_OPERATION, "responses", FORM_MAP, KIND_RESPONSE, false },
	{ KIND_OPERATION, "callbacks", FORM_MAP, KIND_OTHER, false },
	{ KIND_OPERATION, "security", FORM_LIST, KIND_OTHER, false },
	{ KIND_OPERATION, "servers", FORM_LIST, KIND_SERVER, false },
	{ KIND_PARAMETER, "name", FORM_TEXT, KIND_OTHER, true },
	{ KIND_PARAMETER, "in", FORM_TEXT, KIND_OTHER, true },
	{ KIND_PARAMETER, "required", FORM_FLAG, KIND_OTHER, false },
	{ KIND_PARAMETER, "schema", FORM_OBJECT, KIND_SCHEMA, false },
	{ KIND_PARAMETER, "content", FORM_MAP, KIND_MEDIA, false },
	{ KIND_BODY, "content", FORM_MAP, KIND_MEDIA, true },
	{ KIND_BODY, "required", FORM_FLAG, KIND_OTHER, false },
	{ KIND_RESPONSE, "content", FORM_MAP, KIND_MEDIA, false },
	{ KIND_RESPONSE, "headers", FORM_MAP, KIND_HEADER, false },
	{ KIND_HEADER, "schema", FORM_OBJECT, KIND_SCHEMA, false },
	{ KIND_HEADER, "content", FORM_MAP, KIND_MEDIA, false },
	{ KIND_MEDIA, "schema", FORM_OBJECT, KIND_SCHEMA, false },
	{ KIND_SERVER, "url", FORM_TEXT, KIND_OTHER, true },
	{ KIND_SERVER, "variables", FORM_MAP, KIND_OTHER, false },
};

enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

struct check {
	const struct document *document;
	struct nodes seen; /* what is referred to from several places is looked at once a kind */
	struct err *err;
};

static const char *found(const cJSON *value)
{
	switch (value ? value->type & 0xff : cJSON_Invalid) {
	case cJSON_Object: return "an object";
	case cJSON_Array: return "a list";
	case cJSON_String: return "a string";
	case cJSON_Number: return "a number";
	case cJSON_NULL: return "null";
	case cJSON_True: return "true";
	case cJSON_False: return "false";
	default: return "none";
	}
}

static enum rc refuse(
	struct check *check, const struct trail *at, const char *expected, const cJSON *value)
{
	char where[512];
	trail_print(at, where, sizeof where);
	return err_set(check->err, RC_INVALID, NULL, "%s: expected %s, found %s", where, expected,
		found(value));
}

static enum rc check_object(
	struct check *check, enum kind kind, const cJSON *value, const struct trail *at);

static enum rc check_children(
	struct check *check, const struct part *part, const cJSON *value, const struct trail *up)
{
	enum rc rc = RC_OK;
	size_t index = 0;
	bool paths = part->in == KIND_ROOT && strcmp(part->key, "paths") == 0;
	for (const cJSON *child = value->child; child && rc == RC_OK;
		child = child->next, index++) {
		struct trail at = { up, TRAIL_MEMBER, child->string, index };
		if (child->string && strncmp(child->string, "x-", 2) == 0 &&
			part->of != KIND_HEADER && part->of != KIND_SCHEMA)
			continue;
		if (paths && child->string && child->string[0] != '/')
			rc = err_set(check->err, RC_INVALID, NULL,
				"/paths: expected paths that begin with \"/\", found \"%.100s\"",
				child->string);
		if (rc == RC_OK)
			rc = check_object(check, part->of, child, &at);
	}
	return rc;
}

static enum rc check_part(
	struct check *check, const struct part *part, const cJSON *value, const struct trail *at)
{
	switch (part->form) {
	case FORM_OBJECT: return check_object(check, part->of, value, at);
	case FORM_MAP:
		if (!cJSON_IsObject(value))
			return refuse(check, at, "an object", value);
		return check_children(check, part, value, at);
	case FORM_LIST:
		if (!cJSON_IsArray(value))
			return refuse(check, at, "a list", value);
		return check_children(check, part, value, at);
	case FORM_TEXT: return cJSON_IsString(value) ? RC_OK : refuse(check, at, "a string", value);
	case FORM_FLAG:
		return cJSON_IsBool(value) ? RC_OK : refuse(check, at, "true or false", value);
	}
	BUG("form %d", part->form);
}

static enum rc check_in(struct check *check, const cJSON *parameter, const struct trail *up)
{
	static const char *const PLACES[] = { "path", "query", "header", "cookie" };
	const char *in = json_text(parameter, "in");
	char where[512];
	for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
		if (strcmp(in, PLACES[i]) == 0)
			return RC_OK;
	trail_print(up, where, sizeof where);
	return err_set(check->err, RC_INVALID, NULL,
		"%s/in: expected path, query, header or cookie, found \"%.100s\"", where, in);
}

static enum rc check_member(
	struct check *check, const struct part *part, const cJSON *object, const struct trail *up)
{
	const cJSON *member = json_get(object, part->key);
	struct trail at = { up, TRAIL_MEMBER, part->key, 0 };
	if (member)
		return check_part(check, part, member, &at);
	if (!part->needed)
		return RC_OK;
	return refuse(check, &at, part->form == FORM_TEXT ? "a string" : "an object", NULL);
}

static enum rc check_object(
	struct check *check, enum kind kind, const cJSON *value, const struct trail *at)
{
	enum rc rc = RC_OK;
	value = document_resolve(check->document, value);
	if (kind == KIND_SCHEMA && cJSON_IsBool(value))
		return RC_OK;
	if (!cJSON_IsObject(value))
		return refuse(check, at, kind == KIND_SCHEMA ? "a schema" : "an object", value);
	union node_word *seen = nodes_put(&check->seen, value, NULL, kind);
	if (seen->number)
		return RC_OK;
	seen->number = 1;
	for (size_t i = 0; i < PART_COUNT && rc == RC_OK; i++)
		if (PARTS[i].in == kind)
			rc = check_member(check, &PARTS[i], value, at);
	if (rc == RC_OK && kind == KIND_PARAMETER)
		rc = check_in(check, value, at);
	return rc;
}

enum rc structure_check(const struct document *document, struct err *err)
{
	struct check check = { .document = document, .err = err };
	enum rc rc = check_object(&check, KIND_ROOT, document_root(document), NULL);
	nodes_release(&check.seen);
	return rc;
}
