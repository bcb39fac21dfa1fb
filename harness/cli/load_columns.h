/*
 * load_columns: what a load shows while it runs: lines of fixed columns as h1load prints them, or one line that is
 * written over again and again, with a bar and what is left.
 *
 *	struct load_columns columns = { 0 };
 *	load_columns_head(out);
 *	load_columns_line(&columns, second, out);	// once a second
 *
 * The columns: time (s since the start), conns (open), tot_conn, tot_req (answered), tot_bytes (of answers, on the
 * wire), err (all so far), then of that second: cps (connections opened), rps (answers), bps (bits), ttfb (mean time to the
 * first byte). `-` where there was no sample.
 */
#ifndef CLI_LOAD_COLUMNS_H
#define CLI_LOAD_COLUMNS_H

#include <stdio.h>

#include "http/load.h"

/* Sums of all seconds so far. */
struct load_columns {
	uint64_t connections, answered, bytes, failed;
};

void load_columns_head(FILE *out);
/* Adds the second up; out NULL: and prints nothing. */
void load_columns_line(struct load_columns *columns, const struct load_second *second, FILE *out);

/*
 * The live line, without a line break: at most `width` columns. length_ns: of the whole run, CLOCK_NEVER where it is not
 * known; wanted: requests of -n, or 0. second: NULL before the first one is over.
 */
void load_columns_live(const struct load_columns *columns, const struct load_second *second,
	int64_t length_ns, uint64_t wanted, int width, FILE *out);

/* "9999", "12.3k", "1.11M": at most 5 columns; text of at least 16 bytes. */
void load_columns_short(double value, char *text, size_t size);
/* "-" for 0, "180us", "1.23ms", "12.3s": at most 6 columns. */
void load_columns_time(int64_t ns, char *text, size_t size);

#endif
