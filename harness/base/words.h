/*
 * words: the nearest of some names to what somebody typed, names that may be missing compared, and globs.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Damerau-Levenshtein (optimal string alignment) distance; ASCII letters compare without case. */
size_t words_distance(const char *a, const char *b);

/* The nearest of `count` names, or NULL where none is within a third of the word's length (at least 1, at most 3). */
const char *words_nearest(const char *word, const char *const *names, size_t count);

/* Equal, or both NULL. */
bool words_same(const char *a, const char *b);

/* Shell glob over the whole text: `*` any run including `/`, `?` one character, `[a-z]`. */
bool words_glob(const char *pattern, const char *text);

#endif
