/*
 * nodes: a table that leads from one or two values of a tree (and a number) to a word: which pairs were compared, what a
 * $ref leads to. It owns neither.
 *
 *	struct nodes nodes = { 0 };
 *	nodes_put(&nodes, old, new, 0)->number = 1;
 *	nodes_release(&nodes);
 */
#ifndef OPENAPI_NODES_H
#define OPENAPI_NODES_H

#include <stddef.h>
#include <stdint.h>

struct node_slot;

union node_word {
	const void *pointer;
	void *object; /* the same, where it may be changed */
	uint64_t number;
};

struct nodes {
	struct node_slot *slots;
	size_t room, count;
};

void nodes_release(struct nodes *nodes);

/* The word of (a, b, tag), or NULL where none was put; a is not NULL. Valid until the next nodes_put. */
union node_word *nodes_find(const struct nodes *nodes, const void *a, const void *b, unsigned tag);
/* The same, put with a word of zeroes where it is new. */
union node_word *nodes_put(struct nodes *nodes, const void *a, const void *b, unsigned tag);

#endif
