/*
 * changes: the list that a comparison of two documents fills: the gravest first, then in the order of paths.
 */
#ifndef OPENAPI_CHANGES_H
#define OPENAPI_CHANGES_H

#include "base/arena.h"

enum { CHANGES_MAX = 1000 };

enum change_class {
	CHANGE_BREAKING, /* somebody who kept to the accepted document can fail now */
	CHANGE_ADDITIVE, /* something more is promised or allowed */
	CHANGE_DOCUMENTATION, /* nothing that is on the wire: texts, examples, deprecated, unused components */
};
enum { CHANGE_CLASSES = CHANGE_DOCUMENTATION + 1 };

struct change {
	const char *
		where; /* "GET /x 200 application/json /items/properties/kind"; long ones are cut in the middle */
	const char *what; /* "removed", "added", "\"string\" -> \"integer\"" */
	enum change_class class;
	size_t places; /* references that lead to the component it is in; 1 for what stands in one place */
};

struct changes {
	struct change *list;
	size_t count;                 /* at most CHANGES_MAX are kept, the gravest */
	size_t total[CHANGE_CLASSES]; /* how many there were */
	struct arena *arena;
};

void changes_release(struct changes *changes);

/* "breaking", "additive" or "documentation". */
const char *change_class_name(enum change_class class);

#endif
