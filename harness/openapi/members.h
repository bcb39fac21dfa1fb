/*
 * members: the members of an object in the order of their names, so that two objects are compared in one pass; cJSON
 * keeps them as a linked list in the order of the text.
 *
 *	struct members old, new;
 *	members_init(&old, object, arena);
 */
#ifndef OPENAPI_MEMBERS_H
#define OPENAPI_MEMBERS_H

#include "base/arena.h"
#include "base/json.h"

struct members {
	const cJSON **list; /* sorted by ->string, strcmp */
	size_t count;
};

/* None where the value is no object (NULL). The list is the arena's. */
void members_init(struct members *members, const cJSON *object, struct arena *arena);

/* The first item of a list, or NULL where there is none or the value is no list (NULL). */
const cJSON *members_items(const cJSON *list);

/* NULL where there is none of that name. */
const cJSON *members_find(const struct members *members, const char *name);

/* Which of two sorted lists goes on: below 0 the old, above 0 the new, 0 both. NULL is the end of a list, not of both. */
int members_order(const void *old, const void *new, int (*compare)(const void *, const void *));

/*
 * The next name that either has: false at the end. *old or *new is NULL where only the other one has it. Both cursors
 * start at 0.
 */
struct members_pair {
	const cJSON *old, *new;
	const char *name;
};
bool members_next(const struct members *old, size_t *old_at, const struct members *new,
	size_t *new_at, struct members_pair *pair);

#endif
