/*
 * clock: the time, as nanoseconds of the monotonic clock in int64_t.
 *
 * Pure folders (sse, load, stats, compare) take now_ns as an argument and never call this.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S  INT64_C(1000000000)

#define CLOCK_NEVER INT64_MAX

int64_t clock_now_ns(void);

/* Wall time, for metadata only: "2026-11-30T12:11:02Z" (RFC 3339) into text of at least 21 bytes. */
void clock_wall(char *text, size_t size);

/* Milliseconds from now to the deadline for poll(2) and epoll_wait(2), rounded up: 0 when past, -1 for CLOCK_NEVER. */
int clock_poll_ms(int64_t now_ns, int64_t deadline_ns);

#endif
