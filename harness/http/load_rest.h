/*
 * load_rest: users of a closed loop that think, in the order in which they are done: a binary heap.
 */
#ifndef HTTP_LOAD_REST_H
#define HTTP_LOAD_REST_H

#include <stddef.h>
#include <stdint.h>

struct load_resting {
	int64_t due_ns;
	void *user;
};

struct load_rest {
	struct load_resting *list;
	size_t count, room;
};

void load_rest_release(struct load_rest *rest);
void load_rest_add(struct load_rest *rest, int64_t due_ns, void *user);
/* CLOCK_NEVER where nobody rests. */
int64_t load_rest_next(const struct load_rest *rest);
/* The one that is due first, if that is at now_ns or before; else NULL. */
void *load_rest_take(struct load_rest *rest, int64_t now_ns);

#endif
