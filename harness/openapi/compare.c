#include "openapi/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json_hash.h"
#include "openapi/comparison.h"
#include "openapi/literal.h"

enum { WHERE_BYTES = 600, WHAT_BYTES = 400 };

struct spot spot_add(struct comparison *c, struct spot spot, enum trail_kind kind, const char *text)
{
	return (struct spot){ trail_add(c->arena, spot.trail, kind, text), spot.direction };
}

struct spot spot_item(struct comparison *c, struct spot spot, size_t index)
{
	struct trail *trail = arena_alloc(c->arena, 1, sizeof *trail);
	*trail = (struct trail){ spot.trail, TRAIL_MEMBER, NULL, index };
	return (struct spot){ trail, spot.direction };
}

void comparison_tell(
	struct comparison *c, struct spot spot, enum effect effect, const char *format, ...)
{
	char where[WHERE_BYTES], what[WHAT_BYTES];
	enum change_class class = rules_class(effect, spot.direction);
	if (c->now->unused)
		class = CHANGE_DOCUMENTATION;
	if (c->changes->total[class]++ >= CHANGES_MAX)
		return;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	trail_print(spot.trail, where, sizeof where);
	struct found *found = arena_alloc(c->arena, 1, sizeof *found);
	*found = (struct found){ .where = arena_text(c->changes->arena, where),
		.what = arena_text(c->changes->arena, what),
		.task = c->now };
	*c->last[class] = found;
	c->last[class] = &found->next;
	c->kept[class]++;
}

void comparison_tell_values(struct comparison *c, struct spot spot, enum effect effect,
	const cJSON *old, const cJSON *new)
{
	if (!old)
		comparison_tell(c, spot, effect, "added: %s", literal_show(new, c->arena));
	else if (!new)
		comparison_tell(c, spot, effect, "removed: %s", literal_show(old, c->arena));
	else
		comparison_tell(c, spot, effect, "%s -> %s", literal_show(old, c->arena),
			literal_show(new, c->arena));
}

const cJSON *comparison_resolve(
	struct comparison *c, const struct document *document, const cJSON *object)
{
	const cJSON *target;
	while ((target = document_target(document, object))) {
		nodes_put(&c->reached, target, NULL, 0)->number = 1;
		object = target;
	}
	return object;
}

/* Most scalars are equal, and nothing more has to be known of them, but for bounds that another keyword excludes. */
static bool is_settled(const struct rule *rule, const struct members_pair *pair)
{
	const cJSON *x = pair->old, *y = pair->new;
	if (!x || !y || (x->type & 0xff) != (y->type & 0xff) || rule->compare == compare_bound)
		return false;
	switch (x->type & 0xff) {
	case cJSON_String: return strcmp(x->valuestring, y->valuestring) == 0;
	case cJSON_Number: return x->valuedouble == y->valuedouble;
	case cJSON_True:
	case cJSON_False: return rule->of != OBJECT_SCHEMA || !rule->in;
	default: return false;
	}
}

void comparison_members(struct comparison *c, enum object_kind kind, const struct view *old,
	const struct view *new, struct spot spot, bool aside_only)
{
	struct members_pair pair;
	size_t old_at = 0, new_at = 0;
	while (members_next(&old->members, &old_at, &new->members, &new_at, &pair)) {
		const struct rule *rule = rules_find(kind, pair.name);
		struct sides sides = { old, new, pair.old, pair.new };
		bool word = kind != OBJECT_SCHEMA;
		if ((aside_only && !rule->aside) || is_settled(rule, &pair))
			continue;
		rule->compare(c, rule, &sides,
			rule->hidden
				? spot
				: spot_add(c, spot, word ? TRAIL_WORD : TRAIL_MEMBER, pair.name));
	}
}

static void compare_objects(struct comparison *c, enum object_kind kind, const cJSON *old,
	const cJSON *new, struct spot spot)
{
	struct view x, y;
	if (kind == OBJECT_PATH_ITEM) {
		compare_path_item(c, old, new, spot);
		return;
	}
	if (kind == OBJECT_CALLBACK && cJSON_IsObject(old) && cJSON_IsObject(new)) {
		compare_paths(c, old, new, spot);
		return;
	}
	if (!cJSON_IsObject(old) || !cJSON_IsObject(new)) {
		if (!literal_equal(old, new))
			comparison_tell_values(c, spot, EFFECT_CHANGED, old, new);
		return;
	}
	view_object(&x, c->old, old, c->arena);
	view_object(&y, c->new, new, c->arena);
	comparison_members(c, kind, &x, &y, spot, false);
}

/* Puts a pair that both sides refer to in the queue, once for each direction. */
static void enqueue(struct comparison *c, enum object_kind kind, const cJSON *old, const cJSON *new,
	struct spot spot)
{
	unsigned tag = (unsigned)kind * 2 + (unsigned)spot.direction;
	union node_word *word = nodes_put(&c->pairs, old, new, tag);
	struct task *task = word->object;
	if (task) {
		task->places++;
		return;
	}
	task = arena_alloc(c->arena, 1, sizeof *task);
	*task = (struct task){ .kind = kind,
		.old = old,
		.new = new,
		.trail = spot.trail,
		.direction = spot.direction,
		.unused = c->now->unused,
		.places = 1 };
	word->object = task;
	*c->queue_end = task;
	c->queue_end = &task->next;
}

