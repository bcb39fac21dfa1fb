#include <stdlib.h>
#include <string.h>

#include "base/json_hash.h"
#include "openapi/comparison.h"
#include "openapi/literal.h"
#include "openapi/security.h"
#include "openapi/structure.h"
#include "openapi/texts.h"

/* A parameter as it is matched: by place and name; path parameters by their position in the template. */
struct matched {
	const char *key;
	const cJSON *object; /* as it stands, maybe a $ref */
	const cJSON *resolved;
	bool own; /* the operation's, which goes before the path's */
};

struct matched_list {
	struct matched *list;
	size_t count;
};

static int by_key(const void *a, const void *b)
{
	const struct matched *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : (int)y->own - (int)x->own;
}

/* Which variable of the template this is, from 1; 0 for none. */
static size_t position(const char *template, const char *name)
{
	size_t at = 0, len = strlen(name);
	for (const char *open = strchr(template, '{'); open; open = strchr(open + 1, '{')) {
		at++;
		if (strncmp(open + 1, name, len) == 0 && open[1 + len] == '}')
			return at;
	}
	return 0;
}

static const char *key_of(const cJSON *parameter, const char *template, struct arena *arena)
{
	const char *in = json_text(parameter, "in"), *name = json_text(parameter, "name");
	size_t at = in && name && strcmp(in, "path") == 0 ? position(template, name) : 0;
	if (at)
		return arena_print(arena, "path\x01%zu", at);
	char *key = arena_print(arena, "%s\x02%s", in ? in : "", name ? name : "");
	for (char *c = key; in && strcmp(in, "header") == 0 && *c; c++)
		*c = (char)(*c >= 'A' && *c <= 'Z' ? *c | 0x20 : *c);
	return key;
}

static void add_parameters(struct comparison *c, struct matched_list *all,
	const struct document *document, const cJSON *list, const char *template, bool own)
{
	for (const cJSON *one = members_items(list); one; one = one->next) {
		const cJSON *resolved = comparison_resolve(c, document, one);
		all->list[all->count++] = (struct matched){ key_of(resolved, template, c->arena),
			one, resolved, own };
	}
}

static struct matched_list parameters_of(struct comparison *c, const struct document *document,
	const cJSON *item, const cJSON *operation, const char *template)
{
	const cJSON *common = json_get(item, "parameters"),
		    *own = json_get(operation, "parameters");
	size_t kept = 0, room = 1;
	room += common ? (size_t)cJSON_GetArraySize(common) : 0;
	room += own ? (size_t)cJSON_GetArraySize(own) : 0;
	struct matched_list all = { arena_alloc(c->arena, room, sizeof *all.list), 0 };
	add_parameters(c, &all, document, common, template, false);
	add_parameters(c, &all, document, own, template, true);
	qsort(all.list, all.count, sizeof *all.list, by_key);
	for (size_t i = 0; i < all.count; i++)
		if (!kept || strcmp(all.list[i].key, all.list[kept - 1].key) != 0)
			all.list[kept++] = all.list[i];
	all.count = kept;
	return all;
}

/* one: the old one, or the new one where there is none. */
static void compare_parameter(struct comparison *c, const struct matched *old,
	const struct matched *new, const cJSON *one, struct spot spot)
{
	const char *in = json_text(one, "in"), *name = json_text(one, "name");
	struct spot here = spot_add(c, spot, TRAIL_WORD, in ? in : "parameter");
	here = spot_add(c, here, TRAIL_WORD, name ? name : "");
	if (old && new)
		comparison_pair(c, OBJECT_PARAMETER, old->object, new->object, here);
	else if (old)
		comparison_tell(c, here, EFFECT_LOST, "removed");
	else if (cJSON_IsTrue(json_get(one, "required")))
		comparison_tell(c, here, EFFECT_NARROWED, "added, required");
	else
		comparison_tell(c, here, EFFECT_GAINED, "added");
}

/* An operation and what it takes from its path and document. */
struct called {
	const struct document *document;
	const cJSON *item, *operation;
	const char *template;
};

