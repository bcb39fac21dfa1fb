/*
 * trail: the way from a document's root to a value, kept as a chain so that a text is only made where it is told.
 *
 *	const struct trail *way = trail_add(arena, NULL, TRAIL_WORD, "GET /x");
 *	way = trail_add(arena, way, TRAIL_MEMBER, "items");
 *	trail_print(way, text, sizeof text);    "GET /x /items"
 */
#ifndef OPENAPI_TRAIL_H
#define OPENAPI_TRAIL_H

#include "base/arena.h"

enum trail_kind {
	TRAIL_MEMBER, /* a segment of a JSON pointer, escaped when printed */
	TRAIL_WORD,   /* a word of its own */
};

struct trail {
	const struct trail *up;
	enum trail_kind kind;
	const char *text; /* borrowed */
	size_t index;     /* of an item, where text is NULL */
};

const struct trail *trail_add(struct arena *arena, const struct trail *up, enum trail_kind kind,
	const char *text) MUST_USE;
/* The text is NUL-ended in `size` >= 64 bytes; the middle of a long one is "...". The empty trail is "". */
void trail_print(const struct trail *trail, char *text, size_t size);

#endif
