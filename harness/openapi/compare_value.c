#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_hash.h"
#include "openapi/comparison.h"
#include "openapi/literal.h"

/* The values that enum or const leave, each with its number. */
struct value {
	uint64_t hash;
	const cJSON *value;
};

static int by_hash(const void *a, const void *b)
{
	const struct value *x = a, *y = b;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* NULL where neither keyword is there. Null is left to the types where they have it. */
static struct value *values_of(const struct view *view, size_t *count, struct arena *arena)
{
	const cJSON *listed = view_get(view, "enum"), *one = view_get(view, "const");
	size_t room = cJSON_IsArray(listed) ? (size_t)cJSON_GetArraySize(listed) : 1, kept = 0;
	struct value *list = arena_alloc(arena, room + 1, sizeof *list);
	*count = 0;
	if (!one && !cJSON_IsArray(listed))
		return NULL;
	for (const cJSON *at = one ? one : listed->child; at; at = one ? NULL : at->next)
		if (!cJSON_IsNull(at) || !(view->types & VIEW_NULL))
			list[(*count)++] = (struct value){ json_hash(at), at };
	qsort(list, *count, sizeof *list, by_hash);
	for (size_t i = 0; i < *count; i++)
		if (!i || list[i].hash != list[i - 1].hash)
			list[kept++] = list[i];
	*count = kept;
	return list;
}

static const char *show_values(const struct value *list, size_t count, struct arena *arena)
{
	const char *text = "";
	for (size_t i = 0; i < count && i < 8; i++)
		text = arena_print(
			arena, "%s%s%s", text, i ? ", " : "", literal_show(list[i].value, arena));
	return count > 8 ? arena_print(arena, "%s and %zu more", text, count - 8) : text;
}

static void compare_sorted(struct comparison *c, const struct value *old, size_t old_count,
	const struct value *new, size_t new_count, struct spot spot)
{
	size_t i = 0, j = 0;
	while (i < old_count || j < new_count) {
		int order = members_order(
			i < old_count ? &old[i] : NULL, j < new_count ? &new[j] : NULL, by_hash);
		if (order)
			comparison_tell(c, spot, order < 0 ? EFFECT_NARROWED : EFFECT_WIDENED,
				"%s %s",
				literal_show((order < 0 ? old[i] : new[j]).value, c->arena),
				order < 0 ? "removed" : "added");
		i += order <= 0;
		j += order >= 0;
	}
}

void compare_values(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	size_t old_count, new_count;
	bool listed = view_get(sides->in_old, "enum") || view_get(sides->in_new, "enum");
	if (listed && strcmp(rule->keyword, "const") == 0)
		return;
	const struct value *old = values_of(sides->in_old, &old_count, c->arena);
	const struct value *new = values_of(sides->in_new, &new_count, c->arena);
	if (!old && !new)
		compare_exact(c, rule, sides, spot);
	else if (!new)
		comparison_tell(c, spot, rule->removed, "removed: %s",
			show_values(old, old_count, c->arena));
	else if (!old)
		comparison_tell(
			c, spot, rule->added, "added: %s", show_values(new, new_count, c->arena));
	else if (old_count == 1 && new_count == 1 && old->hash != new->hash)
		comparison_tell_values(c, spot, rule->changed, old->value, new->value);
	else
		compare_sorted(c, old, old_count, new, new_count, spot);
}

struct bound {
	double value;
	bool there, exclusive;
};

/*
 * 3.0 has exclusiveMinimum: true beside minimum, 3.1 has it as a bound of its own, of which the tighter one counts. sign
 * is 1 for lower bounds and -1 for upper ones.
 */
static struct bound bound_of(
	const struct view *view, const char *keyword, const char *exclusive, double sign)
{
	const cJSON *plain = view_get(view, keyword);
	const cJSON *other = exclusive ? view_get(view, exclusive) : NULL;
	struct bound bound = { 0 };
	if (plain && cJSON_IsNumber(plain))
		bound = (struct bound){ plain->valuedouble, true, cJSON_IsTrue(other) };
	if (other && cJSON_IsNumber(other) &&
		(!bound.there || (other->valuedouble - bound.value) * sign >= 0))
		bound = (struct bound){ other->valuedouble, true, true };
	/* A length of 0 or more is no bound. */
	if (bound.there && bound.value == 0 && sign > 0 && strcmp(keyword, "minimum") != 0)
		bound.there = false;
	return bound;
}

static const char *show_bound(const struct bound *bound, struct arena *arena)
{
	if (!bound->there)
		return "none";
	cJSON number = { .type = cJSON_Number, .valuedouble = bound->value };
	return arena_print(
		arena, "%s%s", bound->exclusive ? "exclusive " : "", literal_show(&number, arena));
}

static bool is_odd(const cJSON *value)
{
	return value && !cJSON_IsNumber(value) && !cJSON_IsBool(value);
}

void compare_bound(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	const char *keyword = rule->keyword, *exclusive = NULL;
	if (is_odd(sides->old) || is_odd(sides->new)) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	bool upper = strstr(keyword, "max") || strstr(keyword, "Max");
	if (strstr(keyword, "imum")) {
		bool plain = keyword[0] == 'm';
		keyword = upper ? "maximum" : "minimum";
		exclusive = upper ? "exclusiveMaximum" : "exclusiveMinimum";
		if (!plain &&
			(view_get(sides->in_old, keyword) || view_get(sides->in_new, keyword)))
			return;
	}
	double sign = upper ? -1 : 1;
	struct bound old = bound_of(sides->in_old, keyword, exclusive, sign);
	struct bound new = bound_of(sides->in_new, keyword, exclusive, sign);
	if (!old.there && !new.there)
		return;
	double raised = (new.value - old.value) * sign;
	if (old.there && new.there && raised == 0 && old.exclusive == new.exclusive)
		return;
	bool narrowed = !old.there || (new.there && (raised > 0 || (raised == 0 && new.exclusive)));
	comparison_tell(c, spot, narrowed ? EFFECT_NARROWED : EFFECT_WIDENED, "%s -> %s",
		show_bound(&old, c->arena), show_bound(&new, c->arena));
}

/* "binary" in either spelling is one format. */
void compare_format(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	bool old = view_is_binary(sides->in_old), new = view_is_binary(sides->in_new);
	if (old != new)
		comparison_tell(c, spot, EFFECT_CHANGED, "%s -> %s",
			old ? "\"binary\"" : literal_show(sides->old, c->arena),
			new ? "\"binary\"" : literal_show(sides->new, c->arena));
	else if (!old)
		compare_exact(c, rule, sides, spot);
}

void compare_media_type(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	bool old = view_is_binary(sides->in_old), new = view_is_binary(sides->in_new);
	bool format = view_get(sides->in_old, "format") || view_get(sides->in_new, "format");
	if (old && new)
		return;
	/* With a format somewhere it was told there. */
	if (old != new &&format)
		return;
	compare_exact(c, rule, sides, spot);
}

/* OpenAPI 3.1, section 4.8.25: values of the mapping name schemas, as a reference or as a component. */
static const cJSON *mapped(
	struct comparison *c, const struct document *document, const cJSON *value)
{
	const char *text = cJSON_GetStringValue(value);
	const cJSON *schema = text ? document_find(document, text) : NULL;
	if (text && !schema)
		schema = document_find(
			document, arena_print(c->arena, "#/components/schemas/%s", text));
	if (schema)
		nodes_put(&c->reached, schema, NULL, 0)->number = 1;
	return schema;
}

static void compare_mapping(
	struct comparison *c, const cJSON *old_map, const cJSON *new_map, struct spot spot)
{
	struct members old, new;
	struct members_pair pair;
	size_t old_at = 0, new_at = 0;
	members_init(&old, old_map, c->arena);
	members_init(&new, new_map, c->arena);
	while (members_next(&old, &old_at, &new, &new_at, &pair)) {
		struct spot here = spot_add(c, spot, TRAIL_MEMBER, pair.name);
		const cJSON *x = pair.old ? mapped(c, c->old, pair.old) : NULL;
		const cJSON *y = pair.new ? mapped(c, c->new, pair.new) : NULL;
		if (!pair.old || !pair.new)
			comparison_tell(c, here, pair.old ? EFFECT_LOST : EFFECT_GAINED,
				pair.old ? "removed" : "added");
		else if (x && y)
			comparison_mapped(c, x, y, here);
		else if (!literal_equal(pair.old, pair.new))
			comparison_tell_values(c, here, EFFECT_CHANGED, pair.old, pair.new);
	}
}

void compare_discriminator(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	if (!cJSON_IsObject(sides->old) || !cJSON_IsObject(sides->new)) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	struct sides name = { sides->in_old, sides->in_new, json_get(sides->old, "propertyName"),
		json_get(sides->new, "propertyName") };
	compare_exact(c, rule, &name, spot_add(c, spot, TRAIL_MEMBER, "propertyName"));
	compare_mapping(c, json_get(sides->old, "mapping"), json_get(sides->new, "mapping"),
		spot_add(c, spot, TRAIL_MEMBER, "mapping"));
}