static void compare_parameters(
	struct comparison *c, const struct called *old, const struct called *new, struct spot spot)
{
	size_t i = 0, j = 0;
	struct matched_list x =
		parameters_of(c, old->document, old->item, old->operation, old->template);
	struct matched_list y =
		parameters_of(c, new->document, new->item, new->operation, new->template);
	while (i < x.count || j < y.count) {
		int order = i == x.count   ? 1
			    : j == y.count ? -1
					   : strcmp(x.list[i].key, y.list[j].key);
		compare_parameter(c, order <= 0 ? &x.list[i] : NULL, order >= 0 ? &y.list[j] : NULL,
			order <= 0 ? x.list[i].resolved : y.list[j].resolved, spot);
		i += order <= 0;
		j += order >= 0;
	}
}

/* Whether anybody is let in; true when that says all. */
static bool compare_openness(
	struct comparison *c, enum security old, enum security new, struct spot spot)
{
	if (old == SECURITY_REQUIRED && new != SECURITY_REQUIRED) {
		comparison_tell(c, spot, EFFECT_LOST,
			new == SECURITY_OPEN ? "removed, open to everyone"
					     : "made optional, open to everyone");
		return true;
	}
	if (old != SECURITY_OPEN && new != SECURITY_OPEN)
		return false;
	if (new == SECURITY_OPEN && old != new)
		comparison_tell(c, spot, EFFECT_CHANGED, "removed");
	else if (old != new)
		comparison_tell(c, spot,
			new == SECURITY_REQUIRED ? EFFECT_NARROWED : EFFECT_CHANGED, "added");
	return true;
}

static void compare_security(
	struct comparison *c, const struct called *old, const struct called *new, struct spot spot)
{
	struct security_list x, y;
	size_t i = 0, j = 0;
	struct spot here = spot_add(c, spot, TRAIL_WORD, "security");
	security_read(&x, old->document, old->operation, c->arena);
	security_read(&y, new->document, new->operation, c->arena);
	if (compare_openness(c, x.security, y.security, here))
		return;
	if (x.security == SECURITY_OPTIONAL && y.security == SECURITY_REQUIRED)
		comparison_tell(c, here, EFFECT_NARROWED, "made compulsory");
	while (i < x.count || j < y.count) {
		int order = members_order(i < x.count ? &x.list[i] : NULL,
			j < y.count ? &y.list[j] : NULL, texts_order);
		if (order)
			comparison_tell(c, here, order < 0 ? EFFECT_NARROWED : EFFECT_WIDENED,
				"%.300s %s", order < 0 ? x.list[i] : y.list[j],
				order < 0 ? "removed" : "added");
		i += order <= 0;
		j += order >= 0;
	}
}

static void compare_operation(
	struct comparison *c, const struct called *old, const struct called *new, struct spot spot)
{
	struct view x, y;
	if (!cJSON_IsObject(old->operation) || !cJSON_IsObject(new->operation)) {
		if (!literal_equal(old->operation, new->operation))
			comparison_tell_values(
				c, spot, EFFECT_CHANGED, old->operation, new->operation);
		return;
	}
	compare_parameters(c, old, new, spot);
	compare_security(c, old, new, spot);
	view_object(&x, old->document, old->operation, c->arena);
	view_object(&y, new->document, new->operation, c->arena);
	comparison_members(c, OBJECT_OPERATION, &x, &y, spot, false);
}

/* The path is the last word of the trail: "GET /x" takes its place. */
static struct spot at_method(struct comparison *c, struct spot spot, const char *method)
{
	const char *path = spot.trail ? spot.trail->text : "";
	struct spot up = { spot.trail ? spot.trail->up : NULL, spot.direction };
	return spot_add(c, up, TRAIL_WORD,
		arena_print(c->arena, "%s %s", texts_upper(method, c->arena), path));
}

/* Of the members, those that are no operations: servers, texts. */
static void compare_rest(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	struct view x, y;
	view_object(&x, c->old, old, c->arena);
	view_object(&y, c->new, new, c->arena);
	if (old && new)
		comparison_members(c, OBJECT_PATH_ITEM, &x, &y, spot, false);
}

