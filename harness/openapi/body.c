#include "openapi/body.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "openapi/example.h"
#include "openapi/fields.h"
#include "openapi/texts.h"

enum { BODY_MAX_BYTES = 16 * 1024 * 1024 };

#define BOUNDARY "onus-7d1c0a53"

enum form { FORM_JSON, FORM_URLENCODED, FORM_MULTIPART, FORM_TEXT };

static enum form form_of(const char *type)
{
	size_t len = strcspn(type, "; ");
	if (len >= 5 && strncasecmp(type + len - 5, "+json", 5) == 0)
		return FORM_JSON;
	if (len == 16 && strncasecmp(type, "application/json", len) == 0)
		return FORM_JSON;
	if (len == 33 && strncasecmp(type, "application/x-www-form-urlencoded", len) == 0)
		return FORM_URLENCODED;
	if (len == 19 && strncasecmp(type, "multipart/form-data", len) == 0)
		return FORM_MULTIPART;
	return FORM_TEXT;
}

/* JSON first, then what can be written by a schema, then the rest. */
static const cJSON *best(const cJSON *content)
{
	const cJSON *best = NULL;
	for (const cJSON *one = content->child; one; one = one->next)
		if (!best || form_of(one->string) < form_of(best->string))
			best = one;
	return best;
}

/* What doesn't fit is left out; example_of_object gives no more than a mebibyte. */
static void put(struct buf *buf, const char *text)
{
	enum rc rc = buf_text(buf, text);
	(void)rc;
}

/* application/x-www-form-urlencoded as the WHATWG's URL standard serializes it (section 5.2), a space as %20. */
static void put_escaped(struct buf *buf, const char *text)
{
	for (const uint8_t *at = (const uint8_t *)text; *at; at++) {
		bool letter = (*at | 0x20) >= 'a' && (*at | 0x20) <= 'z';
		bool plain = letter || (*at >= '0' && *at <= '9') || strchr("*-._", *at);
		if (buf_print(buf, plain ? "%c" : "%%%02X", *at) != RC_OK)
			return;
	}
}

static void put_urlencoded(struct buf *buf, const cJSON *value)
{
	for (const cJSON *one = cJSON_IsObject(value) ? value->child : NULL; one; one = one->next) {
		char *plain = texts_of(one);
		put(buf, one == value->child ? "" : "&");
		put_escaped(buf, one->string);
		put(buf, "=");
		put_escaped(buf, plain);
		free(plain);
	}
}

static bool is_upload(const struct document *document, const cJSON *schema, const char *name)
{
	const cJSON *property =
		json_get(json_get(document_resolve(document, schema), "properties"), name);
	property = document_resolve(document, property);
	const char *format = json_text(property, "format");
	return (format && strcmp(format, "binary") == 0) || json_text(property, "contentMediaType");
}

/* RFC 7578. A field's name is a token in every sound document; quotes and line ends would end the header. */
static void put_multipart(
	struct buf *buf, const struct document *document, const cJSON *media, const cJSON *value)
{
	const cJSON *schema = json_get(media, "schema");
	for (const cJSON *one = cJSON_IsObject(value) ? value->child : NULL; one; one = one->next) {
		char *plain = texts_of(one), *name = mem_text(one->string);
		for (char *at = name; *at; at++)
			*at = (char)(strchr("\"\r\n", *at) ? '_' : *at);
		put(buf, "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"");
		put(buf, name);
		put(buf, is_upload(document, schema, one->string)
				 ? "\"; filename=\"x\"\r\nContent-Type: application/octet-stream"
				 : "\"");
		put(buf, "\r\n\r\n");
		put(buf, plain);
		put(buf, "\r\n");
		free(plain);
		free(name);
	}
	put(buf, "--" BOUNDARY "--\r\n");
}

void body_make(struct operation *operation, const struct target_values *values,
	const cJSON *request_body, struct arena *arena)
{
	const struct document *document = values->document;
	const cJSON *content = json_get(request_body, "content");
	size_t count = cJSON_IsObject(content) ? (size_t)cJSON_GetArraySize(content) : 0, at = 0;
	const char **types = arena_alloc(arena, count + 1, sizeof *types);
	operation->body_types = types;
	operation->body_required = cJSON_IsTrue(json_get(request_body, "required"));
	if (!count)
		return;
	for (const cJSON *one = content->child; one; one = one->next)
		types[at++] = one->string;
	const cJSON *chosen = best(content), *media = document_resolve(document, chosen);
	cJSON *value = example_of_object(document, media, values->left_bytes);
	struct buf buf;
	buf_init(&buf, BODY_MAX_BYTES);
	operation->body_type = fields_value(arena, chosen->string);
	if (form_of(chosen->string) == FORM_URLENCODED) {
		put_urlencoded(&buf, value);
	} else if (form_of(chosen->string) == FORM_MULTIPART) {
		operation->body_type = "multipart/form-data; boundary=" BOUNDARY;
		put_multipart(&buf, document, media, value);
	} else {
		bool json = form_of(chosen->string) == FORM_JSON;
		char *plain = json ? json_print(value) : texts_of(value);
		put(&buf, plain);
		free(plain);
	}
	operation->body = slice_of(arena_slice(arena, buf_slice(&buf)));
	buf_release(&buf);
	cJSON_Delete(value);
}
