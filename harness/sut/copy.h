/*
 * copy: takes what a process writes into a pipe and puts it into a file, up to SUT_OUTPUT_MAX_BYTES.
 *
 * The pipe is emptied whatever happens to the file, so that a process that floods or a disk that is full never blocks
 * anybody. What was not written is counted. Nothing but the process's own bytes goes into the file: it is judged.
 */
#ifndef SUT_COPY_H
#define SUT_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sut/sanitizer.h"

struct copy {
	int pipe; /* -1 once all writers are gone */
	int file;
	uint64_t written, dropped;
	int error; /* errno of the first write that did not work */
	struct sanitizer_search search;
};

/* What is known of it apart from the file. */
struct copied {
	uint64_t dropped;
	int error;                            /* why, or 0: SUT_OUTPUT_MAX_BYTES was reached */
	char sanitizer[SANITIZER_TOLD_BYTES]; /* as sanitizer_tell() */
};

/* Makes the pipe; the end for the process is returned, or -1 with errno. Takes over `file`. */
int copy_open(struct copy *copy, int file);
/* Copies what is in the pipe now, and no more than that: a writer that goes on cannot hold it up. */
void copy_step(struct copy *copy);
/* Copies all that is left, closes both. No process may still be writing. */
void copy_close(struct copy *copy);
void copy_tell(const struct copy *copy, struct copied *copied);

#endif
