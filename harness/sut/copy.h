/*
 * copy: takes what a process writes into a pipe and puts it into a file, up to SUT_OUTPUT_MAX_BYTES.
 *
 * The pipe is emptied whatever happens to the file, so that a process that floods or a disk that is full never blocks
 * anybody. What was not written is counted, and the last line of the file says how much it was.
 */
#ifndef SUT_COPY_H
#define SUT_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct copy {
	int pipe; /* -1 once all writers are gone */
	int file;
	uint64_t written, dropped;
	int error; /* errno of the first write that did not work */
};

/* Makes the pipe; the end for the process is returned, or -1 with errno. Takes over `file`. */
int copy_open(struct copy *copy, int file);
/* Copies what is in the pipe now, and no more than that: a writer that goes on cannot hold it up. */
void copy_step(struct copy *copy);
/* Copies all that is left, writes the last line, closes both. No process may still be writing. */
void copy_close(struct copy *copy);

#endif
