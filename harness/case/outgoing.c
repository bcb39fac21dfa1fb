#include "case/outgoing.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case/format.h"
#include "case/option.h"
#include "case/settings.h"
#include "case/steps.h"
#include "case/template.h"

static void drop_header(struct outgoing *out, const char *name)
{
	size_t kept = 0;
	for (size_t i = 0; i < out->header_count; i++)
		if (strcasecmp(out->headers[i].name, name) != 0)
			out->headers[kept++] = out->headers[i];
	out->header_count = kept;
}

static enum rc add_header(struct arena *arena, struct outgoing *out, const char *name,
	const char *value, struct err *err)
{
	if (out->header_count == OUTGOING_HEADERS_MAX)
		return err_set(err, RC_USAGE, "", "more than %d header fields; `raw` sends them",
			OUTGOING_HEADERS_MAX);
	if (out->header_count == out->header_room) {
		size_t room = out->header_room ? out->header_room * 2 : 8;
		struct outgoing_header *grown = arena_alloc(arena, room, sizeof *grown);
		if (out->header_count)
			memcpy(grown, out->headers, out->header_count * sizeof *grown);
		out->headers = grown;
		out->header_room = room;
	}
	out->headers[out->header_count++] =
		(struct outgoing_header){ arena_text(arena, name), value };
	return RC_OK;
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
		if (rc == RC_OK)
			rc = add_header(arena, out, field->string, text, err);
		if (rc != RC_OK)
			return rc;
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
		return one ? add_headers(scope, out, one->headers, err) : RC_OK;
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

static void close_file(void *fd)
{
	close(*(int *)fd);
}

/* Nothing is read here: lint wants no more than to know that it could be. */
static enum rc file_body(struct scope *scope, const struct case_file *one, const char *name,
	struct outgoing *out, struct err *err)
{
	struct arena *arena = scope->root->arena;
	int *fd = arena_alloc(arena, 1, sizeof *fd);
	struct stat status;
	out->file = settings_beside(arena, one, name);
	/* Without waiting for whoever writes to a pipe. */
	*fd = open(out->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return err_errno(err, RC_USAGE, "", "%s cannot be opened", out->file);
	arena_defer(arena, close_file, fd);
	if (fstat(*fd, &status) != 0 || !S_ISREG(status.st_mode))
		return err_set(err, RC_USAGE, "", "%s is not a file", out->file);
	out->file_fd = *fd;
	out->file_bytes = (uint64_t)status.st_size;
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
			return has_header(out, "Content-Type")
				       ? RC_OK
				       : add_header(arena, out, "Content-Type", "application/json",
						 err);
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

/* What libcurl and servers take; `raw` sends longer ones. */
static enum rc check_head(const struct outgoing *out, struct err *err)
{
	size_t bytes = strlen(out->method) + strlen(out->target);
	for (size_t i = 0; i < out->header_count; i++)
		bytes += strlen(out->headers[i].name) + strlen(out->headers[i].value) + 4;
	if (bytes > OUTGOING_HEAD_MAX_BYTES)
		return err_set(err, RC_USAGE, "",
			"the head of the request has more than %d bytes; `raw` sends such heads",
			OUTGOING_HEAD_MAX_BYTES);
	return RC_OK;
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
		rc = inherited_headers(scope, step->json == one->json ? one : NULL, step, out, err);
	if (rc == RC_OK)
		rc = check_head(out, err);
	return rc == RC_OK ? body(scope, one, step, out, err) : rc;
}