static void compare_items(struct comparison *c, const cJSON *old, const cJSON *new,
	const char *old_path, const char *new_path, struct spot spot)
{
	for (const char *const *method = STRUCTURE_METHODS; *method; method++) {
		struct called x = { c->old, old, json_get(old, *method), old_path };
		struct called y = { c->new, new, json_get(new, *method), new_path };
		if (!x.operation && !y.operation)
			continue;
		struct spot here = at_method(c, spot, *method);
		if (x.operation && y.operation)
			compare_operation(c, &x, &y, here);
		else if (x.operation)
			comparison_tell(c, here, EFFECT_LOST, "removed");
		else
			comparison_tell(c, here, EFFECT_GAINED, "added");
	}
	compare_rest(c, old, new, spot);
}

void compare_path_item(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	const char *path = spot.trail && spot.trail->text ? spot.trail->text : "";
	compare_items(c, old, new, path, path, spot);
}

/* A template as requests see it: the names of its variables are nobody's business. */
static const char *anonymous(const char *template, struct arena *arena)
{
	char *copy = arena_text(arena, template), *to = copy;
	bool inside = false;
	for (const char *at = template; *at; at++) {
		inside = inside && *at != '}';
		if (!inside)
			*to++ = *at;
		inside = inside || *at == '{';
	}
	*to = 0;
	return copy;
}

struct path {
	const char *key;
	const cJSON *item;
};

static int by_path(const void *a, const void *b)
{
	const struct path *x = a, *y = b;
	return strcmp(x->key, y->key);
}

static void compare_renamed(
	struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	const char *old_path = old ? old->string : "", *new_path = new ? new->string : "";
	struct spot here = spot_add(c, spot, TRAIL_WORD, old ? old_path : new_path);
	const cJSON *x = comparison_resolve(c, c->old, old),
		    *y = comparison_resolve(c, c->new, new);
	if (old && new)
		comparison_tell(c, here, EFFECT_NOTED, "renamed: %.200s", new_path);
	compare_items(c, x, y, old_path, new_path, here);
}

static void compare_left(struct comparison *c, struct path *old, size_t old_count, struct path *new,
	size_t new_count, struct spot spot)
{
	size_t i = 0, j = 0;
	qsort(old, old_count, sizeof *old, by_path);
	qsort(new, new_count, sizeof *new, by_path);
	while (i < old_count || j < new_count) {
		int order = i == old_count ? 1 : j == new_count ? -1 : by_path(&old[i], &new[j]);
		compare_renamed(
			c, order <= 0 ? old[i].item : NULL, order >= 0 ? new[j].item : NULL, spot);
		i += order <= 0;
		j += order >= 0;
	}
}

void compare_paths(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	struct members x, y;
	struct members_pair pair;
	size_t old_at = 0, new_at = 0, old_left = 0, new_left = 0;
	members_init(&x, old, c->arena);
	members_init(&y, new, c->arena);
	struct path *gone = arena_alloc(c->arena, x.count + 1, sizeof *gone);
	struct path *come = arena_alloc(c->arena, y.count + 1, sizeof *come);
	while (members_next(&x, &old_at, &y, &new_at, &pair)) {
		struct spot here = spot_add(c, spot, TRAIL_WORD, pair.name);
		struct sides sides = { NULL, NULL, pair.old, pair.new };
		if (strncmp(pair.name, "x-", 2) == 0)
			compare_noted(c, rules_find(OBJECT_INFO, pair.name), &sides, here);
		else if (pair.old && pair.new)
			comparison_pair(c, OBJECT_PATH_ITEM, pair.old, pair.new, here);
		else if (pair.old)
			gone[old_left++] =
				(struct path){ anonymous(pair.name, c->arena), pair.old };
		else
			come[new_left++] =
				(struct path){ anonymous(pair.name, c->arena), pair.new };
	}
	compare_left(c, gone, old_left, come, new_left, spot);
}
