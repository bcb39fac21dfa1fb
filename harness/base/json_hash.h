/*
 * json_hash: a number of 64 bits that stands for a JSON value, whatever the order of its members. It is no proof of
 * equality where somebody may look for two values of one number: json_equal() is.
 */
#ifndef BASE_JSON_HASH_H
#define BASE_JSON_HASH_H

#include "base/json.h"

/* Equal for equal values: members in any order, numbers by value. NULL has one, too. */
uint64_t json_hash(const cJSON *value);
uint64_t json_hash_text(const char *text, uint64_t seed);
/* Items of the list in any order. */
uint64_t json_hash_unordered(const cJSON *list);

#endif
