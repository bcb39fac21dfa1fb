/*
 * load_host: what this machine did to a measurement: time stolen by other machines, CPU quotas, full listen queues. Read
 * before and after; the difference is what counts.
 *
 *	struct load_host before, after;
 *	load_host_read(&before);
 *	...
 *	load_host_read(&after);
 *	double share = load_host_steal(&before, &after);
 *
 * What a kernel does not tell is 0 both times.
 */
#ifndef MEASURE_LOAD_HOST_H
#define MEASURE_LOAD_HOST_H

#include <stdint.h>

#include "base/slice.h"

struct load_host {
	uint64_t steal_ticks, all_ticks; /* of all processors: the first line of /proc/stat */
	int64_t throttled_ns;            /* of our control group and those above it, v2 and v1 */
	uint64_t listen_overflows;       /* TcpExt of /proc/net/netstat */
};

void load_host_read(struct load_host *host);

/* 0..1 of all processors' time between the two. */
double load_host_steal(const struct load_host *before, const struct load_host *after);

/* The parts, of text as proc(5) and the kernel's cgroup-v2.rst have it. */
void load_host_parse_stat(struct slice text, struct load_host *host);
int64_t load_host_parse_cpu_stat(struct slice text); /* throttled_usec, or v1's throttled_time */
void load_host_parse_netstat(struct slice text, struct load_host *host);

#endif
