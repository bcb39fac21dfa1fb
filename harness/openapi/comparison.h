/*
 * comparison: the state of comparing two documents, and what the files that compare one kind of thing share. Only the
 * compare_*.c of this folder include it.
 *
 * An object is walked by the rows of rules.h: the members of both sides are merged by name, and each name's rule gets
 * both values (one may be absent). Where both sides come to the same component by $ref, the pair is put in a queue, once
 * for a direction, so that cycles end and no depth of references costs stack.
 */
#ifndef OPENAPI_COMPARISON_H
#define OPENAPI_COMPARISON_H

#include <stdbool.h>

#include "openapi/changes.h"
#include "openapi/document.h"
#include "openapi/members.h"
#include "openapi/nodes.h"
#include "openapi/rules.h"
#include "openapi/trail.h"
#include "openapi/view.h"

struct task {
	struct task *next;
	enum object_kind kind;
	const cJSON *old, *new;
	const struct trail *trail;
	enum direction direction;
	bool unused; /* a component that nothing refers to: whatever changes is documentation */
	size_t places;
};

/* A change before its task's places are known. */
struct found {
	struct found *next;
	const char *where, *what;
	const struct task *task;
};

struct comparison {
	const struct document *old, *new;
	struct changes *changes;
	struct found *first[CHANGE_CLASSES], **last[CHANGE_CLASSES];
	size_t kept[CHANGE_CLASSES];
	struct arena *arena;  /* of the comparison, for views and trails */
	struct nodes pairs;   /* (old, new, direction and kind) -> its task */
	struct nodes reached; /* components of either side that something refers to */
	struct nodes prints;  /* fingerprints, see alternatives.c */
	struct task *queue, **queue_end, *now;
	struct task *later; /* what is only compared if nothing better leads there: mappings */
};

/* Where in both documents a comparison is. */
struct spot {
	const struct trail *trail;
	enum direction direction;
};

/* Both sides of one member; a value may be NULL, the views are those of the objects it stands in. */
struct sides {
	const struct view *in_old, *in_new;
	const cJSON *old, *new;
};

struct spot spot_add(
	struct comparison *c, struct spot spot, enum trail_kind kind, const char *text);
struct spot spot_item(struct comparison *c, struct spot spot, size_t index);

/* Adds a change; its class comes from effect and direction. */
void comparison_tell(struct comparison *c, struct spot spot, enum effect effect, const char *format,
	...) PRINTF(4, 5);
/* "old -> new", "added" or "removed" by what there is. */
void comparison_tell_values(struct comparison *c, struct spot spot, enum effect effect,
	const cJSON *old, const cJSON *new);

/*
 * Compares two objects of a kind that both exist, following $ref on either side; for schemas NULL stands for one that
 * allows everything.
 */
void comparison_pair(struct comparison *c, enum object_kind kind, const cJSON *old,
	const cJSON *new, struct spot spot);
/* The same for schemas, either of which may be what a $ref leads to instead of the $ref. */
struct referred {
	const cJSON *schema;
	bool is_target;
};
void comparison_referred(
	struct comparison *c, struct referred old, struct referred new, struct spot spot);
/* Two schemas that are named in another way than by $ref: compared as if it were one. */
void comparison_mapped(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot);
/* The members of two views by their rules. With aside_only: those that say nothing about which values are valid. */
void comparison_members(struct comparison *c, enum object_kind kind, const struct view *old,
	const struct view *new, struct spot spot, bool aside_only);
/* $ref followed, and the targets on the way marked as reached. */
const cJSON *comparison_resolve(
	struct comparison *c, const struct document *document, const cJSON *object);

/* Two schemas, or one and NULL, as they are: no $ref is put off. */
void compare_views(
	struct comparison *c, const struct view *x, const struct view *y, struct spot spot);
void compare_schemas(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot);

/*
 * A map of path items (paths, webhooks, a callback). spot.direction is that of its requests: IN_RESPONSE for those that
 * the server sends. Path items may be NULL where one side has none.
 */
void compare_paths(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot);
void compare_path_item(struct comparison *c, const cJSON *old, const cJSON *new, struct spot spot);
/* What both sides have under components and nothing refers to; security schemes in any case. */
void compare_components(struct comparison *c);

/* What the rows of the table refer to. */
typedef void compare_member(
	struct comparison *c, const struct rule *rule, const struct sides *sides, struct spot spot);
compare_member compare_ignored, compare_exact, compare_noted, compare_flag, compare_one,
	compare_map, compare_media, compare_headers, compare_style, compare_explode;
compare_member compare_type, compare_values, compare_required, compare_bound, compare_schema_member,
	compare_schema_map, compare_opposite, compare_row, compare_alternatives,
	compare_discriminator, compare_format, compare_media_type;
compare_member compare_body, compare_responses, compare_callbacks, compare_servers;

#endif
