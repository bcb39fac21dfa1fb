/*
 * hlog: histograms as lines of a log that HdrHistogram's tools read, and back: format 1.3, histograms in encoding V2
 * (counts in zigzag LEB128, deflated by zlib, base64).
 *
 * Follows https://github.com/HdrHistogram/HdrHistogram (HistogramLogWriter, AbstractHistogram). Not a result: that is
 * report/'s. Values are in ns in the histograms, in ms in the column of the maximum.
 *
 *	hlog_begin(file, start_s, 1, "onus 0.1.0, seed 0x9a1f");
 *	hlog_write(file, "response", 0, 1, hist);
 *	if (ferror(file) || fclose(file)) ...
 *
 *	rc = hlog_read(path, add_up, all, &err);
 */
#ifndef STATS_HLOG_H
#define STATS_HLOG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/slice.h"
#include "stats/hist.h"

enum {
	HLOG_MAX_BYTES = 256 << 20, /* of a file */
	HLOG_MAX_LINE_BYTES = 1 << 20,
	HLOG_MAX_TAG_BYTES = 256,
};

/*
 * The lines at the top. start_s: wall time, seconds since 1970; the lines below count from it. lines: how many
 * hlog_write will add, so that a reader notices where some are missing; 0: not known. comment: NULL, or text of one or
 * more lines. Errors of writing are the FILE's own: ask ferror() or fclose().
 */
void hlog_begin(FILE *file, double start_s, size_t lines, const char *comment);

/*
 * One line. tag: NULL or "" for none; what a tag may not hold (commas, spaces, control characters) becomes "_".
 * start_s: when the interval began, seconds since hlog_begin's start; length_s: how long it was. hist may be empty.
 */
void hlog_write(
	FILE *file, const char *tag, double start_s, double length_s, const struct hist *hist);

/* Valid until `each` returns. */
struct hlog_interval {
	size_t line;     /* its number in the file, from 1 */
	const char *tag; /* "" where the line has none */
	double start_s;  /* wall time, seconds since 1970, or what the file has for it */
	double length_s;
	/* Its minimum is its bucket's lowest value; its maximum is the line's, where that lies in the last bucket. */
	const struct hist *hist;
	/*
	 * Whether the histogram was laid out as ours is, so that nothing was lost. Others are read as well, each bucket
	 * as its middle: then a value is right to our digits or theirs, whichever is worse.
	 */
	bool exact;
};

/*
 * Calls each(to, interval) for every line. RC_ENVIRONMENT: the file can't be read. RC_INVALID: "FILE:LINE" and what
 * was expected, also where there are fewer lines than its head says; RC_LIMIT: a cap of the above. The intervals of the lines before were told by then.
 */
enum rc hlog_read(const char *path, void (*each)(void *to, const struct hlog_interval *interval),
	void *to, struct err *err) MUST_USE;

/* The same for text in memory; `name` is the file's in errors. */
enum rc hlog_parse(struct slice text, const char *name,
	void (*each)(void *to, const struct hlog_interval *interval), void *to,
	struct err *err) MUST_USE;

#endif
