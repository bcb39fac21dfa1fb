/*
 * process: how a program ended: what `refuses` and `exec` judge, and what is said of a SUT that died.
 */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/slice.h"

struct process_end {
	bool running;   /* still alive: nothing below holds */
	int exit;       /* exit status, or -1 where a signal ended it */
	int signal;     /* 0, or the signal */
	bool answered;  /* it became ready (for `refuses`: it started although it must not) */
	bool timed_out; /* it was ended by onus when `within` was over */
	bool oom; /* the kernel killed it, or one of its processes, because its cap was full */
	uint64_t memory_max_bytes, memory_peak_bytes; /* of that cap; 0 where there was none */
	int64_t duration_ns;
	struct slice out, err; /* the last 1 MiB of each, of the caller's arena */
	uint64_t out_bytes,
		err_bytes;     /* all that it wrote: more than what is kept where that was cut */
	const char *dropped;   /* what is not in the files either, and why, for people; or NULL */
	const char *sanitizer; /* first line of a sanitizer's report found in either, or NULL */
};

/*
 * How one that ended did, for people: "ended by signal 11 (Segmentation fault)", "exit status 3", "killed by the kernel:
 * its memory cap of 96 MiB was full".
 */
const char *process_end_words(const struct process_end *end, struct arena *arena);
/* The last of these, into text of `size` bytes; also where there is no process_end yet. */
void process_oom_words(uint64_t memory_max_bytes, char *text, size_t size);

#endif
