/*
 * load_null: a null server is driven for a moment before a load: the highest rate and the lowest latency that the
 * generator itself can show on this machine.
 *
 *	load_null_drive(job, stop_fd, &null);
 *
 * It goes over HTTP/1.1 without TLS, with the requests of the load. The rate is that of as many users as the load has (at
 * most LOAD_NULL_USERS) without think time; the latency is the median of one user.
 */
#ifndef CLI_LOAD_NULL_H
#define CLI_LOAD_NULL_H

#include "cli/load_found.h"

enum { LOAD_NULL_USERS = 64 };
#define LOAD_NULL_NS (150 * NS_PER_MS) /* of each of the two, and a tenth of it to warm up */

/* Forks. What goes wrong is null->problem; a signal is no problem, but nothing was driven then. */
void load_null_drive(const struct load_job *job, int stop_fd, struct load_null *null);

#endif
