/*
 * hold_columns: what holding streams shows while it runs: a line of fixed columns for each round, and for each second behind the
 * last. `-` where nothing is known.
 *
 * time (s since the start), round, opened (requests so far), open, failed, bytes (that came, of all), then resident memory of
 * onus and of the SUT and what the SUT's memory cgroup has, in KiB, and the SUT's descriptors.
 */
#ifndef CLI_HOLD_COLUMNS_H
#define CLI_HOLD_COLUMNS_H

#include <stdio.h>

#include "cli/hold_found.h"

void hold_columns_head(FILE *out);
void hold_columns_line(const struct hold_point *point, FILE *out);

#endif
