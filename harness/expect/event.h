/*
 * event: does an event of a stream match what `await` and `quiet` look for?
 *
 *	{ "event": "state", "id": "7", "data": { "contains": "Email" }, "json": { "/@type": "StateChange" } }
 */
#ifndef EXPECT_EVENT_H
#define EXPECT_EVENT_H

#include "base/arena.h"
#include "base/shape.h"
#include "model/event.h"

extern const struct shape event_shape;

/* wanted is resolved and of event_shape. Data that is no JSON matches no `json`. */
bool event_matches(const struct event *event, const cJSON *wanted, struct arena *arena);

/* What is looked for, and an event, for people; of the arena. */
const char *event_wanted_words(const cJSON *wanted, struct arena *arena);
const char *event_words(const struct event *event, struct arena *arena);

#endif
