#include "http/load_rest.h"

#include "base/clock.h"
#include "base/err.h"

#include <stdlib.h>

void load_rest_release(struct load_rest *rest)
{
	free(rest->list);
	*rest = (struct load_rest){ 0 };
}

void load_rest_add(struct load_rest *rest, int64_t due_ns, void *user)
{
	if (rest->count == rest->room) {
		rest->room = rest->room ? 2 * rest->room : 64;
		rest->list = mem_grow(rest->list, rest->room, sizeof *rest->list);
	}
	size_t at = rest->count++;
	for (; at && rest->list[(at - 1) / 2].due_ns > due_ns; at = (at - 1) / 2)
		rest->list[at] = rest->list[(at - 1) / 2];
	rest->list[at] = (struct load_resting){ due_ns, user };
}

int64_t load_rest_next(const struct load_rest *rest)
{
	return rest->count ? rest->list[0].due_ns : CLOCK_NEVER;
}

void *load_rest_take(struct load_rest *rest, int64_t now_ns)
{
	if (load_rest_next(rest) > now_ns)
		return NULL;
	void *user = rest->list[0].user;
	struct load_resting last = rest->list[--rest->count];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < rest->count; at = child) {
		if (child + 1 < rest->count &&
			rest->list[child + 1].due_ns < rest->list[child].due_ns)
			child++;
		if (rest->list[child].due_ns >= last.due_ns)
			break;
		rest->list[at] = rest->list[child];
	}
	rest->list[at] = last;
	return user;
}
