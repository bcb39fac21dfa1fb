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
	struct slice out, err; /* at most 1 MiB each, of the caller's arena */
	const char *sanitizer; /* first line of a sanitizer's report found in err, or NULL */
};

#endif
