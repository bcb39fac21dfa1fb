/*
 * process: how a program ended: what `refuses` and `exec` judge, and what is said of a SUT that died. Data only.
 */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include <stdbool.h>

#include "base/slice.h"

struct process_end {
	bool running;   /* still alive: nothing below holds */
	int exit;       /* exit status, or -1 where a signal ended it */
	int signal;     /* 0, or the signal */
	bool answered;  /* it became ready (for `refuses`: it started although it must not) */
	bool timed_out; /* it was ended by onus when `within` was over */
	int64_t duration_ns;
	struct slice out, err; /* the last 1 MiB of each, of the caller's arena */
	uint64_t out_bytes,
		err_bytes;     /* all that it wrote: more than what is kept where that was cut */
	const char *dropped;   /* what is not in the files either, and why, for people; or NULL */
	const char *sanitizer; /* first line of a sanitizer's report found in either, or NULL */
};

#endif
