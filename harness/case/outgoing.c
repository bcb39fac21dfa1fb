#include "case/outgoing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "case/format.h"
#include "case/option.h"
#include "case/settings.h"
#include "case/steps.h"
#include "case/template.h"

enum { BODY_FILE_MAX_BYTES = 256 * 1024 * 1024 };

static void drop_header(struct outgoing *out, const char *name)
{
	size_t kept = 0;
	for (size_t i = 0; i < out->header_count; i++)
		if (strcasecmp(out->headers[i].name, name) != 0)
			out->headers[kept++] = out->headers[i];
	out->header_count = kept;
}

static void add_header(
	struct arena *arena, struct outgoing *out, const char *name, const char *value)
{
	struct outgoing_header *grown = arena_alloc(arena, out->header_count + 1, sizeof *grown);
	if (out->header_count)
		memcpy(grown, out->headers, out->header_count * sizeof *grown);
	grown[out->header_count++] = (struct outgoing_header){ arena_text(arena, name), value };
	out->headers = grown;
}

/* CR, LF and NUL would end the field: a case that wants them uses `raw`. */
static enum rc value_text(struct arena *arena, const cJSON *value, const char *name,
	const char **text, struct err *err)
{
	if (cJSON_IsString(value)) {
		*text = value->valuestring;
	} else {
		char *printed = json_print(value);
		*text = arena_text(arena, printed);
		free(printed);
	}
	if (strpbrk(*text, "\r\n"))
		return err_set(err, RC_USAGE, "",
			"the value of %s has a line end in it; `raw` sends such bytes", name);
	return RC_OK;
}

static enum rc set_header(
	struct arena *arena, struct outgoing *out, const cJSON *field, struct err *err)
{
	const char *text;
	drop_header(out, field->string);
	if (!field->string[0] || strpbrk(field->string, "\r\n:"))
		return err_set(err, RC_USAGE, "",
			"\"%s\" is no name of a header field; `raw` sends such bytes",
			field->string);
	if (strcasecmp(field->string, "Host") == 0)
		out->without_host = cJSON_IsNull(field);
	if (cJSON_IsNull(field))
		return RC_OK;
	const cJSON *line = cJSON_IsArray(field) ? field->child : field;
	for (; line; line = cJSON_IsArray(field) ? line->next : NULL) {
		enum rc rc = value_text(arena, line, field->string, &text, err);
		if (rc != RC_OK)
			return rc;
		add_header(arena, out, field->string, text);
	}
	return RC_OK;
}

static enum rc add_headers(
	struct scope *scope, struct outgoing *out, const cJSON *headers, struct err *err)
{
	cJSON *resolved;
	const cJSON *field;
	struct err form = { 0 };
	enum rc rc = headers ? template_resolve(scope, headers, &resolved, err) : RC_OK;
	if (rc != RC_OK || !headers)
		return rc;
	if (!template_waits(scope, resolved) &&
		!shape_check_resolved(&format_headers, resolved, &form))
		return err_set(err, RC_USAGE, "", "headers: %s", form.text);
	cJSON_ArrayForEach (field, resolved) {
		rc = set_header(scope->root->arena, out, field, err);
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

/* Outermost first. */
static enum rc inherited_headers(struct scope *scope, const struct case_file *one,
	const struct step *step, struct outgoing *out, struct err *err)
{
	if (!step)
		return add_headers(scope, out, one->headers, err);
	enum rc rc = inherited_headers(scope, one, step->outer, out, err);
	return rc == RC_OK ? add_headers(scope, out, json_get(step->node, "headers"), err) : rc;
}

static unsigned nibble(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

struct slice outgoing_hex(struct arena *arena, const char *text)
{
	uint8_t *bytes = arena_alloc(arena, strlen(text) / 2 + 1, 1);
	size_t count = 0, digits = 0;
	for (; *text; text++) {
		if (*text == ' ')
			continue;
		bytes[count] = (uint8_t)(bytes[count] << 4 | nibble(*text));
		count += digits++ % 2;
	}
	return slice_from(bytes, count);
}

static bool has_header(const struct outgoing *out, const char *name)
{
	for (size_t i = 0; i < out->header_count; i++)
		if (strcasecmp(out->headers[i].name, name) == 0)
			return true;
	return false;
}

static void release_buf(void *buf)
{
	buf_release(buf);
}

static enum rc file_body(struct scope *scope, const struct case_file *one, const char *name,
	struct outgoing *out, struct err *err)
{
	struct buf *buf = arena_alloc(scope->root->arena, 1, sizeof *buf);
	buf_init(buf, BODY_FILE_MAX_BYTES);
	arena_defer(scope->root->arena, release_buf, buf);
	out->file = settings_beside(scope->root->arena, one, name);
	struct err inner = { 0 };
	if (buf_read_file(buf, out->file, &inner) != RC_OK)
		return err_set(err, RC_USAGE, "", "%s %s", inner.where, inner.text);
	out->body = buf_slice(buf);
	return RC_OK;
}

static enum rc body(struct scope *scope, const struct case_file *one, const struct step *step,
	struct outgoing *out, struct err *err)
{
	static const char *const KEYS[] = { "body", "json", "file", "hex" };
	struct arena *arena = scope->root->arena;
	for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
		cJSON *value;
		enum rc rc = option_get(scope, step, KEYS[i], &value, err);
		if (rc != RC_OK)
			return rc;
		if (!value || (cJSON_IsString(value) && template_waits(scope, value)))
			continue;
		if (strcmp(KEYS[i], "json") == 0) {
			char *text = json_print(value);
			out->body = slice_of(arena_text(arena, text));
			free(text);
			if (!has_header(out, "Content-Type"))
				add_header(arena, out, "Content-Type", "application/json");
			return RC_OK;
		}
		if (!cJSON_IsString(value))
			return err_set(err, RC_USAGE, "", "expected %s to be a text", KEYS[i]);
		if (strcmp(KEYS[i], "file") == 0)
			return file_body(scope, one, value->valuestring, out, err);
		out->body = strcmp(KEYS[i], "hex") == 0 ? outgoing_hex(arena, value->valuestring)
							: slice_of(value->valuestring);
	}
	return RC_OK;
}

static enum rc check_target(const char *target, struct err *err)
{
	for (const char *c = target; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return err_set(err, RC_USAGE, "",
				"the target has white space or a control character at byte %td; `raw` sends such bytes",
				c - target);
	return target[0] ? RC_OK : err_set(err, RC_USAGE, "", "the target is empty");
}

/* A token of RFC 9110 section 5.6.2. */
static enum rc check_method(const char *method, struct err *err)
{
	static const char TCHAR[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	if (method[0] && strspn(method, TCHAR) == strlen(method))
		return RC_OK;
	return err_set(err, RC_USAGE, "",
		"\"%s\" is no method (RFC 9110 section 9.1); `raw` sends such bytes", method);
}

enum rc outgoing_build(struct scope *scope, const struct case_file *one, const struct step *step,
	struct outgoing *out, struct err *err)
{
	*out = (struct outgoing){ 0 };
	enum rc rc = template_text(scope, step_method(step), &out->method, err);
	if (rc == RC_OK && !(scope->lenient && shape_has_variable(out->method)))
		rc = check_method(out->method, err);
	if (rc == RC_OK)
		rc = template_text(scope, step->subject->valuestring, &out->target, err);
	if (rc == RC_OK && !(scope->lenient && shape_has_variable(out->target)))
		rc = check_target(out->target, err);
	if (rc == RC_OK)
		rc = inherited_headers(scope, one, step, out, err);
	return rc == RC_OK ? body(scope, one, step, out, err) : rc;
}
