#include "openapi/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "openapi/example.h"
#include "openapi/members.h"
#include "openapi/texts.h"

/* A target is cut here: no server takes one as long. */
enum { TARGET_MAX_BYTES = 64 * 1024 };

/* What doesn't fit is left out. */
static void put(struct buf *buf, const char *text)
{
	enum rc rc = buf_text(buf, text);
	(void)rc;
}

/* RFC 3986, section 2.3: what is not unreserved is written as %XX; that is simple expansion (RFC 6570, section 3.2.2). */
static void put_encoded(struct buf *buf, const char *text)
{
	static const char PLAIN[] = "-._~";
	for (const uint8_t *at = (const uint8_t *)text; *at; at++) {
		bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
		bool plain = letter || (*at >= '0' && *at <= '9') || strchr(PLAIN, *at);
		enum rc rc = buf_print(buf, plain ? "%c" : "%%%02X", *at);
		if (rc != RC_OK)
			return;
	}
}

static void put_value(struct buf *buf, const cJSON *value)
{
	char *text = texts_of(value);
	put_encoded(buf, text);
	free(text);
}

/* Items of a list, names and values of an object, or the value itself, joined. */
static void put_joined(struct buf *buf, const cJSON *value, const char *between, const char *pair)
{
	if (!cJSON_IsArray(value) && !cJSON_IsObject(value)) {
		put_value(buf, value);
		return;
	}
	for (const cJSON *one = value->child; one; one = one->next) {
		put(buf, one == value->child ? "" : between);
		if (one->string) {
			put_encoded(buf, one->string);
			put(buf, pair);
		}
		put_value(buf, one);
	}
}

static bool explodes(const cJSON *parameter, bool otherwise)
{
	const cJSON *explode = json_get(parameter, "explode");
	return explode ? cJSON_IsTrue(explode) : otherwise;
}

static const cJSON *given_of(const struct target_values *values, const cJSON *parameter)
{
	const char *name = json_text(parameter, "name");
	return name ? json_get(values->given, name) : NULL;
}

static cJSON *value_of(const struct target_values *values, const cJSON *parameter, bool *json)
{
	const struct document *document = values->document;
	const cJSON *given = given_of(values, parameter);
	const cJSON *content = json_get(parameter, "content");
	*json = cJSON_IsObject(content) && content->child;
	if (given)
		return cJSON_Duplicate(given, true);
	if (*json)
		return example_of_object(
			document, document_resolve(document, content->child), values->left_bytes);
	return example_of_object(document, parameter, values->left_bytes);
}

/* OpenAPI 3.1, section 4.8.12.2: simple, label and matrix. */
static void put_in_path(struct buf *buf, const cJSON *parameter, const cJSON *value, bool json)
{
	const char *style = json_text(parameter, "style");
	bool explode = explodes(parameter, false);
	const char *pair = explode ? "=" : ",", *between = ",";
	size_t before = buf->len;
	if (json) {
		put_value(buf, value);
		return;
	}
	if (style && strcmp(style, "label") == 0) {
		put(buf, ".");
		between = explode ? "." : ",";
	} else if (style && strcmp(style, "matrix") == 0) {
		put(buf, ";");
		put_encoded(buf, json_text(parameter, "name"));
		put(buf, "=");
	}
	put_joined(buf, value, between, pair);
	/* An empty segment would be another path. */
	if (buf->len == before)
		put(buf, "x");
}

static void put_in_query(struct buf *buf, const cJSON *parameter, const cJSON *value, bool json)
{
	const char *style = json_text(parameter, "style"), *name = json_text(parameter, "name");
	const char *between = ",";
	bool deep = style && strcmp(style, "deepObject") == 0, list = cJSON_IsArray(value);
	bool many = (list || cJSON_IsObject(value)) && !json && value->child;
	if (style && strcmp(style, "spaceDelimited") == 0)
		between = "%20";
	if (style && strcmp(style, "pipeDelimited") == 0)
		between = "%7C";
	if (!many || (!deep && !explodes(parameter, *between == ','))) {
		put_encoded(buf, name);
		put(buf, "=");
		if (json)
			put_value(buf, value);
		else
			put_joined(buf, value, between, between);
		return;
	}
	for (const cJSON *one = value->child; one; one = one->next) {
		put(buf, one == value->child ? "" : "&");
		put_encoded(buf, list || deep ? name : one->string);
		if (deep && !list) {
			put(buf, "[");
			put_encoded(buf, one->string);
			put(buf, "]");
		}
		put(buf, "=");
		put_value(buf, one);
	}
}

