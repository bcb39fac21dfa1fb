#include "expect/list_difference.h"

#include <stdlib.h>

#include "expect/subject.h"

enum { ITEM_BYTES = 100 };

struct list_difference list_difference_find(const cJSON *asked, const cJSON *found)
{
	struct list_difference d = {
		.asked_count = (size_t)cJSON_GetArraySize(asked),
		.found_count = (size_t)cJSON_GetArraySize(found),
	};
	const cJSON *a = asked->child, *b = found->child;
	for (; a && b && json_equal(a, b); d.index++) {
		a = a->next;
		b = b->next;
	}
	d.differs = a || b;
	d.asked = a;
	d.found = b;
	if (d.asked_count != d.found_count || !d.differs)
		return d;
	for (; a && b; a = a->next, b = b->next)
		d.more += !json_equal(a, b);
	d.more--; /* the first of them is told by itself */
	return d;
}

/* Two objects or lists that differ deep inside look alike when they are cut: the first pair of parts is told instead. */
static void descend(const cJSON **a, const cJSON **b, char *pointer, size_t size)
{
	while (*a && *b && (*a)->child && (*b)->child && cJSON_IsArray(*a) == cJSON_IsArray(*b)) {
		const cJSON *x = (*a)->child, *y = (*b)->child;
		size_t index = 0;
		bool object = cJSON_IsObject(*a);
		for (; x; x = x->next, index++) {
			if (object)
				y = json_get(*b, x->string);
			if (!y || !json_equal(x, y))
				break;
			y = object ? y : y->next;
		}
		/* What only the other one has can't be told by a part of this one. */
		if (!x)
			return;
		char digits[24];
		snprintf(digits, sizeof digits, "%zu", index);
		json_pointer_add(pointer, size, object ? x->string : digits);
		*a = x;
		*b = y;
	}
}

static const char *item_words(struct judgement *j, const cJSON *item)
{
	if (!item)
		return "nothing";
	char *printed = json_print(item);
	struct slice text = slice_of(printed);
	const char *words = arena_print(j->arena, "%.*s%s",
		SLICE_PRINT(slice_part(text, 0, ITEM_BYTES)), text.len > ITEM_BYTES ? "..." : "");
	free(printed);
	return words;
}

const char *list_difference_words(struct judgement *j, const struct list_difference *d)
{
	const cJSON *asked = d->asked, *found = d->found;
	char pointer[200] = "";
	descend(&asked, &found, pointer, sizeof pointer);
	const char *counts =
		d->asked_count == d->found_count
			? arena_print(j->arena, "%zu value%s", d->found_count,
				  d->found_count == 1 ? "" : "s")
			: arena_print(j->arena, "%zu value%s instead of %zu", d->found_count,
				  d->found_count == 1 ? "" : "s", d->asked_count);
	const char *more = d->more ? arena_print(j->arena, " (%zu more differ%s)", d->more,
					     d->more == 1 ? "s" : "")
				   : "";
	return arena_print(j->arena, "%s, index %zu%s%s: expected %s, found %s%s", counts, d->index,
		pointer[0] ? " at " : "", pointer, item_words(j, asked), item_words(j, found),
		more);
}
