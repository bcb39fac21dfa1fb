#include "case/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/shape.h"
#include "case/generate.h"

enum { TEXT_MAX_BYTES = 64 * 1024 * 1024, DEPTH_MAX = 64 };

/* How what a variable brings is written into the text around it. */
enum escape { ESCAPE_NONE, ESCAPE_PATTERN, ESCAPE_POINTER };

static enum rc resolve(
	struct scope *scope, const cJSON *value, int depth, cJSON **resolved, struct err *err);
static enum rc resolve_tree(
	struct scope *scope, const cJSON *value, int depth, cJSON **resolved, struct err *err);

static bool name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

enum rc template_next(
	const char *text, size_t *offset, struct reference *reference, bool *found, struct err *err)
{
	*found = false;
	for (;;) {
		const char *at = strstr(text + *offset, "${");
		if (!at)
			return RC_OK;
		reference->at = (size_t)(at - text);
		*offset = reference->at + 2;
		if (at == text || at[-1] != '$')
			break;
	}
	*found = true;
	const char *start = text + *offset, *close = strchr(start, '}');
	if (!close)
		return err_set(err, RC_USAGE, "", "expected } to close ${");
	size_t length = 0;
	while (name_byte(start[length]))
		length++;
	if (!length || (start[length] != '}' && start[length] != '.'))
		return err_set(err, RC_USAGE, "",
			"expected a name such as ${file.name}, found ${%.*s}", (int)(close - start),
			start);
	reference->name = slice_from(start, length);
	bool dotted = start[length] == '.';
	reference->path =
		dotted ? slice_from(start + length + 1, (size_t)(close - start) - length - 1)
		       : slice_of("");
	reference->end = (size_t)(close - text) + 1;
	*offset = reference->end;
	return RC_OK;
}

static const cJSON *member_nocase(const cJSON *object, struct slice key)
{
	const cJSON *member;
	cJSON_ArrayForEach(member, object) if (slice_is_nocase(key, member->string)) return member;
	return NULL;
}

static const cJSON *child(const cJSON *value, struct slice key, bool nocase)
{
	uint64_t index;
	if (cJSON_IsArray(value))
		return slice_number(key, INT32_MAX, &index) ? cJSON_GetArrayItem(value, (int)index)
							    : NULL;
	if (nocase)
		return member_nocase(value, key);
	const cJSON *member;
	cJSON_ArrayForEach(member, value) if (slice_is(key, member->string)) return member;
	return NULL;
}

/* Follows a dotted path. Field names below `headers` compare as RFC 9110 section 5.1 has it: without case. */
static const cJSON *follow(const cJSON *value, struct slice path, struct slice *missing)
{
	struct slice part;
	bool headers = false;
	while (value && slice_next(&path, '.', &part)) {
		value = child(value, part, headers);
		headers = slice_is(part, "headers");
		*missing = part;
	}
	return value;
}

static enum rc env_value(
	struct scope *scope, const struct reference *r, cJSON **value, struct err *err)
{
	const char *name = arena_slice(scope->root->arena, r->path);
	const char *text = name[0] ? getenv(name) : NULL;
	if (!text)
		return err_set(err, RC_USAGE, "", "the environment has no variable \"%s\"", name);
	scope_add_secret(scope->root, text);
	*value = scope_keep(scope->root, cJSON_CreateString(text));
	return RC_OK;
}

static enum rc unknown_name(const struct scope *scope, const struct reference *r, struct err *err)
{
	const char *name = arena_slice(scope->root->arena, r->name);
	const char *nearest = scope_nearest(scope, name);
	if (nearest)
		return err_set(err, RC_USAGE, "", "unknown variable \"%s\"; did you mean \"%s\"?",
			name, nearest);
	return err_set(err, RC_USAGE, "", "unknown variable \"%s\"", name);
}

static enum rc no_such_path(const struct reference *r, struct slice missing, struct err *err)
{
	return err_set(err, RC_USAGE, "", "\"%.*s\" has no \"%.*s\"", SLICE_PRINT(r->name),
		SLICE_PRINT(missing));
}

/* What a name of a file stands for: its own variables resolved here, a generator run once. */
static enum rc written_value(struct scope *scope, struct binding *b, const struct reference *r,
	int depth, cJSON **value, struct err *err)
{
	struct slice missing = r->name;
	if (generate_is(b->value) && !b->generated) {
		cJSON *settings;
		enum rc rc = resolve(scope, b->value, depth, &settings, err);
		if (rc == RC_OK)
			rc = generate(scope->root, settings, &b->generated, err);
		if (rc != RC_OK)
			return rc;
	}
	const cJSON *found = follow(b->generated ? b->generated : b->value, r->path, &missing);
	if (!found && cJSON_IsString(b->value) && r->path.len) {
		cJSON *whole;
		enum rc rc = resolve(scope, b->value, depth, &whole, err);
		if (rc != RC_OK)
			return rc;
		found = follow(whole, r->path, &missing);
	}
	if (!found)
		return no_such_path(r, missing, err);
	if (b->generated) {
		*value = (cJSON *)found;
		return RC_OK;
	}
	return resolve(scope, found, depth, value, err);
}

