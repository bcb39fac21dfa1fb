#include "openapi/nodes.h"

#include <stdlib.h>

#include "base/err.h"

struct node_slot {
	const void *a, *b;
	unsigned tag;
	union node_word word;
};

void nodes_release(struct nodes *nodes)
{
	free(nodes->slots);
	*nodes = (struct nodes){ 0 };
}

static size_t hash(const void *a, const void *b, unsigned tag)
{
	/* Addresses come from malloc: the lowest bits are all alike, so that the upper half of the product is taken. */
	uint64_t x = ((uint64_t)(uintptr_t)a + tag) * UINT64_C(0x9e3779b97f4a7c15);
	x ^= ((uint64_t)(uintptr_t)b + (x >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
	return (size_t)((x ^ (x >> 31)) * UINT64_C(0x94d049bb133111eb) >> 24);
}

/* The slot of the key, or the free one where it would go. There always is a free one. */
static struct node_slot *slot_of(
	const struct nodes *nodes, const void *a, const void *b, unsigned tag)
{
	size_t i = hash(a, b, tag) & (nodes->room - 1);
	while (nodes->slots[i].a) {
		struct node_slot *slot = &nodes->slots[i];
		if (slot->a == a && slot->b == b && slot->tag == tag)
			break;
		i = (i + 1) & (nodes->room - 1);
	}
	return &nodes->slots[i];
}

static void grow(struct nodes *nodes)
{
	struct nodes larger = { .room = nodes->room ? 2 * nodes->room : 64, .count = nodes->count };
	larger.slots = mem_alloc(larger.room, sizeof *larger.slots);
	for (size_t i = 0; i < nodes->room; i++) {
		const struct node_slot *slot = &nodes->slots[i];
		if (slot->a)
			*slot_of(&larger, slot->a, slot->b, slot->tag) = *slot;
	}
	free(nodes->slots);
	*nodes = larger;
}

union node_word *nodes_find(const struct nodes *nodes, const void *a, const void *b, unsigned tag)
{
	if (!nodes->count)
		return NULL;
	struct node_slot *slot = slot_of(nodes, a, b, tag);
	return slot->a ? &slot->word : NULL;
}

union node_word *nodes_put(struct nodes *nodes, const void *a, const void *b, unsigned tag)
{
	if (!a)
		BUG("a key that is NULL");
	if (2 * (nodes->count + 1) > nodes->room)
		grow(nodes);
	struct node_slot *slot = slot_of(nodes, a, b, tag);
	if (!slot->a) {
		*slot = (struct node_slot){ .a = a, .b = b, .tag = tag };
		nodes->count++;
	}
	return &slot->word;
}
