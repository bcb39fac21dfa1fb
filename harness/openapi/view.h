/*
 * view: an object as it counts: for schemas with $ref followed and wrappers taken off, in one spelling for 3.0 and 3.1.
 *
 * A $ref (with nothing beside it that counts), an allOf of one, and an anyOf or oneOf of something and null are wrappers
 * of the schema inside: their texts stay, over the inner one's; null is remembered.
 */
#ifndef OPENAPI_VIEW_H
#define OPENAPI_VIEW_H

#include <stdbool.h>

#include "openapi/document.h"
#include "openapi/members.h"
#include "openapi/nodes.h"

enum view_type {
	VIEW_NULL = 1,
	VIEW_BOOLEAN = 2,
	VIEW_INTEGER = 4,
	VIEW_NUMBER = 8, /* always with VIEW_INTEGER */
	VIEW_STRING = 16,
	VIEW_ARRAY = 32,
	VIEW_OBJECT = 64,
	VIEW_ANY = 128, /* no `type` */
};

enum { VIEW_WRAPPERS = 64 };

struct view {
	const struct document *document;
	struct members
		members; /* all keywords that count, the outer ones first where two have one */
	const cJSON *wrappers[VIEW_WRAPPERS];
	size_t wrapper_count;
	const cJSON *inner;    /* what is in the wrappers; NULL for an absent schema */
	const cJSON *joint;    /* the last target of a $ref on the way, or NULL */
	size_t joint_at;       /* how many wrappers are before it */
	bool null, outer_null; /* null is allowed by a wrapper; by one before the joint */
	bool any, never;       /* every value, no value */
	unsigned through;      /* which of allOf, anyOf, oneOf were taken off, a bit each */
	size_t through_at[3];  /* for each: how many $ref were before it, the last time */
	size_t references;     /* how many $ref were followed */
	const cJSON *
		beside; /* target of a $ref that stands beside keywords that count (3.1): one more of allOf */
	unsigned types; /* enum view_type; a `type` that is nothing known gives 0 */
};

/* Any object but a schema: its members, no $ref followed. */
void view_object(struct view *view, const struct document *document, const cJSON *object,
	struct arena *arena);
/*
 * A schema, or NULL. Targets of $ref on the way are put in reached, where that is not NULL. A bit of `keep` leaves wrappers of that kind on: see
 * view_both.
 */
void view_schema(struct view *view, const struct document *document, const cJSON *schema,
	unsigned keep, struct nodes *reached, struct arena *arena);
/*
 * Two schemas that are compared: an allOf of one isn't taken off where the other side has an allOf of more, so that it is
 * one part that went; the same for null and another beside null and several.
 */
struct view_side {
	const struct document *document;
	const cJSON *schema;
};
void view_both(struct view *x, struct view_side old, struct view *y, struct view_side new,
	struct nodes *reached, struct arena *arena);
/* The members of its wrappers up to the joint, without those of the schemas behind it. */
void view_outside(struct view *outside, const struct view *view, struct arena *arena);

const cJSON *view_get(const struct view *view, const char *keyword);
/* "string", "string|null", "any". */
const char *view_types(unsigned types, struct arena *arena);
/* `format: binary` or the same in 3.1's words: a string of bytes. */
bool view_is_binary(const struct view *view);

#endif
