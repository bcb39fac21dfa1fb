/*
 * load_series: the seconds of a run: each thread gives what it did in a second, and once all have, the second can be
 * taken. Safe to share among threads; each locks it once a second.
 *
 *	series = load_series_new(threads);
 *	load_series_add(series, thread, at_s, &part, hist);	// a thread, for every second from 0 on
 *	load_series_leave(series, thread);			// no more of that thread
 *	while (load_series_take(series, &second)) ...		// whoever waits for load_series_fd
 */
#ifndef HTTP_LOAD_SERIES_H
#define HTTP_LOAD_SERIES_H

#include "http/load_result.h"

/* What a thread did in a second. */
struct load_part {
	uint64_t sent, answered, failed, wire_bytes;
	uint64_t connections, connections_opened, in_flight; /* as in struct load_second */
	int64_t first_byte_sum_ns;
	uint64_t first_byte_count;
	bool whole; /* the thread ran until its end */
};

struct load_series;

/* NULL with errno where there is no descriptor left. */
struct load_series *load_series_new(size_t threads) MUST_USE;
void load_series_free(struct load_series *series);

/* latencies: of what ended in it; NULL: of nothing. */
void load_series_add(struct load_series *series, size_t thread, int64_t at_s,
	const struct load_part *part, const struct hist *latencies);
void load_series_leave(struct load_series *series, size_t thread);

/* Readable where a second may be taken or a thread has left, since the last load_series_over. */
int load_series_fd(const struct load_series *series);
/* True once every thread has left. Makes the descriptor unreadable, so take what there is behind it. */
bool load_series_over(struct load_series *series);
/* The next second, in order; false where it is not complete. `measured` is whether every thread ran until its end. */
bool load_series_take(struct load_series *series, struct load_second *second);

#endif
