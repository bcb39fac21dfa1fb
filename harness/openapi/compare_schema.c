#include <stdlib.h>
#include <string.h>

#include "base/json_hash.h"
#include "openapi/comparison.h"
#include "openapi/literal.h"

/* Where one side allows everything or nothing, there are no keywords to compare. True when that settled it. */
static bool compare_whole(
	struct comparison *c, const struct view *x, const struct view *y, struct spot spot)
{
	if (x->never == y->never && x->any == y->any)
		return x->never;
	if (x->never || y->any)
		comparison_tell(c, spot, EFFECT_WIDENED,
			x->never && y->any ? "nothing -> anything"
			: x->never         ? "nothing -> a schema"
					   : "a schema -> anything");
	else
		comparison_tell(c, spot, EFFECT_NARROWED,
			y->never && x->any ? "anything -> nothing"
			: y->never         ? "a schema -> nothing"
					   : "anything -> a schema");
	return true;
}

static void tell_types(
	struct comparison *c, const struct view *x, const struct view *y, struct spot spot)
{
	unsigned both = x->types & y->types;
	enum effect effect = EFFECT_CHANGED;
	if (both == x->types || y->types & VIEW_ANY)
		effect = EFFECT_WIDENED;
	else if (both == y->types || x->types & VIEW_ANY)
		effect = EFFECT_NARROWED;
	comparison_tell(c, spot_add(c, spot, TRAIL_MEMBER, "type"), effect, "\"%s\" -> \"%s\"",
		view_types(x->types, c->arena), view_types(y->types, c->arena));
}

/* What can't be a schema is data. */
static bool is_odd(const cJSON *schema)
{
	return schema && !cJSON_IsObject(schema) && !cJSON_IsBool(schema);
}

void compare_views(
	struct comparison *c, const struct view *x, const struct view *y, struct spot spot)
{
	if (is_odd(x->inner) || is_odd(y->inner)) {
		if (!literal_equal(x->inner, y->inner))
			comparison_tell_values(c, spot, EFFECT_CHANGED, x->inner, y->inner);
		return;
	}
	if (compare_whole(c, x, y, spot)) {
		comparison_members(c, OBJECT_SCHEMA, x, y, spot, true);
		return;
	}
	if (x->types != y->types)
		tell_types(c, x, y, spot);
	/* A $ref beside other keywords is one more of allOf, whether or not that is there. */
	struct sides all = { x, y, view_get(x, "allOf"), view_get(y, "allOf") };
	if ((x->beside || y->beside) && !all.old && !all.new)
		compare_alternatives(c, rules_find(OBJECT_SCHEMA, "allOf"), &all,
			spot_add(c, spot, TRAIL_MEMBER, "allOf"));
	comparison_members(c, OBJECT_SCHEMA, x, y, spot, false);
}

void compare_schemas(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	struct view x, y;
	view_both(&x, (struct view_side){ c->old, old }, &y, (struct view_side){ c->new, new },
		&c->reached, c->arena);
	compare_views(c, &x, &y, spot);
}

/* Types that the view knows were told with it; here are only those that are none. */
void compare_type(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	if (sides->in_old->types == sides->in_new->types && !sides->in_old->types)
		compare_exact(c, rule, sides, spot);
}

void compare_schema_member(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	(void)rule;
	comparison_pair(c, OBJECT_SCHEMA, sides->old, sides->new, spot);
}

void compare_opposite(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	if (!sides->old || !sides->new) {
		comparison_tell(c, spot, sides->old ? rule->removed : rule->added,
			sides->old ? "removed" : "added");
		return;
	}
	spot.direction = spot.direction == IN_REQUEST ? IN_RESPONSE : IN_REQUEST;
	comparison_pair(c, OBJECT_SCHEMA, sides->old, sides->new, spot);
}

static int by_value(const void *a, const void *b)
{
	const cJSON *const *x = a, *const *y = b;
	return strcmp((*x)->valuestring, (*y)->valuestring);
}

/* A list of names in their order, without what is no name. */
static const cJSON **sorted_names(const cJSON *names, size_t *count, struct arena *arena)
{
	size_t room = cJSON_IsArray(names) ? (size_t)cJSON_GetArraySize(names) : 0;
	const cJSON **list = arena_alloc(arena, room + 1, sizeof(void *));
	*count = 0;
	for (const cJSON *one = members_items(names); one; one = one->next)
		if (cJSON_IsString(one))
			list[(*count)++] = one;
	qsort(list, *count, sizeof(void *), by_value);
	return list;
}

static bool names_have(const cJSON *const *names, size_t count, const char *name)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, names[middle]->valuestring);
		if (order == 0)
			return true;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

void compare_schema_map(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	struct members old, new;
	struct members_pair pair;
	size_t old_at = 0, new_at = 0, required_count = 0;
	if ((sides->old && !cJSON_IsObject(sides->old)) ||
		(sides->new && !cJSON_IsObject(sides->new))) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	members_init(&old, sides->old, c->arena);
	members_init(&new, sides->new, c->arena);
	bool properties = strcmp(rule->keyword, "properties") == 0;
	const cJSON **required = NULL;
	while (members_next(&old, &old_at, &new, &new_at, &pair)) {
		struct spot here = spot_add(c, spot, TRAIL_MEMBER, pair.name);
		if (pair.old && pair.new)
			comparison_pair(c, OBJECT_SCHEMA, pair.old, pair.new, here);
		else if (pair.old)
			comparison_tell(c, here, rule->removed, "removed");
		if (pair.old)
			continue;
		if (!required)
			required = sorted_names(
				properties ? view_get(sides->in_new, "required") : NULL,
				&required_count, c->arena);
		bool wanted = names_have(required, required_count, pair.name);
		comparison_tell(c, here, wanted ? EFFECT_NARROWED : rule->added,
			wanted ? "added, required" : "added");
	}
}

static bool are_lists(const struct sides *sides)
{
	return (!sides->old || cJSON_IsArray(sides->old)) &&
	       (!sides->new || cJSON_IsArray(sides->new));
}

void compare_required(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	size_t old_count, new_count, i = 0, j = 0;
	if (!are_lists(sides)) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	struct members had, has;
	if (sides->old &&
		sides->new &&json_hash_unordered(sides->old) == json_hash_unordered(sides->new))
		return;
	members_init(&had, view_get(sides->in_old, "properties"), c->arena);
	members_init(&has, view_get(sides->in_new, "properties"), c->arena);
	const cJSON **old = sorted_names(sides->old, &old_count, c->arena);
	const cJSON **new = sorted_names(sides->new, &new_count, c->arena);
	while (i < old_count || j < new_count) {
		int order = members_order(
			i < old_count ? &old[i] : NULL, j < new_count ? &new[j] : NULL, by_value);
		const char *name = (order <= 0 ? old[i] : new[j])->valuestring;
		/* A property that came or went was told as such, with its `required`. */
		if (order && !members_find(&had, name) == !members_find(&has, name))
			comparison_tell(c, spot, order > 0 ? rule->added : rule->removed,
				"\"%.200s\" %s", name, order > 0 ? "added" : "removed");
		i += order <= 0;
		j += order >= 0;
	}
}

/* By position: a row's places have meanings of their own. */
void compare_row(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	if (!are_lists(sides)) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	const cJSON *old = sides->old ? sides->old->child : NULL;
	const cJSON *new = sides->new ? sides->new->child : NULL;
	for (size_t i = 0; old || new; i++) {
		comparison_pair(c, OBJECT_SCHEMA, old, new, spot_item(c, spot, i));
		old = old ? old->next : NULL;
		new = new ? new->next : NULL;
	}
}
