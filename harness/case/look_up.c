/* What a name stands for: `${env.NAME}`, `${unique}`, a variable of a file, something received. */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "case/generate.h"
#include "case/resolver.h"

static const cJSON *member_nocase(const cJSON *object, struct slice key)
{
	const cJSON *member;
	cJSON_ArrayForEach (member, object)
		if (slice_is_nocase(key, member->string))
			return member;
	return NULL;
}

/* A text may have members: json_put_dotted() says when. */
static const cJSON *child(const cJSON *value, struct slice key, bool nocase)
{
	uint64_t index;
	if (cJSON_IsArray(value))
		return slice_number(key, INT32_MAX, &index) ? cJSON_GetArrayItem(value, (int)index)
							    : NULL;
	if (nocase)
		return member_nocase(value, key);
	const cJSON *member;
	cJSON_ArrayForEach (member, value)
		if (slice_is(key, member->string))
			return member;
	return NULL;
}

/* A dotted path on its way down a value. */
struct walk {
	const cJSON *at;
	struct slice rest;    /* of the path */
	struct slice missing; /* the first part that is not there */
	bool headers;         /* at is a member called `headers`: see below */
};

/* As far as it leads; true at its end. Field names below `headers` compare as RFC 9110 section 5.1 has it: without case. */
static bool follow(struct walk *walk)
{
	struct slice part, rest = walk->rest;
	while (slice_next(&rest, '.', &part)) {
		const cJSON *next = child(walk->at, part, walk->headers);
		walk->missing = part;
		if (!next)
			return false;
		walk->at = next;
		walk->headers = slice_is(part, "headers");
		walk->rest = rest;
	}
	return true;
}

/* The member that missing may have meant. NULL where at is no object, or has none that is near. */
static const char *nearest_member(const struct resolver *r, const cJSON *at, struct slice missing)
{
	struct arena *arena = r->scope->root->arena;
	const char **names;
	size_t count = 0;
	const cJSON *member;
	if (!cJSON_IsObject(at))
		return NULL;
	names = arena_alloc(arena, (size_t)cJSON_GetArraySize(at) + 1, sizeof *names);
	cJSON_ArrayForEach (member, at)
		names[count++] = member->string;
	return words_nearest(arena_slice(arena, missing), names, count);
}

/* at: as far as the path led. */
static enum rc no_such_path(const struct resolver *r, const struct reference *reference,
	const cJSON *at, struct slice missing)
{
	const char *nearest = nearest_member(r, at, missing);
	if (nearest)
		return err_set(r->err, RC_USAGE, "",
			"\"%.*s\" has no \"%.*s\"; did you mean \"%s\"?",
			SLICE_PRINT(reference->name), SLICE_PRINT(missing), nearest);
	return err_set(r->err, RC_USAGE, "", "\"%.*s\" has no \"%.*s\"",
		SLICE_PRINT(reference->name), SLICE_PRINT(missing));
}

static enum rc env_value(struct resolver *r, const struct reference *reference, const cJSON **value)
{
	struct scope_root *root = r->scope->root;
	const char *name = arena_slice(root->arena, reference->path);
	const char *text = name[0] ? getenv(name) : NULL;
	if (!text)
		return err_set(
			r->err, RC_USAGE, "", "the environment has no variable \"%s\"", name);
	scope_add_secret(root, text);
	*value = scope_keep(root, cJSON_CreateString(text));
	return RC_OK;
}

static enum rc unique_value(
	struct resolver *r, const struct reference *reference, const cJSON **value)
{
	struct scope_root *root = r->scope->root;
	if (reference->path.len)
		return no_such_path(r, reference, NULL, reference->path);
	const char *text = arena_print(root->arena, "%s-%u", root->unique, ++root->unique_count);
	*value = scope_keep(root, cJSON_CreateString(text));
	return RC_OK;
}

static enum rc unknown_name(const struct resolver *r, const struct reference *reference)
{
	const char *name = arena_slice(r->scope->root->arena, reference->name);
	const char *nearest = scope_nearest(r->scope, name);
	if (nearest)
		return err_set(r->err, RC_USAGE, "",
			"unknown variable \"%s\"; did you mean \"%s\"?", name, nearest);
	return err_set(r->err, RC_USAGE, "", "unknown variable \"%s\"", name);
}

