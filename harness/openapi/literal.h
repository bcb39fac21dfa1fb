/*
 * literal: values that are data, whatever their members' order: a number of 64 bits that stands for the value.
 */
#ifndef OPENAPI_LITERAL_H
#define OPENAPI_LITERAL_H

#include "base/arena.h"
#include "base/json.h"

/* Equal for equal values: members in any order, numbers by value. NULL has one, too. */
uint64_t literal_hash(const cJSON *value);
uint64_t literal_hash_text(const char *text, uint64_t seed);
/* Items of the list in any order. */
uint64_t literal_hash_unordered(const cJSON *list);
bool literal_equal(const cJSON *a, const cJSON *b);
/* JSON on one line, at most about 100 bytes, the arena's; "none" for NULL. */
const char *literal_show(const cJSON *value, struct arena *arena);

#endif
