#include "case/scope.h"

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
	scope->lenient = lenient;
	return scope;
}

struct scope *scope_push(const struct scope *parent)
{
	struct scope *scope = scope_new(parent->root, parent->lenient);
	scope->parent = parent;
	return scope;
}

static struct binding *find_here(const struct scope *scope, const char *name, size_t length)
{
	for (struct binding *b = scope->bindings; b; b = b->next)
		if (strlen(b->name) == length && memcmp(b->name, name, length) == 0)
			return b;
	return NULL;
}

struct binding *scope_find(const struct scope *scope, const char *name, size_t length)
{
	for (; scope; scope = scope->parent) {
		struct binding *b = find_here(scope, name, length);
		if (b)
			return b;
	}
	return NULL;
}

void scope_bind(struct scope *scope, const char *name, const cJSON *value, enum binding_kind kind)
{
	struct binding *b = find_here(scope, name, strlen(name));
	if (!b) {
		b = arena_alloc(scope->root->arena, 1, sizeof *b);
		b->name = arena_text(scope->root->arena, name);
		b->next = scope->bindings;
		scope->bindings = b;
	}
	b->value = value;
	b->generated = NULL;
	b->kind = kind;
	if (kind == BINDING_SECRET && cJSON_IsString(value))
		scope_add_secret(scope->root, value->valuestring);
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

void scope_bind_owned(struct scope *scope, const char *name, cJSON *value, enum binding_kind kind)
{
	scope_bind(scope, name, scope_keep(scope->root, value), kind);
}

void scope_bind_all(struct scope *scope, const cJSON *object)
{
	const cJSON *member;
	cJSON_ArrayForEach(member, object)
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
	if (!secret[0])
		return;
	const char **grown = arena_alloc(root->arena, root->secret_count + 2, sizeof *grown);
	if (root->secret_count)
		memcpy(grown, root->secrets, root->secret_count * sizeof *grown);
	grown[root->secret_count++] = arena_text(root->arena, secret);
	root->secrets = grown;
}
