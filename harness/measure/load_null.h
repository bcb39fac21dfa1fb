/*
 * load_null: a null server is driven for a moment before a load: the highest rate and the lowest latency that the
 * generator itself can show on this machine.
 *
 *	load_null_drive(&plan, stop_fd, arena, &null);
 *
 * It goes over HTTP/1.1 without TLS, with the requests of the load. The rate is that of as many users as the load has (at
 * most LOAD_NULL_USERS) without think time; the latency is the median of one user.
 */
#ifndef MEASURE_LOAD_NULL_H
#define MEASURE_LOAD_NULL_H

#include "base/arena.h"
#include "http/load.h"

enum { LOAD_NULL_USERS = 64 };
#define LOAD_NULL_NS (150 * NS_PER_MS) /* of each of the two, and a tenth of it to warm up */

/* What the null server gave. */
struct load_null {
	bool driven;
	const char
		*problem; /* why it was not; NULL where nobody wanted it, or it was interrupted */
	double ceiling_per_s;
	int64_t floor_ns;
};

/*
 * Forks, so that no thread may run yet. `like`: requests, users or bound, threads, decode and seed are taken from it.
 * What goes wrong is null->problem, of the arena; a signal is no problem, but nothing was driven then.
 */
void load_null_drive(
	const struct load_plan *like, int stop_fd, struct arena *arena, struct load_null *null);

#endif
