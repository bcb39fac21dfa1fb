#include "drive/busy.h"

enum { TARGET_BYTES = 200 };

void busy_init(struct busy_list *list, struct arena *arena)
{
	*list = (struct busy_list){ .arena = arena };
	list->end = &list->first;
}

void busy_add(struct busy_list *list, const struct exchange *exchange, const char *label)
{
	struct busy *one = arena_alloc(list->arena, 1, sizeof *one);
	*one = (struct busy){ .from_ns = exchange->timing.start_ns,
		.to_ns = exchange->timing.end_ns,
		.label = label ? arena_text(list->arena, label)
			       : arena_print(list->arena, "%s %.*s", exchange->method, TARGET_BYTES,
					 exchange->target) };
	*list->end = one;
	list->end = &one->next;
	list->count++;
}
