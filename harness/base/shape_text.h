/*
 * shape_text: how shapes and what was found in their place are worded, and the rows of their tables. Private to shape.
 */
#ifndef BASE_SHAPE_TEXT_H
#define BASE_SHAPE_TEXT_H

#include "base/shape.h"

enum { SHAPE_TEXT_BYTES = 512 };

/* Row `index` of an OBJECT, from its own rows and then from key_at; NULL behind the last. */
const struct shape_key *shape_key_at(const struct shape *shape, size_t index);
const struct shape_key *shape_key_find(const struct shape *shape, const char *name);
const struct shape_variant *shape_variant_find(const struct shape *shape, const char *verb);

/* Whether a value of this JSON type is one the shape may hold, whatever is in it. NULL takes anything. */
bool shape_takes_type(const struct shape *shape, const cJSON *value);

/*
 * Pieces of an error, each written to text of SHAPE_TEXT_BYTES: what completes "expected ...", what completes "found
 * ...", and `; did you mean "x"?` or ` (one of a, b, c)`, of a word that is none of an OBJECT's keys, a VARIANT's verbs
 * or a STRING's words.
 */
void shape_expected(const struct shape *shape, char *text);
void shape_found(const cJSON *value, char *text);
void shape_suggest(const struct shape *shape, const char *word, char *text);
/* `keys "a", "b"`, or `no keys`. */
void shape_found_keys(const cJSON *object, char *text);

#endif
