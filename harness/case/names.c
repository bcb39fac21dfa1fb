#include <string.h>

#include "case/check.h"
#include "case/generate.h"
#include "case/quantities.h"
#include "case/scope.h"
#include "case/steps.h"
#include "case/template.h"

/* What onus itself brings: `env`, `unique` and `seed` everywhere, the rest where a SUT is or an answer is judged. */
static const char *const GIVEN[] = { "env", "unique", "seed", "sut", "root", "files", "to",
	"services", "upstream", "session" };

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
	const cJSON *member = cJSON_IsObject(object) ? object->child : NULL;
	for (; member; member = member->next)
		declare(n, scope, member->string, json_key_place(n->json, member));
}

/* The form of those that are generators. */
static void declare_variables(const struct names *n, struct scope *scope, const cJSON *variables)
{
	const cJSON *member;
	declare_members(n, scope, variables);
	cJSON_ArrayForEach (member, variables)
		if (generate_is(member))
			(void)generate_check(n->json, member, n->errors);
}

static void unknown(const struct names *n, const struct scope *scope, struct place place,
	const char *what, const char *name)
{
	const char *nearest = scope_nearest(scope, name);
	if (nearest && strcmp(nearest, name) != 0)
		errors_add(n->errors, place, RC_USAGE, "unknown %s \"%s\"; did you mean \"%s\"?",
			what, name, nearest);
	else
		errors_add(n->errors, place, RC_USAGE, "unknown %s \"%s\"", what, name);
}

static void check_text(const struct names *n, struct scope *scope, const cJSON *node,
	const char *text, bool is_key)
{
	struct reference r;
	struct err err = { 0 };
	size_t offset = 0;
	bool found;
	for (;;) {
		enum rc rc = template_next(text, &offset, &r, &found, &err);
		if (rc == RC_OK && !found)
			return;
		struct place place =
			is_key ? json_key_place(n->json, node) : json_place_in(n->json, node, r.at);
		if (rc != RC_OK) {
			errors_add(n->errors, place, RC_USAGE, "%s", err.text);
			return;
		}
		if (!scope_find(scope, (const char *)r.name.ptr, r.name.len))
			unknown(n, scope, place, "variable",
				arena_slice(scope->root->arena, r.name));
	}
}

static void check_value(const struct names *n, struct scope *scope, const cJSON *node)
{
	if (!node)
		return;
	if (cJSON_IsString(node))
		check_text(n, scope, node, node->valuestring, false);
	for (const cJSON *item = node->child; item; item = item->next) {
		if (item->string)
			check_text(n, scope, item, item->string, true);
		check_value(n, scope, item);
	}
}

/* A row has the names of the first one, or a step would lack a value in some cells. */
static void check_row(const struct names *n, const cJSON *first, const cJSON *row)
{
	const cJSON *member;
	cJSON_ArrayForEach (member, first)
		if (!json_get(row, member->string))
			errors_add(n->errors, json_place(n->json, row), RC_USAGE,
				"expected \"%s\", as in the first row of the matrix",
				member->string);
	cJSON_ArrayForEach (member, row)
		if (!json_get(first, member->string))
			errors_add(n->errors, json_key_place(n->json, member), RC_USAGE,
				"\"%s\" is not in the first row of the matrix", member->string);
}

/* A matrix is an object of lists or a list of rows. */
static void declare_matrix(const struct names *n, struct scope *scope, const cJSON *matrix)
{
	const cJSON *first = cJSON_IsArray(matrix) ? matrix->child : NULL;
	if (first)
		declare_variables(n, scope, first);
	else
		declare_members(n, scope, matrix);
	for (const cJSON *axis = first    ? NULL
				 : matrix ? matrix->child
					  : NULL;
		axis; axis = axis->next)
		if (cJSON_IsObject(axis))
			(void)generate_check(n->json, axis, n->errors);
	for (const cJSON *row = first; row; row = row->next)
		if (cJSON_IsObject(row) && cJSON_IsObject(first))
			check_row(n, first, row);
}

/* The names that the `when` of a group looks at. */
static void check_when(const struct names *n, struct scope *scope, const cJSON *group)
{
	const cJSON *when = json_get(group, "when");
	const cJSON *member = cJSON_IsObject(when) ? when->child : NULL;
	for (; member; member = member->next)
		check_text(n, scope, member,
			arena_print(scope->root->arena, "${%s}", member->string), true);
}