static bool is_circle(const struct chain *chain, const cJSON *node)
{
	for (; chain; chain = chain->outer)
		if (chain->node == node)
			return true;
	return false;
}

/* A part of a binding's value, resolved. */
static enum rc resolved_part(struct resolver *r, const struct binding *b, const cJSON *part,
	const struct chain *outer, cJSON **resolved)
{
	const struct chain chain = { outer, part, outer ? outer->depth + 1 : 1 };
	if (is_circle(outer, part))
		return err_set(r->err, RC_USAGE, "", "\"%s\" leads back to itself", b->name);
	if (chain.depth > RESOLVE_DEPTH_MAX)
		return err_set(r->err, RC_USAGE, "", "variables are nested deeper than %d levels",
			RESOLVE_DEPTH_MAX);
	enum rc rc = resolver_account(r, sizeof *part);
	return rc == RC_OK ? resolver_copy(r, part, &chain, resolved) : rc;
}

/* Runs the generator of a binding, once. What it needs may not be known yet: then it has not run. */
static enum rc run_generator(struct resolver *r, struct binding *b, const struct chain *chain)
{
	cJSON *settings = NULL, *made = NULL;
	/* Each runs once, and what it may make is capped: what it is made from counts for itself. */
	struct resolver own = { .scope = r->scope, .err = r->err };
	struct err err = { 0 };
	enum rc rc = resolved_part(&own, b, b->value, chain, &settings);
	if (rc != RC_OK || template_waits(r->scope, settings))
		return rc;
	rc = generate_for(r->scope->root, b->origin, b->name, settings, &made, &err);
	if (rc != RC_OK)
		return err_set(r->err, rc, "", "\"%s\": %s", b->name, err.text);
	b->owned = made;
	b->generated = true;
	return RC_OK;
}

static enum rc generated_value(struct resolver *r, struct binding *b,
	const struct reference *reference, const struct chain *chain, const cJSON **value)
{
	enum rc rc = b->generated ? RC_OK : run_generator(r, b, chain);
	struct walk walk = { .at = b->owned, .rest = reference->path };
	if (rc != RC_OK || !b->generated)
		return rc;
	if (!follow(&walk))
		return no_such_path(r, reference, walk.at, walk.missing);
	*value = walk.at;
	resolver_free_of(r, b, walk.at);
	return RC_OK;
}

/* The path goes down what is written; where that holds a variable, what this brings is gone on with. */
static enum rc written_value(struct resolver *r, struct binding *b,
	const struct reference *reference, const struct chain *chain, const cJSON **value)
{
	cJSON *resolved = NULL;
	struct walk walk = { .at = b->value, .rest = reference->path };
	bool whole = follow(&walk);
	enum rc rc = resolved_part(r, b, walk.at, chain, &resolved);
	if (rc != RC_OK)
		return rc;
	walk.at = resolved;
	if (!whole && !follow(&walk)) {
		if (template_waits(r->scope, resolved))
			return RC_OK;
		return no_such_path(r, reference, walk.at, walk.missing);
	}
	*value = walk.at;
	return RC_OK;
}

enum rc look_up(struct resolver *r, const struct reference *reference, const struct chain *chain,
	const cJSON **value, bool *brought)
{
	*value = NULL;
	*brought = false;
	if (slice_is(reference->name, "env"))
		return env_value(r, reference, value);
	if (slice_is(reference->name, "unique"))
		return unique_value(r, reference, value);
	struct binding *b =
		scope_find(r->scope, (const char *)reference->name.ptr, reference->name.len);
	if (!b)
		return unknown_name(r, reference);
	if (!b->value)
		return r->scope->lenient ? RC_OK
					 : err_set(r->err, RC_USAGE, "",
						   "\"%s\" is not known here yet", b->name);
	if (b->kind == BINDING_WRITTEN && !generate_is(b->value))
		return written_value(r, b, reference, chain, value);
	*brought = true;
	if (b->kind == BINDING_WRITTEN)
		return generated_value(r, b, reference, chain, value);
	struct walk walk = { .at = b->value, .rest = reference->path };
	if (!follow(&walk))
		return no_such_path(r, reference, walk.at, walk.missing);
	*value = walk.at;
	resolver_free_of(r, b, walk.at);
	return RC_OK;
}
