/*
 * texts: what several files here do with texts alone. It knows nothing of OpenAPI.
 */
#ifndef OPENAPI_TEXTS_H
#define OPENAPI_TEXTS_H

#include "base/arena.h"
#include "base/json.h"

/* In capital letters (ASCII), of the arena. */
const char *texts_upper(const char *text, struct arena *arena);
/* For qsort over a list of texts: the order of strcmp. */
int texts_order(const void *a, const void *b);
/* A string without quotes, any other value as JSON on one line. The caller frees it. */
char *texts_of(const cJSON *value) MUST_USE;

#endif
