/*
 * event: one event of an event stream as it arrived (WHATWG HTML section 9.2). Data only.
 */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct event {
	struct slice type; /* "message" where the stream named none */
	struct slice data; /* lines joined by LF */
	struct slice id;   /* the last event id so far, or empty */
	int64_t at_ns;     /* when its last byte was read */
	bool awaited;      /* an `await` has taken it: it answers no other */
};

#endif
