/*
 * output: what a process wrote, read back from the file to which its keeper copies it.
 */
#ifndef SUT_OUTPUT_H
#define SUT_OUTPUT_H

#include <sys/types.h>

#include "base/arena.h"
#include "sut/copy.h"
#include "sut/lines.h"

enum { OUTPUT_KEPT_BYTES = 1024 * 1024, OUTPUT_LAST_LINES = 5 };

struct output {
	int fd;
	off_t from;           /* what an earlier process wrote to the same file comes before */
	struct copied copied; /* as the keeper has told */
};

/* Opens the file for appending and reading, made where absent; with path NULL it is in memory only. RC_ENVIRONMENT. */
enum rc output_open(struct output *output, const char *path, struct err *err) MUST_USE;
void output_close(struct output *output);

/* The last OUTPUT_KEPT_BYTES of it. */
struct slice output_tail(const struct output *output, struct arena *arena);

/* Bytes of it that are in the file. */
uint64_t output_bytes(const struct output *output);

/* The first line of a sanitizer's report, in the file or among what was dropped, or NULL. */
const char *output_sanitizer(const struct output *output, struct arena *arena);
/* Whether it speaks of an address already in use. */
bool output_port_taken(const struct output *output);
/* "stdout: 12 more bytes were dropped: expected at most 16777216", appended to text; nothing where none were. */
void output_dropped(const struct output *output, const char *name, char *text, size_t size);
/* Appends the last lines, each behind "\n  | " and cut to what is readable, to text of `size` bytes. */
void output_last_lines(const struct output *output, char *text, size_t size);

#endif
