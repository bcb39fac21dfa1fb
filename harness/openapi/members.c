#include "openapi/members.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 16 };

static int by_name(const void *a, const void *b)
{
	const cJSON *const *x = a, *const *y = b;
	return strcmp((*x)->string, (*y)->string);
}

/* Most objects have a handful of members, which qsort is slow for. */
static void sort_few(const cJSON **list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const cJSON *one = list[i];
		size_t at = i;
		for (; at && strcmp(list[at - 1]->string, one->string) > 0; at--)
			list[at] = list[at - 1];
		list[at] = one;
	}
}

void members_init(struct members *members, const cJSON *object, struct arena *arena)
{
	*members = (struct members){ 0 };
	if (!cJSON_IsObject(object))
		return;
	size_t count = (size_t)cJSON_GetArraySize(object);
	members->list = arena_alloc(arena, count + 1, sizeof(void *));
	for (const cJSON *member = object->child; member; member = member->next)
		members->list[members->count++] = member;
	if (count > FEW)
		qsort(members->list, count, sizeof(void *), by_name);
	else
		sort_few(members->list, count);
}

const cJSON *members_items(const cJSON *list)
{
	return list && cJSON_IsArray(list) ? list->child : NULL;
}

const cJSON *members_find(const struct members *members, const char *name)
{
	size_t low = 0, high = members->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, members->list[middle]->string);
		if (order == 0)
			return members->list[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

int members_order(const void *old, const void *new, int (*compare)(const void *, const void *))
{
	if (!old)
		return 1;
	return new ? compare(old, new) : -1;
}

bool members_next(const struct members *old, size_t *old_at, const struct members *new,
	size_t *new_at, struct members_pair *pair)
{
	const cJSON *x = *old_at < old->count ? old->list[*old_at] : NULL;
	const cJSON *y = *new_at < new->count ? new->list[*new_at] : NULL;
	if (!x && !y)
		return false;
	int order = !y ? -1 : !x ? 1 : strcmp(x->string, y->string);
	*pair = (struct members_pair){ order <= 0 ? x : NULL, order >= 0 ? y : NULL,
		order <= 0 ? x->string : y->string };
	*old_at += order <= 0;
	*new_at += order >= 0;
	return true;
}
