/*
 * engine: what transfers see of a thread's epoll set: descriptors to watch and timers. client.h has what others see.
 *
 * Callbacks run inside engine_run only, one after another, and may start, stop and free any watch or timer.
 */
#ifndef HTTP_ENGINE_H
#define HTTP_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "http/client.h"

/* A descriptor that is waited for; it must stay where it is until engine_unwatch. */
struct watch {
	int fd;
	uint32_t events; /* EPOLLIN | EPOLLOUT; 0 while it is not waited for */
	void (*ready)(void *self, uint32_t events);
	void *self;
};

/* Waits for `events` (with EPOLLERR and EPOLLHUP always), or for others than before. */
void engine_watch(struct engine *engine, struct watch *watch, uint32_t events);
/* Before the descriptor is closed. */
void engine_unwatch(struct engine *engine, struct watch *watch);

struct timer {
	int64_t due_ns;
	void (*fire)(void *self); /* once; it may set the timer again */
	void *self;
	struct timer *next, **link; /* link NULL: not set */
};

void engine_set_timer(struct engine *engine, struct timer *timer, int64_t due_ns);
/* Does nothing where it is not set. */
void engine_stop_timer(struct timer *timer);

#endif
