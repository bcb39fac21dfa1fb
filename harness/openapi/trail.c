#include "openapi/trail.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"

/* More segments than INNER_MAX + OUTER_MAX never have room. */
enum { SEGMENT_BYTES = 256, INNER_MAX = 128, OUTER_MAX = 4 };

static const char CUT[] = " ... ";

const struct trail *trail_add(
	struct arena *arena, const struct trail *up, enum trail_kind kind, const char *text)
{
	struct trail *trail = arena_alloc(arena, 1, sizeof *trail);
	*trail = (struct trail){ .up = up, .kind = kind, .text = text };
	return trail;
}

static void segment(const struct trail *at, char *text, size_t size)
{
	char number[32];
	const char *name = at->text;
	text[0] = 0;
	if (!name) {
		snprintf(number, sizeof number, "%zu", at->index);
		name = number;
	}
	if (at->kind == TRAIL_WORD)
		snprintf(text, size, "%s", name);
	else
		json_pointer_add(text, size, name);
}

static bool has_space(const struct trail *at)
{
	return at->up && (at->kind == TRAIL_WORD || at->up->kind == TRAIL_WORD);
}

/* Appends the segments from the outermost of `count` on, as long as they fit; returns the length. */
static size_t put(const struct trail *const *way, size_t count, char *text, size_t size)
{
	char part[SEGMENT_BYTES];
	size_t used = 0;
	text[0] = 0;
	while (count--) {
		segment(way[count], part, sizeof part);
		int len = snprintf(text + used, size - used, "%s%s",
			used && has_space(way[count]) ? " " : "", part);
		if ((size_t)len >= size - used) {
			text[used] = 0;
			break;
		}
		used += (size_t)len;
	}
	return used;
}

/* How many of the innermost segments have room in so many bytes. */
static size_t fitting(const struct trail *const *way, size_t count, size_t size)
{
	char part[SEGMENT_BYTES];
	size_t used = 1, fit = 0;
	for (; fit < count; fit++) {
		segment(way[fit], part, sizeof part);
		used += strlen(part) + 1;
		if (used > size)
			break;
	}
	return fit;
}

void trail_print(const struct trail *trail, char *text, size_t size)
{
	const struct trail *inner[INNER_MAX], *outer[OUTER_MAX], *ring[OUTER_MAX];
	size_t depth = 0;
	for (const struct trail *at = trail; at; at = at->up, depth++) {
		if (depth < INNER_MAX)
			inner[depth] = at;
		ring[depth % OUTER_MAX] = at;
	}
	if (depth <= INNER_MAX && fitting(inner, depth, size) == depth) {
		put(inner, depth, text, size);
		return;
	}
	/* Half of the room for each end. */
	size_t outer_count = depth < OUTER_MAX ? depth : OUTER_MAX;
	for (size_t i = 0; i < outer_count; i++)
		outer[i] = ring[(depth - outer_count + i) % OUTER_MAX];
	size_t inner_count = fitting(inner, depth < INNER_MAX ? depth : INNER_MAX, size / 2);
	size_t used = put(outer, outer_count, text, size / 2 - sizeof CUT);
	used += (size_t)snprintf(text + used, size - used, "%s", CUT);
	put(inner, inner_count, text + used, size - used);
}
