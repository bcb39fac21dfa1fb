#include "case/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/shape.h"
#include "case/resolver.h"

/* How what a variable brings is written into the text around it. */
enum escape { ESCAPE_NONE, ESCAPE_PATTERN, ESCAPE_POINTER };

static enum rc resolve_tree(
	struct resolver *r, const cJSON *value, const struct chain *chain, cJSON **resolved);

static bool name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

/* No part of it is empty. */
static bool path_valid(struct slice path)
{
	return path.len && path.ptr[0] != '.' && path.ptr[path.len - 1] != '.' &&
	       slice_find(path, slice_of("..")) == SIZE_MAX;
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
	if (dotted && !path_valid(reference->path))
		return err_set(err, RC_USAGE, "",
			"expected a path such as ${page.headers.ETag}, found ${%.*s}",
			(int)(close - start), start);
	reference->end = (size_t)(close - text) + 1;
	*offset = reference->end;
	return RC_OK;
}

static bool pattern_byte(char c)
{
	return strchr("\\^$.[]|()?*+{}-#/", c) != NULL;
}

static enum rc too_long(const struct resolver *r)
{
	r->scope->root->overgrown = true;
	return err_set(r->err, RC_USAGE, "",
		"with its variables in place this has more than %d bytes", RESOLVE_MAX_BYTES);
}

enum rc resolver_account(struct resolver *r, size_t bytes)
{
	r->bytes += bytes;
	return r->bytes > RESOLVE_MAX_BYTES + r->free_bytes ? too_long(r) : RC_OK;
}

void resolver_free_of(struct resolver *r, const struct binding *b, const cJSON *value)
{
	if (r->brought_count == RESOLVE_BROUGHT_MAX)
		return;
	for (size_t i = 0; i < r->brought_count; i++)
		if (r->brought[i] == b)
			return;
	r->brought[r->brought_count++] = b;
	r->free_bytes += json_size(value);
}

/* A list or object of a variable is referred to: what a variable stands for outlives what is resolved with it. */
static cJSON *share(const cJSON *value)
{
	if (value->child && cJSON_IsArray(value))
		return cJSON_CreateArrayReference(value->child);
	if (value->child && cJSON_IsObject(value))
		return cJSON_CreateObjectReference(value->child);
	return cJSON_Duplicate(value, true);
}

/*
 * What is brought counts as if it were copied, since whoever prints the value writes it out; what was resolved on the
 * way has been counted then.
 */
