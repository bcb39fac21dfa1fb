/*
 * busy: the requests of a probe's `while`, as the times in which the server must go on answering others.
 */
#ifndef DRIVE_BUSY_H
#define DRIVE_BUSY_H

#include "drive/silence.h"
#include "model/exchange.h"

struct busy_list {
	struct arena *arena;
	struct busy *first, **end;
	size_t count;
};

void busy_init(struct busy_list *list, struct arena *arena);

/* From the send of the request to its last byte. label NULL: its method and target. */
void busy_add(struct busy_list *list, const struct exchange *exchange, const char *label);

/* Any other work of the server. The label is copied. */
void busy_add_time(struct busy_list *list, int64_t from_ns, int64_t to_ns, const char *label);

/* Those of another list as well, copied. */
void busy_add_all(struct busy_list *list, const struct busy_list *others);

#endif
