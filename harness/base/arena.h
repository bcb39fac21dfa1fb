/*
 * arena: memory that lives and dies together: one for a case, one for a run, one for an exchange.
 *
 * Nothing taken from an arena is freed by itself. Memory is zeroed and aligned for any type; what arena_*
 * returns is valid until arena_free. An arena belongs to one thread at a time.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/err.h"
#include "base/slice.h"

struct arena;

struct arena *arena_new(void) MUST_USE;
void arena_free(struct arena *arena);

void *arena_alloc(struct arena *arena, size_t count, size_t size) MUST_USE;
char *arena_text(struct arena *arena, const char *text) MUST_USE;
/* A copy of the slice with a NUL behind it. */
char *arena_slice(struct arena *arena, struct slice slice) MUST_USE;
char *arena_print(struct arena *arena, const char *format, ...) MUST_USE PRINTF(2, 3);

/*
 * A list of the arena in which there is room for one more behind count items of size bytes: the list itself, or a copy
 * of twice the room (first: of the first one), *room being what there is then. list NULL where room is 0.
 */
void *arena_grow(struct arena *arena, void *list, size_t count, size_t *room, size_t first,
	size_t size) MUST_USE;

/* Has release(object) called by arena_free, last deferred first: for what the arena cannot hold itself. */
void arena_defer(struct arena *arena, void (*release)(void *object), void *object);

#endif
