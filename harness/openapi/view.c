#include "openapi/view.h"

#include <stdlib.h>
#include <string.h>

#include "openapi/rules.h"

static const struct {
	const char *name;
	unsigned bits;
} TYPES[] = {
	{ "null", VIEW_NULL },
	{ "boolean", VIEW_BOOLEAN },
	{ "integer", VIEW_INTEGER },
	{ "number", VIEW_NUMBER | VIEW_INTEGER },
	{ "string", VIEW_STRING },
	{ "array", VIEW_ARRAY },
	{ "object", VIEW_OBJECT },
};

enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

static unsigned type_bits(const cJSON *name)
{
	const char *text = cJSON_GetStringValue(name);
	for (size_t i = 0; text && i < TYPE_COUNT; i++)
		if (strcmp(TYPES[i].name, text) == 0)
			return TYPES[i].bits;
	return 0;
}

static unsigned types_of(const cJSON *type)
{
	if (!type)
		return VIEW_ANY;
	unsigned bits = type_bits(type);
	for (const cJSON *one = members_items(type); one; one = one->next)
		bits |= type_bits(one);
	return bits;
}

const char *view_types(unsigned types, struct arena *arena)
{
	const char *text = types & VIEW_ANY ? "any" : "";
	if (types & VIEW_NUMBER)
		types &= ~(unsigned)VIEW_INTEGER;
	for (size_t i = TYPE_COUNT; i-- > 0;) {
		unsigned bits = TYPES[i].bits & (types & VIEW_NUMBER ? ~4u : ~0u);
		if (bits && (types & bits) == bits)
			text = arena_print(arena, "%s%s%s", text, *text ? "|" : "", TYPES[i].name);
	}
	return *text ? text : "unknown";
}

/* The only keyword that says something about values, or NULL; *count tells how many there are. */
static const cJSON *only_keyword(const cJSON *schema, size_t *count)
{
	const cJSON *only = NULL;
	*count = 0;
	for (const cJSON *member = schema->child; member; member = member->next) {
		if (rules_find(OBJECT_SCHEMA, member->string)->aside)
			continue;
		only = member;
		if (++*count > 1)
			return NULL;
	}
	return only;
}

static bool is_null_schema(const cJSON *schema)
{
	size_t count;
	const cJSON *only = cJSON_IsObject(schema) ? only_keyword(schema, &count) : NULL;
	return only && strcmp(only->string, "type") == 0 && types_of(only) == VIEW_NULL;
}

static const char *const LISTS[] = { "allOf", "anyOf", "oneOf" };
enum { LIST_COUNT = sizeof LISTS / sizeof *LISTS };

static unsigned list_bit(const char *keyword)
{
	for (unsigned i = 0; i < LIST_COUNT; i++)
		if (strcmp(LISTS[i], keyword) == 0)
			return 1u << i;
	return 0;
}

static void note_through(struct view *view, unsigned bit)
{
	view->through |= bit;
	for (unsigned i = 0; i < LIST_COUNT; i++)
		if (bit == 1u << i)
			view->through_at[i] = view->references;
}

/* What a schema without $ref only wraps, or NULL where it has something to say of its own. */
static const cJSON *unwrapped(struct view *view, const cJSON *schema, unsigned keep)
{
	size_t count;
	const cJSON *only = only_keyword(schema, &count);
	const cJSON *first = members_items(only);
	unsigned bit = first ? list_bit(only->string) : 0;
	if (!bit || keep & bit)
		return NULL;
	if (bit == list_bit("allOf")) {
		if (!first->next)
			note_through(view, bit);
		return first->next ? NULL : first;
	}
	if (!first->next || first->next->next ||
		is_null_schema(first) == is_null_schema(first->next))
		return NULL;
	view->null = true;
	note_through(view, bit);
	return is_null_schema(first) ? first->next : first;
}

/* One step inwards, or NULL at the end. */
static const cJSON *step(
	struct view *view, const cJSON *schema, unsigned keep, struct nodes *reached)
{
	size_t count;
	const cJSON *target = document_target(view->document, schema);
	if (cJSON_IsTrue(json_get(schema, "nullable")))
		view->null = true;
	if (!target)
		return unwrapped(view, schema, keep);
	if (reached)
		nodes_put(reached, target, NULL, 0)->number = 1;
	(void)only_keyword(schema, &count);
	/* OpenAPI 3.0, section 4.7.23: members beside $ref are ignored. */
	if (document_minor(view->document) > 0 && count) {
		view->beside = target;
		return NULL;
	}
	view->joint = target;
	view->references++;
	view->joint_at = view->wrapper_count + 1;
	view->outer_null = view->null;
	return target;
}

/* A keyword and how many wrappers are around it. */
struct keyword {
	const cJSON *member;
	size_t depth;
};

