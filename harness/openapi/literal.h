/*
 * literal: values that are data: compared fast, and shown to people.
 */
#ifndef OPENAPI_LITERAL_H
#define OPENAPI_LITERAL_H

#include "base/arena.h"
#include "base/json.h"

/* By json_hash(), since documents are long and their members in any order; NULL is equal to NULL alone. */
bool literal_equal(const cJSON *a, const cJSON *b);
/* JSON on one line, at most about 100 bytes, the arena's; "none" for NULL. */
const char *literal_show(const cJSON *value, struct arena *arena);

#endif
