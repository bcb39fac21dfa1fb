#include "openapi/document.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "openapi/reference.h"
#include "openapi/structure.h"

struct document {
	struct arena *arena;
	cJSON *root;
	unsigned minor;
	/* On its own, since looking something up in a document that doesn't change adds to its indexes. */
	struct references *references;
};

/* Whether a line is `key: ...` or `key:` as YAML has it, or one of its markers. */
static bool is_yaml_line(struct slice line)
{
	size_t len = 0;
	if (slice_starts(line, "---") || slice_starts(line, "%YAML"))
		return true;
	while (len < line.len && (isalnum(line.ptr[len]) || strchr("_-\"'", line.ptr[len])))
		len++;
	if (!len || len >= line.len || line.ptr[len] != ':')
		return false;
	return len + 1 == line.len || line.ptr[len + 1] == ' ' || line.ptr[len + 1] == '\r';
}

/* The first line that is more than space or a comment of YAML. */
static struct slice first_line(struct slice bytes)
{
	struct slice line;
	while (slice_next(&bytes, '\n', &line)) {
		struct slice text = slice_trim(line);
		if (text.len && text.ptr[0] != '#' && !slice_is(text, "\r"))
			return text;
	}
	return slice_of("");
}

/* What is no JSON by its first bytes gets named; the rest is for the parser to say. */
static enum rc check_bytes(struct slice bytes, const char *name, struct err *err)
{
	if (bytes.len > DOCUMENT_MAX_BYTES)
		return err_set(err, RC_LIMIT, name,
			"expected an OpenAPI document of at most %d bytes, found %zu",
			DOCUMENT_MAX_BYTES, bytes.len);
	if (bytes.len >= 2 && bytes.ptr[0] == 0x1f && bytes.ptr[1] == 0x8b)
		return err_set(err, RC_INVALID, name,
			"expected a JSON document, found bytes that are compressed by gzip");
	struct slice line = first_line(bytes);
	if (!line.len)
		return err_set(err, RC_INVALID, name, "expected a JSON document, found %s",
			bytes.len ? "no more than spaces" : "nothing, 0 bytes");
	struct slice shown = slice_part(line, 0, 60);
	if (line.ptr[0] == '<')
		return err_set(err, RC_INVALID, name,
			"expected a JSON document, found HTML or XML: %.*s", SLICE_PRINT(shown));
	if (line.ptr[0] != '{' && is_yaml_line(line))
		return err_set(err, RC_INVALID, name,
			"expected the document's JSON form, found YAML: %.*s", SLICE_PRINT(shown));
	return RC_OK;
}

static enum rc check_version(struct document *document, const char *name, struct err *err)
{
	const cJSON *root = document->root;
	const char *version = json_text(root, "openapi");
	const cJSON *swagger = json_get(root, "swagger");
	if (!cJSON_IsObject(root))
		return err_set(err, RC_INVALID, name,
			"expected an OpenAPI document, an object, found %s",
			cJSON_IsArray(root) ? "a list" : "a value that is none");
	if (!version && swagger)
		return err_set(err, RC_INVALID, name,
			"expected OpenAPI 3.0 or 3.1, found Swagger %.40s",
			cJSON_IsString(swagger) ? swagger->valuestring : "of no known version");
	if (!version)
		return err_set(err, RC_INVALID, name,
			"/openapi: expected the version, a string such as \"3.1.0\", found %s",
			json_get(root, "openapi") ? "another type" : "none");
	if (strncmp(version, "3.0", 3) != 0 && strncmp(version, "3.1", 3) != 0)
		version = "";
	if (!*version || (version[3] && version[3] != '.'))
		return err_set(err, RC_INVALID, name,
			"/openapi: expected version 3.0 or 3.1, found \"%.40s\"",
			json_text(root, "openapi"));
	document->minor = (unsigned)(version[2] - '0');
	return RC_OK;
}

/* What has nothing to call passes every check of its operations; it must not get that far. */
static enum rc check_operations(const struct document *document, const char *name, struct err *err)
{
	const cJSON *paths = json_get(document->root, "paths");
	size_t count = 0;
	for (const cJSON *path = paths ? paths->child : NULL; path; path = path->next, count++) {
		const cJSON *item = document_resolve(document, path);
		for (const char *const *method = STRUCTURE_METHODS; *method; method++)
			if (path->string[0] == '/' && json_get(item, *method))
				return RC_OK;
	}
	if (count)
		return err_set(err, RC_INVALID, name,
			"/paths: expected at least one operation, found %zu path%s without any",
			count, count == 1 ? "" : "s");
	return err_set(err, RC_INVALID, name, "/paths: expected at least one operation, found %s%s",
		paths ? "no path" : "none",
		json_get(document->root, "webhooks") ? ", and webhooks, which others serve" : "");
}

enum rc document_read(
	struct slice bytes, const char *name, struct document **document, struct err *err)
{
	*document = NULL;
	enum rc rc = check_bytes(bytes, name, err);
	if (rc != RC_OK)
		return rc;
	struct err inner = { 0 };
	cJSON *root = json_parse(bytes, &inner);
	if (!root)
		return err_set(err, RC_INVALID, name, "expected a JSON document: %s", inner.text);
	struct document *d = mem_alloc(1, sizeof *d);
	d->root = root;
	d->arena = arena_new();
	d->references = arena_alloc(d->arena, 1, sizeof *d->references);
	rc = check_version(d, name, err);
	if (rc == RC_OK && !cJSON_IsObject(json_get(root, "paths")) && !json_get(root, "paths"))
		rc = check_operations(d, name, err);
	if (rc == RC_OK) {
		rc = references_init(d->references, root, d->arena, &inner);
		if (rc == RC_OK)
			rc = structure_check(d, &inner);
		if (rc != RC_OK)
			(void)err_set(err, rc, name, "%s", inner.text);
	}
	if (rc == RC_OK)
		rc = check_operations(d, name, err);
	if (rc == RC_OK) {
		*document = d;
		return RC_OK;
	}
	document_free(d);
	return rc;
}

void document_free(struct document *document)
{
	if (!document)
		return;
	references_release(document->references);
	cJSON_Delete(document->root);
	arena_free(document->arena);
	free(document);
}

const cJSON *document_root(const struct document *document)
{
	return document->root;
}

unsigned document_minor(const struct document *document)
{
	return document->minor;
}

const cJSON *document_target(const struct document *document, const cJSON *object)
{
	return object ? references_target(document->references, object) : NULL;
}

const cJSON *document_resolve(const struct document *document, const cJSON *object)
{
	const cJSON *target;
	while ((target = document_target(document, object)))
		object = target;
	return object;
}

const cJSON *document_find(const struct document *document, const char *reference)
{
	return references_find(document->references, reference);
}
