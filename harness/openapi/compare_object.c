#include <string.h>
#include <strings.h>
#include <stdlib.h>

#include "base/json_hash.h"
#include "openapi/comparison.h"
#include "openapi/literal.h"
#include "openapi/texts.h"

void compare_ignored(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	(void)c, (void)rule, (void)sides, (void)spot;
}

static enum effect effect_of(const struct rule *rule, const struct sides *sides)
{
	if (!sides->old)
		return rule->added;
	return sides->new ? rule->changed : rule->removed;
}

void compare_exact(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	if (!literal_equal(sides->old, sides->new))
		comparison_tell_values(c, spot, effect_of(rule, sides), sides->old, sides->new);
}

/* Texts, examples and the like; lists of them in any order. */
void compare_noted(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	const cJSON *old = sides->old, *new = sides->new;
	if (literal_equal(old, new))
		return;
	if (cJSON_IsArray(old) && cJSON_IsArray(new) &&
		json_hash_unordered(old) == json_hash_unordered(new))
		return;
	comparison_tell_values(c, spot, effect_of(rule, sides), old, new);
}

/* Absent is false. */
void compare_flag(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	bool plain = (!sides->old || cJSON_IsBool(sides->old)) &&
		     (!sides->new || cJSON_IsBool(sides->new));
	if (!plain) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	bool old = cJSON_IsTrue(sides->old), new = cJSON_IsTrue(sides->new);
	if (old != new)
		comparison_tell(
			c, spot, old ? rule->removed : rule->added, old ? "removed" : "added");
}

void compare_one(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	if (sides->old && sides->new)
		comparison_pair(c, rule->of, sides->old, sides->new, spot);
	else
		comparison_tell(c, spot, effect_of(rule, sides), sides->old ? "removed" : "added");
}

static bool is_object(const cJSON *value)
{
	return !value || cJSON_IsObject(value);
}

void compare_map(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	struct members old, new;
	struct members_pair pair;
	size_t old_at = 0, new_at = 0;
	if (!is_object(sides->old) || !is_object(sides->new)) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	members_init(&old, sides->old, c->arena);
	members_init(&new, sides->new, c->arena);
	while (members_next(&old, &old_at, &new, &new_at, &pair)) {
		struct sides one = { sides->in_old, sides->in_new, pair.old, pair.new };
		struct spot here = spot_add(c, spot, TRAIL_WORD, pair.name);
		if (strncmp(pair.name, "x-", 2) == 0 && rule->of == OBJECT_RESPONSE)
			compare_noted(c, rules_find(OBJECT_INFO, pair.name), &one, here);
		else
			compare_one(c, rule, &one, here);
	}
}

/* Names that are the same in another spelling: media types, header fields. */
struct named {
	const char *key;
	const cJSON *value;
};

static int by_key(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : strcmp(x->value->string, y->value->string);
}

static const char *lower(const char *text, struct arena *arena)
{
	char *copy = arena_text(arena, text);
	for (char *at = copy; *at; at++)
		if (*at >= 'A' && *at <= 'Z')
			*at |= 0x20;
	return copy;
}

/* RFC 9110, section 8.3.1: type and parameter names have no case; parameters come in any order. */
static const char *media_key(const char *text, struct arena *arena)
{
	enum { PARAMETERS = 16 };
	const char *parameters[PARAMETERS] = { NULL }, *key = "";
	size_t count = 0;
	struct slice rest = slice_of(text), part;
	for (bool first = true; slice_next(&rest, ';', &part); first = false) {
		const char *one = arena_slice(arena, slice_trim(part));
		const char *value = strchr(one, '=');
		const char *name = arena_print(
			arena, "%.*s", value ? (int)(value - one) : (int)strlen(one), one);
		bool charset = strcasecmp(name, "charset") == 0;
		if (first)
			key = lower(one, arena);
		else if (*one && count < PARAMETERS)
			parameters[count++] = arena_print(arena, ";%s%s", lower(name, arena),
				!value    ? ""
				: charset ? lower(value, arena)
					  : value);
		else if (*one)
			return text;
	}
	qsort(parameters, count, sizeof *parameters, texts_order);
	for (size_t i = 0; i < count; i++)
		key = arena_print(arena, "%s%s", key, parameters[i]);
	return key;
}

