/*
 * load_held_up: for how long a thread of an open loop was kept from its work, by whoever else had the processor, while
 * requests waited for the bound. A wait that is mostly this says nothing of the server.
 *
 *	struct load_held_up held;
 *	load_held_up_init(&held);			// on the thread itself
 *	load_held_up_begin(&held, now_ns - due_ns);	// the bound is full: so late was what filled it
 *	if (load_held_up_explains(&held, lag_ns)) ...	// a request that waited is sent, so late
 *	load_held_up_release(&held);
 *
 * The kernel tells how long a thread was ready to run and did not (/proc/thread-self/schedstat, proc(5)); one that does
 * not tell, or a thread that is stopped, leaves what it was late at first.
 */
#ifndef HTTP_LOAD_HELD_UP_H
#define HTTP_LOAD_HELD_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct load_held_up {
	int fd;           /* -1: the kernel does not tell */
	int64_t late_ns;  /* at the beginning */
	int64_t delay_ns; /* the kernel's count then */
};

void load_held_up_init(struct load_held_up *held);
void load_held_up_release(struct load_held_up *held);

/* late_ns: up to 1 ms counts as none. */
void load_held_up_begin(struct load_held_up *held, int64_t late_ns);
/* Is at least half of a lag of more than 1 ms what the thread was held up by since then? */
bool load_held_up_explains(const struct load_held_up *held, int64_t lag_ns);

/* Of the calling thread, since it began, in ns: ready and without a processor; 0 where the kernel does not tell. */
int64_t load_held_up_so_far(void);

/* The part: time on the processor, time ready for it, slices, as text; the second of them in ns, 0 where it is none. */
int64_t load_held_up_parse(struct slice schedstat);

#endif
