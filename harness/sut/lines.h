/*
 * lines: reads a file that may still grow, line by line.
 *
 *	struct lines lines;
 *	lines_init(&lines, fd, 0);
 *	while (lines_next(&lines, &line)) ...	again later: goes on where it stopped
 */
#ifndef SUT_LINES_H
#define SUT_LINES_H

#include <sys/types.h>

#include "base/slice.h"

enum { LINE_MAX_BYTES = 16 * 1024 }; /* a longer line comes in pieces */

struct lines {
	int fd;
	off_t at; /* in the file, of what is read next */
	size_t start, end;
	char bytes[LINE_MAX_BYTES];
};

/* From offset `at`. The descriptor stays the caller's; -1 reads as empty. */
void lines_init(struct lines *lines, int fd, off_t at);
/* The next whole line without its LF (and CR), valid until the next call; false while there is none. */
bool lines_next(struct lines *lines, struct slice *line);
/* What stands behind the last LF; for when the file no longer grows. False where that is nothing. */
bool lines_rest(struct lines *lines, struct slice *line);

#endif