static struct named *named_of(const cJSON *object, const char *(*key)(const char *, struct arena *),
	size_t *count, struct arena *arena)
{
	*count = 0;
	if (!cJSON_IsObject(object))
		return NULL;
	struct named *list =
		arena_alloc(arena, (size_t)cJSON_GetArraySize(object) + 1, sizeof *list);
	for (const cJSON *member = object->child; member; member = member->next)
		list[(*count)++] = (struct named){ key(member->string, arena), member };
	qsort(list, *count, sizeof *list, by_key);
	return list;
}

static void compare_named(struct comparison *c, const struct rule *rule, const struct sides *sides,
	struct spot spot, const char *(*key)(const char *, struct arena *))
{
	size_t old_count, new_count, i = 0, j = 0;
	if (!is_object(sides->old) || !is_object(sides->new)) {
		compare_exact(c, rule, sides, spot);
		return;
	}
	struct named *old = named_of(sides->old, key, &old_count, c->arena);
	struct named *new = named_of(sides->new, key, &new_count, c->arena);
	while (i < old_count || j < new_count) {
		int order = i == old_count   ? 1
			    : j == new_count ? -1
					     : strcmp(old[i].key, new[j].key);
		struct sides one = { sides->in_old, sides->in_new, order <= 0 ? old[i].value : NULL,
			order >= 0 ? new[j].value : NULL };
		const char *name = (order <= 0 ? old[i] : new[j]).value->string;
		compare_one(c, rule, &one, spot_add(c, spot, TRAIL_WORD, name));
		i += order <= 0;
		j += order >= 0;
	}
}

void compare_media(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	compare_named(c, rule, sides, spot, media_key);
}

void compare_headers(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	compare_named(c, rule, sides, spot_add(c, spot, TRAIL_WORD, "header"), lower);
}

/* OpenAPI 3.1, section 4.8.12.2: form in queries and cookies, simple elsewhere. */
static const char *style_of(const struct view *parameter)
{
	const char *style = cJSON_GetStringValue(view_get(parameter, "style"));
	const char *in = cJSON_GetStringValue(view_get(parameter, "in"));
	if (style)
		return style;
	return in && (strcmp(in, "query") == 0 || strcmp(in, "cookie") == 0) ? "form" : "simple";
}

void compare_style(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	const char *old = style_of(sides->in_old), *new = style_of(sides->in_new);
	if (strcmp(old, new) != 0)
		comparison_tell(c, spot, rule->changed, "\"%.100s\" -> \"%.100s\"", old, new);
}

static bool explodes(const struct view *parameter)
{
	const cJSON *explode = view_get(parameter, "explode");
	return explode ? cJSON_IsTrue(explode) : strcmp(style_of(parameter), "form") == 0;
}

void compare_explode(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	bool old = explodes(sides->in_old), new = explodes(sides->in_new);
	if (old != new)
		comparison_tell(c, spot, rule->changed, "%s -> %s", old ? "true" : "false",
			new ? "true" : "false");
}

static struct spot turned(struct spot spot)
{
	spot.direction = spot.direction == IN_REQUEST ? IN_RESPONSE : IN_REQUEST;
	return spot;
}

void compare_responses(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	compare_map(c, rule, sides, turned(spot));
}

void compare_callbacks(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	compare_map(c, rule, sides, turned(spot));
}

void compare_body(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	struct spot here = spot_add(c, spot, TRAIL_WORD, "request");
	bool required =
		cJSON_IsTrue(json_get(comparison_resolve(c, c->new, sides->new), "required"));
	if (sides->old || !required)
		compare_one(c, rule, sides, here);
	else
		comparison_tell(c, here, EFFECT_NARROWED, "added, required");
}
