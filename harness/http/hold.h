/*
 * hold: requests that are held open, event streams above all: opened when the caller says so, on the caller's thread, over
 * the connections of load.h. It judges nothing; the caller asks whether they are still there and what they have brought.
 *
 *	struct hold *hold;
 *	if (hold_new(&plan, 9000, &hold, &err) != RC_OK) ...	// nothing was sent
 *	hold_open(hold, 200);
 *	if (hold_wait(hold, HOLD_HEADS, clock_now_ns() + 10 * NS_PER_S) == RC_OK) ...	// each is open, or has failed
 *	hold_mark(hold);
 *	... something that each stream must hear of ...
 *	if (hold_wait(hold, HOLD_BYTES, until_ns) == RC_OK) ...	// each has brought bytes since, or has ended
 *	hold_free(hold);
 *
 * A stream is open from the empty line behind a head of status 2xx until it ends. An answer of another status is given up
 * as soon as its head is there. Bytes that come are counted and forgotten.
 */
#ifndef HTTP_HOLD_H
#define HTTP_HOLD_H

#include "http/load.h"

struct hold;

enum hold_event {
	HOLD_HEADS, /* of all that were opened */
	HOLD_BYTES, /* from all that are open, since hold_mark() */
	HOLD_GONE,  /* one is not open any more */
	HOLD_TIME,  /* nothing but the time that goes by */
};

struct hold_counts {
	size_t opened;      /* requests that were sent, all told */
	size_t open;        /* now */
	size_t heard;       /* of those: that have brought bytes since hold_mark() */
	size_t late;        /* still without a head */
	size_t ended;       /* whole answers: of status 2xx */
	size_t refused;     /* answers of another status */
	int refused_status; /* the first of those; 0: none */
	uint64_t failed[LOAD_FAILURE_COUNT]; /* connections that could not be made, or broke */
	uint64_t bytes;                      /* of heads and bodies, so far */
};

/*
 * Of the plan it takes address, requests, streams, buffer_bytes, seed and stop_fd. most: how many will be open at once.
 * RC_USAGE and RC_ENVIRONMENT as load_run(), descriptors included, for which the soft limit is raised until hold_free().
 */
enum rc hold_new(
	const struct load_plan *plan, size_t most, struct hold **hold, struct err *err) MUST_USE;
/* Ends all streams; NULL is allowed. */
void hold_free(struct hold *hold);

/* Begins `count` more, of `most` in all. */
void hold_open(struct hold *hold, size_t count);
/* Until the event has come, or has become impossible for those that it has not come for: RC_TIMEOUT, RC_CLOSED as engine_run. */
enum rc hold_wait(struct hold *hold, enum hold_event event, int64_t until_ns) MUST_USE;
/* Bytes count as heard from here on. */
void hold_mark(struct hold *hold);
/* Those that are still without a head are given up: they count as failed. */
void hold_drop_late(struct hold *hold);

/* A count of those that are not open any more; it goes up while hold_wait() runs. */
size_t hold_gone(const struct hold *hold);
void hold_count(const struct hold *hold, struct hold_counts *counts);

#endif
