#include <stdlib.h>
#include <string.h>

#include "base/json_hash.h"
#include "openapi/comparison.h"
#include "openapi/literal.h"

struct server {
	const char *url;
	const cJSON *object;
};

static int by_url(const void *a, const void *b)
{
	const struct server *x = a, *y = b;
	return strcmp(x->url, y->url);
}

/* OpenAPI 3.1, section 4.8.1.1: without servers there is one, "/". */
static struct server *servers_of(const cJSON *list, size_t *count, struct arena *arena)
{
	size_t room = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
	struct server *all = arena_alloc(arena, room + 1, sizeof *all);
	*count = 0;
	for (const cJSON *one = members_items(list); one; one = one->next) {
		const char *url = json_text(one, "url");
		all[(*count)++] = (struct server){ url ? url : "", one };
	}
	if (!room)
		all[(*count)++] = (struct server){ "/", NULL };
	qsort(all, *count, sizeof *all, by_url);
	return all;
}

static void compare_server(
	struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	struct sides texts = { NULL, NULL, json_get(old, "description"),
		json_get(new, "description") };
	compare_noted(c, rules_find(OBJECT_INFO, "description"), &texts,
		spot_add(c, spot, TRAIL_WORD, "description"));
	const cJSON *x = json_get(old, "variables"), *y = json_get(new, "variables");
	if (!literal_equal(x, y))
		comparison_tell_values(
			c, spot_add(c, spot, TRAIL_WORD, "variables"), EFFECT_CHANGED, x, y);
}

void compare_servers(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot)
{
	size_t old_count, new_count, i = 0, j = 0;
	struct server *old = servers_of(sides->old, &old_count, c->arena);
	struct server *new = servers_of(sides->new, &new_count, c->arena);
	while (i < old_count || j < new_count) {
		int order = i == old_count ? 1 : j == new_count ? -1 : by_url(&old[i], &new[j]);
		if (order)
			comparison_tell(c, spot, order < 0 ? rule->removed : rule->added,
				"\"%.200s\" %s", (order < 0 ? old[i] : new[j]).url,
				order < 0 ? "removed" : "added");
		else
			compare_server(c, old[i].object, new[j].object,
				spot_add(c, spot, TRAIL_WORD, old[i].url));
		i += order <= 0;
		j += order >= 0;
	}
}

static bool is_reached(const struct comparison *c, const cJSON *component)
{
	return component && nodes_find(&c->reached, component, NULL, 0);
}

static const struct section {
	const char *name;
	enum object_kind kind;
	enum direction direction;
} SECTIONS[] = {
	{ "schemas", OBJECT_SCHEMA, IN_RESPONSE },
	{ "responses", OBJECT_RESPONSE, IN_RESPONSE },
	{ "parameters", OBJECT_PARAMETER, IN_REQUEST },
	{ "examples", OBJECT_EXAMPLE, IN_RESPONSE },
	{ "requestBodies", OBJECT_BODY, IN_REQUEST },
	{ "headers", OBJECT_HEADER, IN_RESPONSE },
	{ "links", OBJECT_LINK, IN_RESPONSE },
	{ "callbacks", OBJECT_CALLBACK, IN_RESPONSE },
	{ "pathItems", OBJECT_PATH_ITEM, IN_REQUEST },
	{ "securitySchemes", OBJECT_SCHEME, IN_REQUEST },
};

/* Security schemes are named by requirements, not by $ref: their changes count as what they are. */
static void compare_scheme(
	struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	struct task used = { .places = 1 }, *before = c->now;
	struct task *task = arena_alloc(c->arena, 1, sizeof *task);
	*task = used;
	c->now = task;
	comparison_pair(c, OBJECT_SCHEME, old, new, spot);
	c->now = before;
}

static void compare_section(struct comparison *c, const struct section *section,
	const cJSON *old_map, const cJSON *new_map)
{
	struct members old, new;
	struct members_pair pair;
	size_t old_at = 0, new_at = 0;
	struct spot spot = { NULL, section->direction };
	spot = spot_add(c, spot, TRAIL_WORD, "components");
	spot = spot_add(c, spot, TRAIL_WORD, section->name);
	members_init(&old, old_map, c->arena);
	members_init(&new, new_map, c->arena);
	while (members_next(&old, &old_at, &new, &new_at, &pair)) {
		struct spot here = spot_add(c, spot, TRAIL_WORD, pair.name);
		bool reached = is_reached(c, pair.old) || is_reached(c, pair.new);
		if (pair.old && pair.new && section->kind == OBJECT_SCHEME)
			compare_scheme(c, pair.old, pair.new, here);
		else if (reached)
			continue;
		else if (pair.old && pair.new)
			comparison_pair(c, section->kind, pair.old, pair.new, here);
		else
			comparison_tell(c, here, EFFECT_NOTED, pair.old ? "removed" : "added");
	}
}

void compare_components(struct comparison *c)
{
	const cJSON *old = json_get(document_root(c->old), "components");
	const cJSON *new = json_get(document_root(c->new), "components");
	for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS; i++)
		compare_section(c, &SECTIONS[i], json_get(old, SECTIONS[i].name),
			json_get(new, SECTIONS[i].name));
}
