#include "case/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"

static const char *const RESERVED[] = {
	"bytes",
	"document",
	"env",
	"errors",
	"files",
	"gap",
	"idle",
	"probe",
	"rate",
	"response",
	"root",
	"routes",
	"seed",
	"send_lag",
	"service",
	"services",
	"session",
	"streams",
	"sut",
	"time",
	"to",
	"unique",
	"upstream",
	"user",
};

bool scope_reserved(const char *name)
{
	for (size_t i = 0; i < sizeof RESERVED / sizeof *RESERVED; i++)
		if (strcmp(RESERVED[i], name) == 0)
			return true;
	return false;
}

struct scope *scope_new(struct scope_root *root, bool lenient)
{
	struct scope *scope = arena_alloc(root->arena, 1, sizeof *scope);
	scope->root = root;
	scope->arena = root->arena;
	scope->lenient = lenient;
	scope->origin = "";
	return scope;
}

struct scope *scope_push(const struct scope *parent)
{
	struct scope *scope = scope_new(parent->root, parent->lenient);
	scope->parent = parent;
	scope->origin = parent->origin;
	return scope;
}

struct scope *scope_graft(const struct scope *parent, const struct scope *bound)
{
	struct scope *scope = scope_push(parent);
	scope->bindings = bound->bindings;
	scope->slots = bound->slots;
	scope->slot_count = bound->slot_count;
	scope->binding_count = bound->binding_count;
	return scope;
}

struct rng scope_random(const struct scope_root *root, const char *origin, const char *name)
{
	struct rng rng;
	char *text = mem_print("%s %s", origin, name);
	rng_init(&rng, root->rng->state[0], text);
	free(text);
	return rng;
}

struct arena *scope_begin(struct scope_root *root)
{
	struct arena *outer = root->arena;
	root->arena = arena_new();
	return outer;
}

void scope_end(struct scope_root *root, struct arena *outer)
{
	arena_free(root->arena);
	root->arena = outer;
}

/* FNV-1a. */
static uint32_t hash_of(const char *name, size_t length)
{
	uint32_t hash = 2166136261U;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)name[i]) * 16777619U;
	return hash;
}

static struct binding *find_here(
	const struct scope *scope, const char *name, size_t length, uint32_t hash)
{
	if (!scope->slot_count)
		return NULL;
	struct binding *b = scope->slots[hash & (scope->slot_count - 1)];
	for (; b; b = b->in_slot)
		if (b->hash == hash && strlen(b->name) == length &&
			memcmp(b->name, name, length) == 0)
			return b;
	return NULL;
}

struct binding *scope_find(const struct scope *scope, const char *name, size_t length)
{
	uint32_t hash = hash_of(name, length);
	for (; scope; scope = scope->parent) {
		struct binding *b = find_here(scope, name, length, hash);
		if (b)
			return b;
	}
	return NULL;
}

static void release_binding(void *self)
{
	struct binding *b = self;
	cJSON_Delete(b->owned);
}

static void put_in_slot(struct scope *scope, struct binding *b)
{
	struct binding **slot = &scope->slots[b->hash & (scope->slot_count - 1)];
	b->in_slot = *slot;
	*slot = b;
}

static void grow(struct scope *scope)
{
	scope->slot_count = scope->slot_count ? scope->slot_count * 2 : 8;
	scope->slots = arena_alloc(scope->arena, scope->slot_count, sizeof(struct binding *));
	for (struct binding *b = scope->bindings; b; b = b->next)
		put_in_slot(scope, b);
}

static struct binding *new_binding(struct scope *scope, const char *name, uint32_t hash)
{
	struct binding *b = arena_alloc(scope->arena, 1, sizeof *b);
	if (scope->binding_count++ == scope->slot_count)
		grow(scope);
	b->hash = hash;
	b->name = arena_text(scope->arena, name);
	b->origin = scope->origin;
	put_in_slot(scope, b);
	b->next = scope->bindings;
	scope->bindings = b;
	arena_defer(scope->arena, release_binding, b);
	return b;
}

