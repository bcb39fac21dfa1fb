/*
 * alone: steps whose clock matters run while nothing else of onus does.
 *
 * Every step holds it, shared; a step that judges time holds it for itself. Who waits to be alone goes first, so that
 * it is not kept waiting by a stream of others.
 */
#ifndef DRIVE_ALONE_H
#define DRIVE_ALONE_H

#include <pthread.h>
#include <stdbool.h>

struct alone {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned inside, waiting;
	bool taken;
};

void alone_init(struct alone *alone);
void alone_release(struct alone *alone);
void alone_enter(struct alone *alone, bool by_itself);
void alone_leave(struct alone *alone, bool by_itself);

#endif