/* *value is NULL where the name is declared but not known yet. */
static enum rc look_up(
	struct scope *scope, const struct reference *r, int depth, cJSON **value, struct err *err)
{
	*value = NULL;
	if (slice_is(r->name, "env"))
		return env_value(scope, r, value, err);
	if (slice_is(r->name, "unique")) {
		struct scope_root *root = scope->root;
		const char *text =
			arena_print(root->arena, "%s-%u", root->unique, ++root->unique_count);
		*value = scope_keep(root, cJSON_CreateString(text));
		return RC_OK;
	}
	struct binding *b = scope_find(scope, (const char *)r->name.ptr, r->name.len);
	if (!b)
		return unknown_name(scope, r, err);
	if (!b->value) {
		if (scope->lenient)
			return RC_OK;
		return err_set(err, RC_USAGE, "", "\"%s\" is not known here yet", b->name);
	}
	if (b->busy || depth > DEPTH_MAX)
		return err_set(err, RC_USAGE, "", "\"%s\" leads back to itself", b->name);
	if (b->kind == BINDING_WRITTEN) {
		b->busy = true;
		enum rc rc = written_value(scope, b, r, depth + 1, value, err);
		b->busy = false;
		return rc;
	}
	struct slice missing = r->name;
	*value = (cJSON *)follow(b->value, r->path, &missing);
	return *value ? RC_OK : no_such_path(r, missing, err);
}

static bool pattern_byte(char c)
{
	return strchr("\\^$.[]|()?*+{}-#/", c) != NULL;
}