/* Every text in it, so that a secret inside an object is masked wherever that is taken apart. */
static void add_secrets(struct scope_root *root, const cJSON *value)
{
	if (cJSON_IsString(value))
		scope_add_secret(root, value->valuestring);
	if (cJSON_IsNumber(value)) {
		char *text = json_print(value);
		scope_add_secret(root, text);
		free(text);
	}
	for (const cJSON *part = value ? value->child : NULL; part; part = part->next)
		add_secrets(root, part);
}

static struct binding *bind_value(
	struct scope *scope, const char *name, const cJSON *value, enum binding_kind kind)
{
	uint32_t hash = hash_of(name, strlen(name));
	struct binding *b = find_here(scope, name, strlen(name), hash);
	if (!b)
		b = new_binding(scope, name, hash);
	cJSON_Delete(b->owned);
	b->owned = NULL;
	b->generated = false;
	b->value = value;
	b->kind = kind;
	if (kind == BINDING_SECRET)
		add_secrets(scope->root, value);
	return b;
}

void scope_bind(struct scope *scope, const char *name, const cJSON *value, enum binding_kind kind)
{
	bind_value(scope, name, value, kind);
}

void scope_bind_owned(struct scope *scope, const char *name, cJSON *value, enum binding_kind kind)
{
	bind_value(scope, name, value, kind)->owned = value;
}

void scope_bind_members(struct scope *scope, cJSON *object, enum binding_kind kind)
{
	cJSON *member;
	while ((member = object->child)) {
		cJSON_DetachItemViaPointer(object, member);
		scope_bind_owned(scope, member->string, member, kind);
	}
	cJSON_Delete(object);
}

static void delete_tree(void *tree)
{
	cJSON_Delete(tree);
}

cJSON *scope_keep(struct scope_root *root, cJSON *value)
{
	arena_defer(root->arena, delete_tree, value);
	return value;
}

void scope_bind_all(struct scope *scope, const cJSON *object)
{
	const cJSON *member;
	cJSON_ArrayForEach (member, object)
		scope_bind(scope, member->string, member, BINDING_WRITTEN);
}

const char *scope_nearest(const struct scope *scope, const char *name)
{
	const char *names[256];
	size_t count = 0;
	for (const struct scope *s = scope; s; s = s->parent)
		for (const struct binding *b = s->bindings; b && count < 256; b = b->next)
			names[count++] = b->name;
	return words_nearest(name, names, count);
}

void scope_add_secret(struct scope_root *root, const char *secret)
{
	for (size_t i = 0; i < root->secret_count; i++)
		if (strcmp(root->secrets[i], secret) == 0)
			return;
	if (!secret[0])
		return;
	const char **grown = arena_alloc(root->lasting, root->secret_count + 2, sizeof *grown);
	if (root->secret_count)
		memcpy(grown, root->secrets, root->secret_count * sizeof *grown);
	grown[root->secret_count++] = arena_text(root->lasting, secret);
	root->secrets = grown;
}

/* The longest secret that starts there, as its length. */
static size_t secret_at(const struct scope_root *root, const char *text)
{
	size_t longest = 0;
	for (size_t i = 0; i < root->secret_count; i++) {
		size_t length = strlen(root->secrets[i]);
		if (length > longest && strncmp(text, root->secrets[i], length) == 0)
			longest = length;
	}
	return longest;
}

/* Two secrets may overlap in a text: then everything from the start of the first to the end of the last is hidden. */
const char *scope_mask(const struct scope_root *root, struct arena *arena, const char *text)
{
	static const char MASK[] = "****";
	if (!text || !root->secret_count)
		return text;
	size_t length = strlen(text), hidden_until = 0, out = 0;
	/* Each byte that is not hidden takes one, each hidden run at least one byte and four. */
	char *masked = arena_alloc(arena, length * (sizeof MASK - 1) + 1, 1);
	for (size_t i = 0; i < length; i++) {
		size_t end = i + secret_at(root, text + i);
		if (end > i && i >= hidden_until) {
			memcpy(masked + out, MASK, sizeof MASK - 1);
			out += sizeof MASK - 1;
		}
		if (end > i && end > hidden_until)
			hidden_until = end;
		if (i >= hidden_until)
			masked[out++] = text[i];
	}
	return masked;
}