/* The variable's length with its braces at the start of text; 0 where there is none. */
static size_t variable(const char *text)
{
	const char *end = *text == '{' ? strchr(text, '}') : NULL;
	return end ? (size_t)(end - text) + 1 : 0;
}

/* The path parameter of that name, or NULL. */
static const struct operation_parameter *declared(
	const struct operation *operation, const char *name, size_t len)
{
	for (size_t i = 0; i < operation->parameter_count; i++) {
		const struct operation_parameter *one = &operation->parameters[i];
		if (strcmp(one->in, "path") != 0)
			break;
		if (strlen(one->name) == len && strncmp(one->name, name, len) == 0)
			return one;
	}
	return NULL;
}

/* A byte that a template may hold; what a target may not is encoded. */
static void put_literal(struct buf *buf, char byte)
{
	const char text[] = { byte, 0 };
	bool plain = (uint8_t)byte > ' ' && (uint8_t)byte < 0x7f && !strchr("\"<>\\^`{|}#", byte);
	if (plain)
		put(buf, text);
	else
		put_encoded(buf, text);
}

static void put_path(
	struct buf *buf, struct operation *operation, const struct target_values *values)
{
	for (const char *at = operation->path; *at && buf->len < TARGET_MAX_BYTES / 2;) {
		size_t len = variable(at);
		const struct operation_parameter *one =
			len ? declared(operation, at + 1, len - 2) : NULL;
		if (one) {
			bool json;
			cJSON *value = value_of(values, one->object, &json);
			put_in_path(buf, one->object, value, json);
			cJSON_Delete(value);
		} else if (len) {
			operation->undeclared++;
			put(buf, "x");
		} else {
			put_literal(buf, *at);
		}
		at += len ? len : 1;
	}
}

void target_make(struct operation *operation, struct operation_parameter *parameters,
	const struct target_values *values, const char *base, struct arena *arena)
{
	struct buf buf;
	bool first = true;
	buf_init(&buf, TARGET_MAX_BYTES);
	put(&buf, base);
	put_path(&buf, operation, values);
	for (size_t i = 0; i < operation->parameter_count; i++) {
		struct operation_parameter *one = &parameters[i];
		bool json;
		cJSON *value = value_of(values, one->object, &json);
		char *text = texts_of(value);
		one->value = arena_text(arena, text);
		free(text);
		one->sent = one->required || given_of(values, one->object);
		if (strcmp(one->in, "query") == 0 && one->sent) {
			put(&buf, first ? "?" : "&");
			put_in_query(&buf, one->object, value, json);
			first = false;
		}
		cJSON_Delete(value);
	}
	operation->target = arena_slice(arena, buf_slice(&buf));
	buf_release(&buf);
}

/* Variables of a server's URL by their defaults. */
static const char *with_defaults(const cJSON *server, const char *url, struct arena *arena)
{
	struct buf buf;
	const cJSON *variables = json_get(server, "variables");
	buf_init(&buf, TARGET_MAX_BYTES);
	while (*url && buf.len < TARGET_MAX_BYTES / 2) {
		size_t len = variable(url);
		char *name = len ? mem_print("%.*s", (int)len - 2, url + 1) : NULL;
		const char *value = name ? json_text(json_get(variables, name), "default") : NULL;
		for (const char *at = value; at && *at; at++)
			put_literal(&buf, *at);
		if (!value)
			put_literal(&buf, *url);
		url += value ? len : 1;
		free(name);
	}
	const char *text = arena_slice(arena, buf_slice(&buf));
	buf_release(&buf);
	return text;
}

const char *target_base(const cJSON *servers, struct arena *arena)
{
	const cJSON *server = members_items(servers);
	const char *url = json_text(server, "url");
	if (!url)
		return "";
	url = with_defaults(server, url, arena);
	const char *scheme = strstr(url, "://"), *slash = strchr(url, '/');
	if (scheme && scheme < slash)
		url = strchr(scheme + 3, '/');
	else if (strncmp(url, "//", 2) == 0)
		url = strchr(url + 2, '/');
	if (!url)
		return "";
	size_t len = strcspn(url, "?#");
	while (len && url[len - 1] == '/')
		len--;
	return arena_print(arena, "%s%.*s", len && *url != '/' ? "/" : "", (int)len, url);
}
