#include "openapi/fingerprint.h"

#include <string.h>
#include <xxhash.h>

#include "base/json_hash.h"
#include "openapi/rules.h"
#include "openapi/view.h"

struct printer {
	struct nodes *prints;
	const struct document *document;
	struct arena *arena;
};

static uint64_t print_schema(struct printer *p, const cJSON *schema, unsigned deep);

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t both[] = { a, b };
	return XXH3_64bits(both, sizeof both);
}

static uint64_t print_map(struct printer *p, const cJSON *map, unsigned deep)
{
	uint64_t print = 0;
	for (const cJSON *one = map->child; one; one = one->next)
		print += json_hash_text(one->string ? one->string : "", print_schema(p, one, deep));
	return print;
}

/* Keywords whose spelling differs between 3.0 and 3.1, or that are told by the view, are left out. */
static const char *const LEFT_OUT[] = { "type", "exclusiveMinimum", "exclusiveMaximum", "minimum",
	"maximum", "enum", "const", "format", "contentMediaType", "discriminator", "allOf", NULL };

static bool left_out(const char *keyword)
{
	for (const char *const *one = LEFT_OUT; *one; one++)
		if (strcmp(*one, keyword) == 0)
			return true;
	return false;
}

static bool is_empty(const cJSON *value)
{
	return cJSON_IsFalse(value) || (cJSON_IsNumber(value) && value->valuedouble == 0) ||
	       ((cJSON_IsArray(value) || cJSON_IsObject(value)) && !value->child);
}

static uint64_t print_keyword(struct printer *p, const cJSON *member, unsigned deep)
{
	static const char *const MAPS[] = { "properties", "patternProperties", "dependentSchemas",
		"anyOf", "oneOf", "prefixItems", NULL };
	const struct rule *rule = rules_find(OBJECT_SCHEMA, member->string);
	for (const char *const *map = MAPS; *map; map++)
		if (strcmp(*map, member->string) == 0)
			return print_map(p, member, deep);
	if (rule->of == OBJECT_SCHEMA && strcmp(member->string, "items") == 0)
		return print_schema(p, member, deep);
	if (strcmp(member->string, "required") == 0)
		return json_hash_unordered(member);
	return cJSON_IsObject(member) ? 1 : json_hash(member);
}

static uint64_t print_values(const struct view *view)
{
	const cJSON *listed = view_get(view, "enum"), *one = view_get(view, "const");
	uint64_t print = 0, hash;
	for (const cJSON *at = listed ? listed->child : one; at; at = listed ? at->next : NULL) {
		hash = json_hash(at);
		print += cJSON_IsNull(at) ? 0 : mix(hash, 5);
	}
	return print;
}

static uint64_t print_view(struct printer *p, const struct view *view, unsigned deep)
{
	uint64_t print = mix(view->types, view->never ? 2 : view->any);
	const cJSON *all_of = view_get(view, "allOf"), *format = view_get(view, "format");
	print += print_values(view);
	if (view_is_binary(view))
		print += mix(3, 3);
	else if (format)
		print += mix(json_hash(format), 4);
	if (cJSON_IsArray(all_of))
		print += print_map(p, all_of, deep);
	if (view->beside)
		print += json_hash_text("", print_schema(p, view->beside, deep));
	for (size_t i = 0; i < view->members.count; i++) {
		const cJSON *member = view->members.list[i];
		if (!rules_find(OBJECT_SCHEMA, member->string)->aside && !is_empty(member) &&
			!left_out(member->string))
			print += json_hash_text(member->string, print_keyword(p, member, deep));
	}
	return print;
}

/* What is referred to is printed once for each depth; deeper than that all are alike. */
static uint64_t print_schema(struct printer *p, const cJSON *schema, unsigned deep)
{
	struct view view;
	view_schema(&view, p->document, schema, 0, NULL, p->arena);
	const cJSON *key = view.joint ? view.joint : view.beside;
	if (!key)
		return print_view(p, &view, deep);
	if (!deep)
		return mix(view.types, 6);
	unsigned tag = deep * 4 + (view.null ? 2 : 0) + (view.joint ? 1 : 0);
	const cJSON *inner = view.inner ? view.inner : key;
	union node_word *known = nodes_find(p->prints, inner, NULL, tag);
	if (known)
		return known->number;
	uint64_t print = print_view(p, &view, deep - 1);
	nodes_put(p->prints, inner, NULL, tag)->number = print;
	return print;
}

uint64_t fingerprint(struct nodes *prints, const struct document *document, const cJSON *schema,
	unsigned deep, struct arena *arena)
{
	struct printer p = { .prints = prints, .document = document, .arena = arena };
	struct view view;
	view_schema(&view, document, schema, 0, NULL, arena);
	/* Its own reference is one of those that are followed. */
	return view.joint || view.beside ? print_schema(&p, schema, deep + 1)
					 : print_view(&p, &view, deep);
}

static size_t shared_members(const cJSON *old, const cJSON *new, struct arena *arena)
{
	struct members x, y;
	struct members_pair pair;
	size_t i = 0, j = 0, shared = 0;
	members_init(&x, old, arena);
	members_init(&y, new, arena);
	while (members_next(&x, &i, &y, &j, &pair))
		shared += pair.old && pair.new;
	return shared;
}

size_t likeness(const struct document *old_document, const cJSON *old,
	const struct document *new_document, const cJSON *new, struct arena *arena)
{
	struct view x, y;
	view_schema(&x, old_document, old, 0, NULL, arena);
	view_schema(&y, new_document, new, 0, NULL, arena);
	size_t alike =
		shared_members(view_get(&x, "properties"), view_get(&y, "properties"), arena);
	return 2 * alike + (x.types == y.types && x.types != VIEW_ANY && x.types != VIEW_OBJECT);
}