static enum rc append_escaped(struct buf *out, const char *text, enum escape escape)
{
	for (; *text; text++) {
		const char *pointer = *text == '~' ? "~0" : *text == '/' ? "~1" : NULL;
		enum rc rc = RC_OK;
		if (escape == ESCAPE_POINTER && pointer) {
			rc = buf_text(out, pointer);
		} else {
			if (escape == ESCAPE_PATTERN && pattern_byte(*text))
				rc = buf_text(out, "\\");
			if (rc == RC_OK)
				rc = buf_append(out, slice_from(text, 1));
		}
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

static enum rc append_value(struct buf *out, const cJSON *value, const struct reference *r,
	enum escape escape, struct err *err)
{
	enum rc rc = RC_OK;
	char *printed = NULL;
	if (cJSON_IsString(value)) {
		rc = append_escaped(out, value->valuestring, escape);
	} else if (cJSON_IsNumber(value) || cJSON_IsBool(value)) {
		printed = json_print(value);
		rc = append_escaped(out, printed, escape);
	} else {
		return err_set(err, RC_USAGE, "", "\"%.*s\" is %s, which can't stand inside text",
			SLICE_PRINT(r->name),
			cJSON_IsNull(value)    ? "null"
			: cJSON_IsArray(value) ? "a list"
					       : "an object");
	}
	free(printed);
	return rc == RC_OK ? RC_OK
			   : err_set(err, RC_USAGE, "", "the text is longer than %d bytes",
				     TEXT_MAX_BYTES);
}

/* Text between variables, with `$${` written as `${`. */
static enum rc append_plain(struct buf *out, struct slice plain)
{
	size_t at;
	while ((at = slice_find(plain, slice_of("$${"))) != SIZE_MAX) {
		enum rc rc = buf_append(out, slice_part(plain, 0, at));
		if (rc != RC_OK || buf_text(out, "${") != RC_OK)
			return RC_LIMIT;
		plain = slice_part(plain, at + 3, SIZE_MAX);
	}
	return buf_append(out, plain);
}

/* In lint a variable may stand for a text that itself waits for an answer. */
static bool unknown_yet(const struct scope *scope, const cJSON *value)
{
	return scope->lenient && cJSON_IsString(value) && shape_has_variable(value->valuestring);
}

/* *known is false where a variable has no value yet: out then holds nothing of use. */
static enum rc fill_text(struct scope *scope, const char *text, int depth, enum escape escape,
	struct buf *out, bool *known, struct err *err)
{
	struct reference r;
	size_t offset = 0, done = 0;
	bool found;
	*known = true;
	for (;;) {
		enum rc rc = template_next(text, &offset, &r, &found, err);
		if (rc != RC_OK)
			return rc;
		size_t until = found ? r.at : strlen(text);
		if (append_plain(out, slice_from(text + done, until - done)) != RC_OK)
			return err_set(err, RC_USAGE, "", "the text is longer than %d bytes",
				TEXT_MAX_BYTES);
		if (!found)
			return RC_OK;
		done = r.end;
		cJSON *value;
		rc = look_up(scope, &r, depth, &value, err);
		if (value && unknown_yet(scope, value))
			value = NULL;
		if (rc == RC_OK && value)
			rc = append_value(out, value, &r, escape, err);
		if (rc != RC_OK)
			return rc;
		*known = *known && value;
	}
}

static enum rc filled(struct scope *scope, const char *text, int depth, enum escape escape,
	const char **resolved, struct err *err)
{
	struct buf out;
	bool known;
	buf_init(&out, TEXT_MAX_BYTES);
	enum rc rc = fill_text(scope, text, depth, escape, &out, &known, err);
	if (rc == RC_OK)
		*resolved = known ? arena_slice(scope->root->arena, buf_slice(&out)) : text;
	buf_release(&out);
	return rc;
}

enum rc template_text(struct scope *scope, const char *text, const char **resolved, struct err *err)
{
	if (strchr(text, '$'))
		return filled(scope, text, 0, ESCAPE_NONE, resolved, err);
	*resolved = text;
	return RC_OK;
}

/* The whole text is one variable, which then keeps its type. */
static bool is_alone(const char *text, struct reference *r)
{
	size_t offset = 0;
	bool found;
	return template_next(text, &offset, r, &found, NULL) == RC_OK && found && r->at == 0 &&
	       text[r->end] == '\0';
}

static enum rc resolve_string(struct scope *scope, const cJSON *value, int depth,
	enum escape escape, cJSON **resolved, struct err *err)
{
	const char *text = value->valuestring;
	struct reference r;
	if (escape != ESCAPE_PATTERN && is_alone(text, &r)) {
		cJSON *found;
		enum rc rc = look_up(scope, &r, depth, &found, err);
		if (rc == RC_OK)
			*resolved = cJSON_Duplicate(found ? found : value, true);
		return rc;
	}
	const char *done;
	enum rc rc = filled(scope, text, depth, escape, &done, err);
	if (rc == RC_OK)
		*resolved = cJSON_CreateString(done);
	return rc;
}

static enum rc resolve_member(
	struct scope *scope, const cJSON *member, int depth, cJSON *object, struct err *err)
{
	cJSON *value = NULL;
	const char *key = member->string;
	enum rc rc = RC_OK;
	if (strchr(key, '$'))
		rc = filled(
			scope, key, depth, key[0] == '/' ? ESCAPE_POINTER : ESCAPE_NONE, &key, err);
	if (rc == RC_OK && strcmp(key, "matches") == 0 && cJSON_IsString(member))
		rc = resolve_string(scope, member, depth, ESCAPE_PATTERN, &value, err);
	else if (rc == RC_OK)
		rc = resolve_tree(scope, member, depth, &value, err);
	if (rc == RC_OK)
		cJSON_AddItemToObject(object, key, value);
	return rc;
}

/* The result is the caller's to free; NULL where rc is not RC_OK. */
static enum rc resolve_tree(
	struct scope *scope, const cJSON *value, int depth, cJSON **resolved, struct err *err)
{
	*resolved = NULL;
	if (cJSON_IsString(value) && strchr(value->valuestring, '$'))
		return resolve_string(scope, value, depth, ESCAPE_NONE, resolved, err);
	if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) {
		*resolved = cJSON_Duplicate(value, true);
		return RC_OK;
	}
	enum rc rc = RC_OK;
	cJSON *copy = cJSON_IsObject(value) ? cJSON_CreateObject() : cJSON_CreateArray();
	for (const cJSON *item = value->child; item && rc == RC_OK; item = item->next) {
		cJSON *element = NULL;
		if (cJSON_IsObject(value)) {
			rc = resolve_member(scope, item, depth, copy, err);
			continue;
		}
		rc = resolve_tree(scope, item, depth, &element, err);
		if (rc == RC_OK)
			cJSON_AddItemToArray(copy, element);
	}
	if (rc == RC_OK)
		*resolved = copy;
	else
		cJSON_Delete(copy);
	return rc;
}

static enum rc resolve(
	struct scope *scope, const cJSON *value, int depth, cJSON **resolved, struct err *err)
{
	cJSON *tree;
	if (depth > DEPTH_MAX)
		return err_set(
			err, RC_USAGE, "", "variables are nested deeper than %d levels", DEPTH_MAX);
	enum rc rc = resolve_tree(scope, value, depth, &tree, err);
	*resolved = rc == RC_OK ? scope_keep(scope->root, tree) : NULL;
	return rc;
}

enum rc template_resolve(struct scope *scope, const cJSON *value, cJSON **resolved, struct err *err)
{
	return resolve(scope, value, 0, resolved, err);
}