/* `same_as` names an earlier step, unless it names a file. In `equals` and `one_of` it is a member like any other. */
static void check_same_as(const struct names *n, struct scope *scope, const cJSON *node)
{
	const char *key = node->string ? node->string : "";
	if (strcmp(key, "equals") == 0 || strcmp(key, "one_of") == 0)
		return;
	if (strcmp(key, "same_as") == 0 && cJSON_IsString(node)) {
		const char *name = node->valuestring;
		bool file = strncmp(name, "root:", 5) == 0 || strncmp(name, "file:", 5) == 0;
		const struct binding *b = scope_find(scope, name, strlen(name));
		if (!file && !shape_has_variable(name) && !(b && b->value))
			unknown(n, scope, json_place(n->json, node), "step", name);
	}
	for (const cJSON *item = node->child; item; item = item->next)
		check_same_as(n, scope, item);
}

static void check_expect(
	const struct names *n, const struct step *step, struct scope *scope, const cJSON *expect)
{
	const cJSON *group = cJSON_IsArray(expect) ? expect->child : NULL;
	struct scope *judged = scope_push(scope);
	quantities_declare(judged, step);
	check_when(n, judged, expect);
	for (; group; group = group->next)
		check_when(n, judged, group);
	check_value(n, judged, expect);
	check_same_as(n, scope, expect);
}

static void check_list(
	const struct names *n, const struct step *steps, size_t count, struct scope *outer);

static void check_step(const struct names *n, const struct step *step, struct scope *before)
{
	struct scope *scope = scope_push(before);
	const cJSON *member = cJSON_IsObject(step->node) ? step->node->child : NULL;
	check_value(n, before, step->matrix);
	declare_matrix(n, scope, step->matrix);
	declare_variables(n, scope, json_get(step->node, "variables"));
	if (cJSON_IsString(step->node))
		check_value(n, scope, step->node);
	for (; member; member = member->next) {
		if (strcmp(member->string, "matrix") == 0 || step_holds_steps(step, member))
			continue;
		if (strcmp(member->string, "expect") == 0)
			check_expect(n, step, scope, member);
		else
			check_value(n, scope, member);
	}
	check_list(n, step->steps, step->step_count, scope);
	check_list(n, step->inner, step->inner_count, scope);
	for (size_t i = 0; i < step->list_count; i++)
		check_list(n, step->lists[i].steps, step->lists[i].count, scope);
}

/* What a step leaves for those behind it: captures, and its answer by its name, whose binding has a value. */
static void declare_results(const struct names *n, const struct step *step, struct scope *scope)
{
	const cJSON *name = json_get(step->node, "name");
	/* Quantities, which are no answer that `same_as` could be held against. */
	if (step_measures(step) && step->name)
		declare(n, scope, step->name, json_place(n->json, name));
	if (!step_answers(step))
		return;
	declare_members(n, scope, json_get(step->node, "capture"));
	if (!step->name)
		return;
	size_t before = n->errors->count + n->errors->dropped;
	declare(n, scope, step->name, json_place(n->json, name));
	if (before == n->errors->count + n->errors->dropped)
		scope_bind(scope, step->name, name, BINDING_RECEIVED);
}

static void check_list_in(
	const struct names *n, const struct step *steps, size_t count, struct scope *scope)
{
	for (size_t i = 0; i < count; i++) {
		check_step(n, &steps[i], scope);
		declare_results(n, &steps[i], scope);
	}
}

static void check_list(
	const struct names *n, const struct step *steps, size_t count, struct scope *outer)
{
	check_list_in(n, steps, count, scope_push(outer));
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
	struct scope_root root = { .arena = arena, .lasting = arena };
	struct names n = { suite->json, errors };
	struct scope *scope = scope_push(given_scope(&root));
	declare_variables(&n, scope, suite->variables);
	const cJSON *member;
	cJSON_ArrayForEach (member, json_root(suite->json))
		if (member != suite->sessions)
			check_value(&n, scope, member);
	scope = scope_push(scope);
	scope_bind(scope, "user", NULL, BINDING_RECEIVED);
	scope = scope_push(scope);
	/* The steps' names are seen by `adds`, which stands behind them. */
	check_list_in(&n, suite->session_steps, suite->session_step_count, scope);
	check_value(&n, scope, json_get(suite->sessions, "adds"));
	arena_free(arena);
}

void check_names(const struct case_file *one, const struct suite *suite, struct errors *errors)
{
	struct arena *arena = arena_new();
	struct scope_root root = { .arena = arena, .lasting = arena };
	struct names n = { one->json, errors };
	struct scope *scope = scope_push(given_scope(&root));
	const cJSON *member;
	cJSON_ArrayForEach (member, suite->variables)
		scope_bind(scope, member->string, NULL, BINDING_RECEIVED);
	scope = scope_push(scope);
	declare_variables(&n, scope, one->variables);
	declare_matrix(&n, scope, one->matrix);
	const cJSON *const parts[] = { one->variables, one->matrix, one->sut, one->suts,
		one->headers, one->upstream };
	for (size_t i = 0; i < sizeof parts / sizeof(const cJSON *); i++)
		check_value(&n, scope, parts[i]);
	check_list(&n, one->steps, one->step_count, scope);
	arena_free(arena);
}
