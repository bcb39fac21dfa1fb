#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block is as large as all before it together, so that thousands of arenas with little in them cost little. */
enum { FIRST_BYTES = 512, BLOCK_BYTES = 4096 };

struct block {
	struct block *next;
	size_t used, size;
	max_align_t bytes[];
};

struct deferred {
	struct deferred *next;
	void (*release)(void *object);
	void *object;
};

struct arena {
	struct block *blocks;
	struct deferred *deferred;
	size_t room; /* of all blocks */
};

struct arena *arena_new(void)
{
	return mem_alloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct deferred *d = arena->deferred; d; d = d->next)
		d->release(d->object);
	for (struct block *b = arena->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(arena);
}

static size_t next_room(const struct arena *arena)
{
	if (arena->room < FIRST_BYTES)
		return FIRST_BYTES;
	return arena->room < BLOCK_BYTES ? arena->room : BLOCK_BYTES;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / 2 / size)
		BUG("a size of %zu times %zu bytes", count, size);
	size_t need = (count * size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	struct block *b = arena->blocks;
	if (!b || b->size - b->used < need) {
		size_t room = next_room(arena);
		room = need > room ? need : room;
		b = mem_alloc(1, sizeof *b + room);
		b->size = room;
		b->next = arena->blocks;
		arena->blocks = b;
		arena->room += room;
	}
	void *taken = (char *)b->bytes + b->used;
	b->used += need;
	return taken;
}

char *arena_slice(struct arena *arena, struct slice slice)
{
	char *copy = arena_alloc(arena, slice.len + 1, 1);
	if (slice.len)
		memcpy(copy, slice.ptr, slice.len);
	return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
	return arena_slice(arena, slice_of(text));
}

char *arena_print(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		BUG("a format that does not print: %s", format);
	char *text = arena_alloc(arena, (size_t)length + 1, 1);
	vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void arena_defer(struct arena *arena, void (*release)(void *object), void *object)
{
	struct deferred *d = arena_alloc(arena, 1, sizeof *d);
	d->release = release;
	d->object = object;
	d->next = arena->deferred;
	arena->deferred = d;
}

void *arena_grow(
	struct arena *arena, void *list, size_t count, size_t *room, size_t first, size_t size)
{
	if (count < *room)
		return list;
	*room = *room ? 2 * *room : first;
	void *grown = arena_alloc(arena, *room, size);
	if (count)
		memcpy(grown, list, count * size);
	return grown;
}
