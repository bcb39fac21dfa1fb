/*
 * load_setup: a plan checked and made ready: the name resolved, headers written, times set, descriptors made sure of.
 */
#ifndef HTTP_LOAD_SETUP_H
#define HTTP_LOAD_SETUP_H

#include <sys/resource.h>

#include "http/load_thread.h"

/* RC_USAGE, RC_ENVIRONMENT as load_run; release it in any case. The series is for the caller to set. */
enum rc load_setup_init(
	struct load_setup *setup, const struct load_plan *plan, struct err *err) MUST_USE;
void load_setup_release(struct load_setup *setup);

/* The times of the run, which is to start at start_ns. */
void load_setup_times(struct load_setup *setup, int64_t start_ns);

/* Of load_address.c: url and resolve. RC_ENVIRONMENT: the name does not resolve. */
enum rc load_address_prepare(struct load_setup *setup, struct err *err) MUST_USE;

/*
 * Of load_descriptors.c: raises the soft limit of descriptors where the run needs it; *before is what it was, to put
 * back. RC_ENVIRONMENT: even the hard limit is too low; err says how many connections are possible.
 */
enum rc load_descriptors_raise(
	const struct load_setup *setup, struct rlimit *before, struct err *err) MUST_USE;

/* How many a group has in flight at most, where so many requests are in flight. */
size_t load_setup_group(const struct load_plan *plan, size_t requests);

#endif