static int by_name_and_depth(const void *a, const void *b)
{
	const struct keyword *x = a, *y = b;
	int order = strcmp(x->member->string, y->member->string);
	return order ? order : (x->depth > y->depth) - (x->depth < y->depth);
}

static size_t member_count(const cJSON *object)
{
	return cJSON_IsObject(object) ? (size_t)cJSON_GetArraySize(object) : 0;
}

/* A wrapper's members without what makes it one. */
static size_t add_wrapper(const struct view *view, size_t depth, struct keyword *all)
{
	size_t count = 0;
	const cJSON *wrapper = view->wrappers[depth];
	if (document_minor(view->document) == 0 && document_target(view->document, wrapper))
		return 0;
	for (const cJSON *member = wrapper->child; member; member = member->next)
		if (rules_find(OBJECT_SCHEMA, member->string)->aside)
			all[count++] = (struct keyword){ member, depth };
	return count;
}

static void collect(struct view *view, const cJSON *inner, struct arena *arena)
{
	size_t room = member_count(inner) + 1, count = 0;
	if (!view->wrapper_count) {
		members_init(&view->members, inner, arena);
		return;
	}
	for (size_t i = 0; i < view->wrapper_count; i++)
		room += member_count(view->wrappers[i]);
	struct keyword *all = arena_alloc(arena, room, sizeof *all);
	for (size_t i = 0; i < view->wrapper_count; i++)
		count += add_wrapper(view, i, all + count);
	for (const cJSON *member = inner && cJSON_IsObject(inner) ? inner->child : NULL; member;
		member = member->next)
		all[count++] = (struct keyword){ member, view->wrapper_count };
	qsort(all, count, sizeof *all, by_name_and_depth);
	view->members.list = arena_alloc(arena, room, sizeof(void *));
	view->members.count = 0;
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(all[i].member->string, all[i - 1].member->string) != 0)
			view->members.list[view->members.count++] = all[i].member;
}

void view_object(struct view *view, const struct document *document, const cJSON *object,
	struct arena *arena)
{
	*view = (struct view){ .document = document, .inner = object };
	members_init(&view->members, object, arena);
}

void view_schema(struct view *view, const struct document *document, const cJSON *schema,
	unsigned keep, struct nodes *reached, struct arena *arena)
{
	/* Not all of it: the array of wrappers is large and mostly unused. */
	view->document = document;
	view->wrapper_count = view->joint_at = 0;
	view->joint = view->beside = NULL;
	view->null = view->outer_null = false;
	view->through = 0;
	view->references = 0;
	const cJSON *next;
	while (cJSON_IsObject(schema) && view->wrapper_count < VIEW_WRAPPERS &&
		(next = step(view, schema, keep, reached))) {
		view->wrappers[view->wrapper_count++] = schema;
		schema = next;
	}
	view->inner = schema;
	collect(view, schema, arena);
	size_t count = 0;
	if (cJSON_IsObject(schema))
		(void)only_keyword(schema, &count);
	view->never = cJSON_IsFalse(schema);
	view->any = !view->never && !count && !view->beside;
	view->types = types_of(json_get(schema, "type"));
	if (view->null && !view->any)
		view->types |= VIEW_NULL;
}

/* Those lists that x took off where y has more than x had, as many references deep. */
static unsigned kept(const struct view *x, const struct view *y)
{
	unsigned bits = 0;
	for (unsigned i = 0; i < LIST_COUNT; i++) {
		bool has = view_get(y, LISTS[i]) || (!i && y->beside);
		if (has && x->through & 1u << i && x->through_at[i] == y->references)
			bits |= 1u << i;
	}
	return bits;
}

void view_both(struct view *x, struct view_side old, struct view *y, struct view_side new,
	struct nodes *reached, struct arena *arena)
{
	view_schema(x, old.document, old.schema, 0, reached, arena);
	view_schema(y, new.document, new.schema, 0, reached, arena);
	unsigned keep_x = kept(x, y), keep_y = kept(y, x);
	if (keep_x)
		view_schema(x, old.document, old.schema, keep_x, reached, arena);
	if (keep_y)
		view_schema(y, new.document, new.schema, keep_y, reached, arena);
}

void view_outside(struct view *outside, const struct view *view, struct arena *arena)
{
	*outside = *view;
	outside->wrapper_count = view->joint_at;
	collect(outside, NULL, arena);
}

const cJSON *view_get(const struct view *view, const char *keyword)
{
	return members_find(&view->members, keyword);
}

bool view_is_binary(const struct view *view)
{
	const cJSON *format = view_get(view, "format"), *media = view_get(view, "contentMediaType");
	if (cJSON_IsString(format) && strcmp(format->valuestring, "binary") == 0)
		return true;
	return cJSON_IsString(media) && !view_get(view, "contentEncoding") &&
	       strcmp(media->valuestring, "application/octet-stream") == 0;
}