static enum rc account(struct resolver *r, const cJSON *value, bool brought)
{
	return brought || !value->child ? resolver_account(r, json_size(value)) : RC_OK;
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

static enum rc append_value(struct resolver *r, struct buf *out, const cJSON *value,
	const struct reference *reference, enum escape escape)
{
	enum rc rc = RC_OK;
	if (cJSON_IsString(value)) {
		rc = append_escaped(out, value->valuestring, escape);
	} else if (cJSON_IsNumber(value) || cJSON_IsBool(value)) {
		char *printed = json_print(value);
		rc = append_escaped(out, printed, escape);
		free(printed);
	} else {
		return err_set(r->err, RC_USAGE, "",
			"\"%.*s\" is %s, which can't stand inside text",
			SLICE_PRINT(reference->name),
			cJSON_IsNull(value)    ? "null"
			: cJSON_IsArray(value) ? "a list"
					       : "an object");
	}
	return rc == RC_OK ? RC_OK : too_long(r);
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

bool template_waits(const struct scope *scope, const cJSON *value)
{
	if (!scope->lenient || !value)
		return false;
	if (cJSON_IsString(value))
		return shape_has_variable(value->valuestring);
	for (const cJSON *part = value->child; part; part = part->next)
		if ((part->string && shape_has_variable(part->string)) ||
			template_waits(scope, part))
			return true;
	return false;
}

/* *known is false where a variable has no value yet: out then holds nothing of use. */
static enum rc fill_text(struct resolver *r, const char *text, const struct chain *chain,
	enum escape escape, struct buf *out, bool *known)
{
	struct reference reference;
	size_t offset = 0, done = 0;
	bool found;
	*known = true;
	for (;;) {
		enum rc rc = template_next(text, &offset, &reference, &found, r->err);
		if (rc != RC_OK)
			return rc;
		size_t until = found ? reference.at : strlen(text);
		if (append_plain(out, slice_from(text + done, until - done)) != RC_OK)
			return too_long(r);
		if (!found)
			return RC_OK;
		done = reference.end;
		const cJSON *value;
		bool brought;
		rc = look_up(r, &reference, chain, &value, &brought);
		if (rc == RC_OK && value && cJSON_IsString(value) &&
			template_waits(r->scope, value))
			value = NULL;
		if (rc == RC_OK && value)
			rc = append_value(r, out, value, &reference, escape);
		if (rc != RC_OK)
			return rc;
		*known = *known && value;
	}
}

static enum rc filled(struct resolver *r, const char *text, const struct chain *chain,
	enum escape escape, const char **resolved)
{
	struct buf out;
	bool known;
	buf_init(&out, RESOLVE_MAX_BYTES);
	enum rc rc = fill_text(r, text, chain, escape, &out, &known);
	if (rc == RC_OK)
		rc = resolver_account(r, out.len);
	if (rc == RC_OK)
		*resolved = known ? arena_slice(r->scope->root->arena, buf_slice(&out)) : text;
	buf_release(&out);
	return rc;
}

enum rc template_text(struct scope *scope, const char *text, const char **resolved, struct err *err)
{
	struct resolver r = { .scope = scope, .err = err };
	if (strchr(text, '$'))
		return filled(&r, text, NULL, ESCAPE_NONE, resolved);
	*resolved = text;
	return RC_OK;
}

/* The whole text is one variable, which then keeps its type. */
static bool is_alone(const char *text, struct reference *reference)
{
	size_t offset = 0;
	bool found;
	return template_next(text, &offset, reference, &found, NULL) == RC_OK && found &&
	       reference->at == 0 && text[reference->end] == '\0';
}

static enum rc resolve_string(struct resolver *r, const cJSON *value, const struct chain *chain,
	enum escape escape, cJSON **resolved)
{
	const char *text = value->valuestring;
	struct reference reference = { 0 };
	if (escape != ESCAPE_PATTERN && is_alone(text, &reference)) {
		const cJSON *found;
		bool brought;
		enum rc rc = look_up(r, &reference, chain, &found, &brought);
		if (rc != RC_OK)
			return rc;
		rc = account(r, found ? found : value, brought);
		if (rc == RC_OK)
			*resolved = share(found ? found : value);
		return rc;
	}
	const char *done;
	enum rc rc = filled(r, text, chain, escape, &done);
	if (rc == RC_OK)
		*resolved = cJSON_CreateString(done);
	return rc;
}

/* A key that came out of a variable must not be that of another member: only one of them would be seen. */
static enum rc check_key(
	const struct resolver *r, const cJSON *member, const char *key, const cJSON *object)
{
	bool twice = json_get(object, key) != NULL;
	for (const cJSON *m = member->next; m && !twice; m = m->next)
		twice = strcmp(m->string, key) == 0;
	return twice ? err_set(r->err, RC_USAGE, "", "two members have the name \"%s\"", key)
		     : RC_OK;
}

static enum rc resolve_member(
	struct resolver *r, const cJSON *member, const struct chain *chain, cJSON *object)
{
	cJSON *value = NULL;
	const char *key = member->string;
	enum rc rc = RC_OK;
	if (strchr(key, '$'))
		rc = filled(r, key, chain, key[0] == '/' ? ESCAPE_POINTER : ESCAPE_NONE, &key);
	if (rc == RC_OK && key != member->string)
		rc = check_key(r, member, key, object);
	if (rc == RC_OK && strcmp(key, "matches") == 0 && cJSON_IsString(member))
		rc = resolve_string(r, member, chain, ESCAPE_PATTERN, &value);
	else if (rc == RC_OK)
		rc = resolve_tree(r, member, chain, &value);
	if (rc == RC_OK)
		cJSON_AddItemToObject(object, key, value);
	return rc;
}

/* The result is the caller's to free; NULL where rc is not RC_OK. */
static enum rc resolve_tree(
	struct resolver *r, const cJSON *value, const struct chain *chain, cJSON **resolved)
{
	*resolved = NULL;
	if (cJSON_IsString(value) && strchr(value->valuestring, '$'))
		return resolve_string(r, value, chain, ESCAPE_NONE, resolved);
	enum rc rc = RC_OK;
	if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) {
		rc = resolver_account(r, json_size(value));
		if (rc == RC_OK)
			*resolved = cJSON_Duplicate(value, true);
		return rc;
	}
	cJSON *tree = cJSON_IsObject(value) ? cJSON_CreateObject() : cJSON_CreateArray();
	r->bytes += sizeof *tree;
	for (const cJSON *item = value->child; item && rc == RC_OK; item = item->next) {
		cJSON *element = NULL;
		if (cJSON_IsObject(value)) {
			rc = resolve_member(r, item, chain, tree);
			continue;
		}
		rc = resolve_tree(r, item, chain, &element);
		if (rc == RC_OK)
			cJSON_AddItemToArray(tree, element);
	}
	if (rc == RC_OK)
		*resolved = tree;
	else
		cJSON_Delete(tree);
	return rc;
}

enum rc resolver_copy(
	struct resolver *r, const cJSON *value, const struct chain *chain, cJSON **resolved)
{
	cJSON *tree;
	enum rc rc = resolve_tree(r, value, chain, &tree);
	*resolved = rc == RC_OK ? scope_keep(r->scope->root, tree) : NULL;
	return rc;
}

enum rc template_resolve(struct scope *scope, const cJSON *value, cJSON **resolved, struct err *err)
{
	struct resolver r = { .scope = scope, .err = err };
	return resolver_copy(&r, value, NULL, resolved);
}