void comparison_mapped(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot)
{
	struct task *task = arena_alloc(c->arena, 1, sizeof *task);
	*task = (struct task){ .next = c->later,
		.old = old,
		.new = new,
		.trail = spot.trail,
		.direction = spot.direction,
		.unused = c->now->unused };
	c->later = task;
}

/* A target counts as if its $ref were before it. */
static void join(struct view *view, struct referred side)
{
	if (!side.is_target || view->joint)
		return;
	view->joint = side.schema;
	view->joint_at = 0;
	view->outer_null = false;
}

void comparison_referred(
	struct comparison *c, struct referred old, struct referred new, struct spot spot)
{
	struct view x, y;
	view_both(&x, (struct view_side){ c->old, old.schema }, &y,
		(struct view_side){ c->new, new.schema }, &c->reached, c->arena);
	join(&x, old);
	join(&y, new);
	if (!x.joint || !y.joint) {
		compare_views(c, &x, &y, spot);
		return;
	}
	/* What stands around the component is compared here, the component itself once for all. */
	if (x.outer_null != y.outer_null)
		comparison_tell(c, spot_add(c, spot, TRAIL_MEMBER, "type"),
			x.outer_null ? EFFECT_NARROWED : EFFECT_WIDENED,
			x.outer_null ? "null removed" : "null added");
	struct view around_x, around_y;
	view_outside(&around_x, &x, c->arena);
	view_outside(&around_y, &y, c->arena);
	comparison_members(c, OBJECT_SCHEMA, &around_x, &around_y, spot, true);
	enqueue(c, OBJECT_SCHEMA, x.joint, y.joint, spot);
}

void comparison_pair(struct comparison *c, enum object_kind kind, const cJSON *old,
	const cJSON *new, struct spot spot)
{
	if (kind == OBJECT_SCHEMA) {
		comparison_referred(
			c, (struct referred){ old, false }, (struct referred){ new, false }, spot);
		return;
	}
	const cJSON *x = comparison_resolve(c, c->old, old),
		    *y = comparison_resolve(c, c->new, new);
	if (x != old && y != new)
		enqueue(c, kind, x, y, spot);
	else
		compare_objects(c, kind, x, y, spot);
}

static void take_later(struct comparison *c)
{
	struct task *task = c->later;
	c->later = task->next;
	c->now = task;
	enqueue(c, OBJECT_SCHEMA, task->old, task->new,
		(struct spot){ task->trail, task->direction });
}

static void drain(struct comparison *c)
{
	while (c->queue || c->later) {
		if (!c->queue) {
			take_later(c);
			continue;
		}
		struct task *task = c->queue;
		c->queue = task->next;
		if (!c->queue)
			c->queue_end = &c->queue;
		c->now = task;
		struct spot spot = { task->trail, task->direction };
		if (task->kind == OBJECT_SCHEMA)
			compare_schemas(c, task->old, task->new, spot);
		else
			compare_objects(c, task->kind, task->old, task->new, spot);
	}
}

static void keep(struct comparison *c)
{
	struct changes *changes = c->changes;
	changes->list = arena_alloc(changes->arena, CHANGES_MAX, sizeof *changes->list);
	for (int class = 0; class < CHANGE_CLASSES; class ++)
		for (const struct found *found = c->first[class];
			found && changes->count < CHANGES_MAX; found = found->next)
			changes->list[changes->count++] = (struct change){ found->where,
				found->what, (enum change_class) class, found->task->places };
}

void compare_documents(
	const struct document *accepted, const struct document *served, struct changes *changes)
{
	struct task root = { .places = 1 }, unused = { .places = 1, .unused = true };
	struct spot spot = { NULL, IN_REQUEST };
	struct comparison c = { .old = accepted,
		.new = served,
		.changes = changes,
		.arena = arena_new(),
		.now = &root };
	*changes = (struct changes){ .arena = arena_new() };
	c.queue_end = &c.queue;
	for (int class = 0; class < CHANGE_CLASSES; class ++)
		c.last[class] = &c.first[class];
	const cJSON *old = document_root(accepted), *new = document_root(served);
	compare_objects(&c, OBJECT_ROOT, old, new, spot);
	compare_paths(&c, json_get(old, "paths"), json_get(new, "paths"), spot);
	/* What others serve: the requests are this server's, the answers theirs. */
	compare_paths(&c, json_get(old, "webhooks"), json_get(new, "webhooks"),
		(struct spot){ trail_add(c.arena, NULL, TRAIL_WORD, "webhooks"), IN_RESPONSE });
	drain(&c);
	c.now = &unused;
	compare_components(&c);
	drain(&c);
	keep(&c);
	nodes_release(&c.pairs);
	nodes_release(&c.reached);
	nodes_release(&c.prints);
	arena_free(c.arena);
}
