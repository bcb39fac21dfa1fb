/*
 * load_proof: does the generator notice that a server stands still? A null server is stopped by SIGSTOP for a known
 * time in the middle of an open loop. Requests that are due meanwhile are answered when it goes on, so that the
 * percentiles follow from arithmetic: with the stop as share d of the time, quantile q above 1 - d is the length of the stop
 * less (1 - q)/d of it. A generator that waits before it sends on (coordinated omission) shows one slow request instead.
 *
 * Where a percentile is off by more than the tolerance, and this machine let a thread that watches it, or the server, wait
 * for a processor so long that this may be why, nothing is proven either way: it is refused.
 *
 * Once with room for all that is due in flight, and once with room for few, where the wait for the bound must count.
 */
#ifndef CLI_LOAD_PROOF_H
#define CLI_LOAD_PROOF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

#define LOAD_PROOF_TOLERANCE 0.02

/* What response time the quantile must have, ns; 0 where it is not among the stopped: q <= 1 - stop/length. */
int64_t load_proof_expected(double q, int64_t stop_ns, int64_t length_ns);

enum load_proof { LOAD_PROOF_HELD, LOAD_PROOF_BROKEN, LOAD_PROOF_REFUSED };

/* Of one run: whether all percentiles are within the tolerance, and how long the machine kept its parts waiting. */
enum load_proof load_proof_judge(bool within, int64_t late_ns);

/*
 * Prints a line for each percentile, and why it was refused. BROKEN goes before REFUSED. Forks. RC_ENVIRONMENT.
 */
enum rc load_proof_run(
	uint64_t seed, int stop_fd, FILE *out, enum load_proof *proof, struct err *err) MUST_USE;

#endif
