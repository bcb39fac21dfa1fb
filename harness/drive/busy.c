#include "drive/busy.h"

enum { TARGET_BYTES = 200 };

void busy_init(struct busy_list *list, struct arena *arena)
{
	*list = (struct busy_list){ .arena = arena };
	list->end = &list->first;
}

static void add(struct busy_list *list, int64_t from_ns, int64_t to_ns, const char *label)
{
	struct busy *one = arena_alloc(list->arena, 1, sizeof *one);
	*one = (struct busy){ .from_ns = from_ns, .to_ns = to_ns, .label = label };
	*list->end = one;
	list->end = &one->next;
	list->count++;
}

void busy_add(struct busy_list *list, const struct exchange *exchange, const char *label)
{
	add(list, exchange->timing.start_ns, exchange->timing.end_ns,
		label ? arena_text(list->arena, label)
		      : arena_print(list->arena, "%s %.*s", exchange->method, TARGET_BYTES,
				exchange->target));
}

void busy_add_time(struct busy_list *list, int64_t from_ns, int64_t to_ns, const char *label)
{
	add(list, from_ns, to_ns, arena_text(list->arena, label));
}

void busy_add_all(struct busy_list *list, const struct busy_list *others)
{
	for (const struct busy *one = others->first; one; one = one->next)
		add(list, one->from_ns, one->to_ns, arena_text(list->arena, one->label));
}
