#include <string.h>

#include "case/check.h"
#include "case/scope.h"
#include "case/steps.h"
#include "case/template.h"

/* What onus itself brings: `env`, `unique` and `seed` everywhere, the rest where a SUT is or an answer is judged. */
static const char *const GIVEN[] = { "env", "unique", "seed", "sut", "root", "files", "to",
	"services" };
static const char *const JUDGED[] = { "bytes", "time" };

struct names {
	const struct json *json;
	struct errors *errors;
};

static void declare(
	const struct names *n, struct scope *scope, const char *name, struct place place)
{
	if (scope_reserved(name))
		errors_add(n->errors, place, RC_USAGE, "\"%s\" is a name of onus's own", name);
	else if (scope_find(scope, name, strlen(name)))
		errors_add(n->errors, place, RC_USAGE,
			"\"%s\" is already a variable here; names are never shadowed", name);
	else if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
			 strlen(name) ||
		 !name[0])
		errors_add(n->errors, place, RC_USAGE,
			"expected a name of letters, digits, _ and -, found \"%s\"", name);
	else
		scope_bind(scope, name, NULL, BINDING_RECEIVED);
}

static void declare_members(const struct names *n, struct scope *scope, const cJSON *object)
{
	const cJSON *member;
	cJSON_ArrayForEach(member, object)
		declare(n, scope, member->string, json_key_place(n->json, member));
}

static void check_text(const struct names *n, struct scope *scope, const cJSON *node,
	const char *text, bool is_key)
{
	struct reference r;
	struct err err = { 0 };
	size_t offset = 0;
	bool found = true;
	while (found) {
		enum rc rc = template_next(text, &offset, &r, &found, &err);
		struct place place =
			is_key ? json_key_place(n->json, node) : json_place_in(n->json, node, r.at);
		if (rc != RC_OK) {
			errors_add(n->errors, place, RC_USAGE, "%s", err.text);
			return;
		}
		if (!found || scope_find(scope, (const char *)r.name.ptr, r.name.len))
			continue;
		const char *name = arena_slice(scope->root->arena, r.name),
			   *nearest = scope_nearest(scope, name);
		if (nearest)
			errors_add(n->errors, place, RC_USAGE,
				"unknown variable \"%s\"; did you mean \"%s\"?", name, nearest);
		else
			errors_add(n->errors, place, RC_USAGE, "unknown variable \"%s\"", name);
	}
}

static void check_value(const struct names *n, struct scope *scope, const cJSON *node)
{
	if (cJSON_IsString(node))
		check_text(n, scope, node, node->valuestring, false);
	for (const cJSON *item = node ? node->child : NULL; item; item = item->next) {
		if (item->string)
			check_text(n, scope, item, item->string, true);
		check_value(n, scope, item);
	}
}

/* A matrix is an object of lists or a list of rows, whose names may differ from row to row only by mistake. */
static void declare_matrix(const struct names *n, struct scope *scope, const cJSON *matrix)
{
	if (cJSON_IsObject(matrix))
		declare_members(n, scope, matrix);
	const cJSON *first = cJSON_IsArray(matrix) ? matrix->child : NULL, *row, *member;
	declare_members(n, scope, first);
	cJSON_ArrayForEach(row, (cJSON_IsArray(matrix) ? matrix : NULL))
	{
		if (cJSON_GetArraySize(row) != cJSON_GetArraySize(first))
			errors_add(n->errors, json_place(n->json, row), RC_USAGE,
				"expected the same names in every row of a matrix");
		cJSON_ArrayForEach(member, row) if (!json_get(first, member->string))
			errors_add(n->errors, json_key_place(n->json, member), RC_USAGE,
				"expected the same names in every row of a matrix, found \"%s\"",
				member->string);
	}
}

static void check_when(const struct names *n, struct scope *scope, const cJSON *expect)
{
	const cJSON *group, *member, *when;
	cJSON_ArrayForEach(group, (cJSON_IsArray(expect) ? expect : NULL))
	{
		when = json_get(group, "when");
		cJSON_ArrayForEach(member, (cJSON_IsObject(when) ? when : NULL))
			check_text(n, scope, member,
				arena_print(scope->root->arena, "${%s}", member->string), true);
	}
}

static void check_steps(
	const struct names *n, const struct step *steps, size_t count, struct scope *outer);

static void check_step(const struct names *n, const struct step *step, struct scope *before)
{
	struct scope *scope = scope_push(before);
	const cJSON *member;
	check_value(n, before, step->matrix);
	declare_matrix(n, scope, step->matrix);
	declare_members(n, scope, json_get(step->node, "variables"));
	if (cJSON_IsString(step->node))
		check_value(n, scope, step->node);
	cJSON_ArrayForEach(member, (cJSON_IsObject(step->node) ? step->node : NULL))
	{
		struct scope *judged = scope;
		if (strcmp(member->string, "matrix") == 0 ||
			member == (step->verb == VERB_GROUP ? step->subject : NULL))
			continue;
		if (strcmp(member->string, "expect") == 0) {
			judged = scope_push(scope);
			for (size_t i = 0; i < sizeof JUDGED / sizeof *JUDGED; i++)
				scope_bind(judged, JUDGED[i], NULL, BINDING_RECEIVED);
			check_when(n, judged, member);
		}
		check_value(n, judged, member);
	}
	check_steps(n, step->steps, step->step_count, scope);
}

static void check_steps(
	const struct names *n, const struct step *steps, size_t count, struct scope *outer)
{
	struct scope *scope = scope_push(outer);
	for (size_t i = 0; i < count; i++) {
		check_step(n, &steps[i], scope);
		declare_members(n, scope, json_get(steps[i].node, "capture"));
		if (steps[i].name)
			declare(n, scope, steps[i].name,
				json_place(n->json, json_get(steps[i].node, "name")));
	}
}

static struct scope *given_scope(struct scope_root *root)
{
	struct scope *scope = scope_new(root, true);
	for (size_t i = 0; i < sizeof GIVEN / sizeof *GIVEN; i++)
		scope_bind(scope, GIVEN[i], NULL, BINDING_RECEIVED);
	return scope;
}

void check_suite_names(const struct suite *suite, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct scope_root root = { .arena = arena };
	struct names n = { suite->json, errors };
	struct scope *scope = scope_push(given_scope(&root));
	declare_members(&n, scope, suite->variables);
	check_value(&n, scope, json_root(suite->json));
	arena_free(arena);
}

void check_names(const struct case_file *one, const struct suite *suite, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct scope_root root = { .arena = arena };
	struct names n = { one->json, errors };
	struct scope *scope = scope_push(given_scope(&root));
	const cJSON *member;
	cJSON_ArrayForEach(member, suite->variables)
		scope_bind(scope, member->string, NULL, BINDING_RECEIVED);
	scope = scope_push(scope);
	declare_members(&n, scope, one->variables);
	declare_matrix(&n, scope, one->matrix);
	const cJSON *parts[] = { one->variables, one->matrix, one->sut, one->suts, one->headers };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		check_value(&n, scope, parts[i]);
	check_steps(&n, one->steps, one->step_count, scope);
	arena_free(arena);
}
