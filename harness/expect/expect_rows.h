/*
 * expect_rows: the rows of the registry, for expect.c alone. Each is explained where it is defined.
 */
#ifndef EXPECT_EXPECT_ROWS_H
#define EXPECT_EXPECT_ROWS_H

#include "expect/expect.h"

extern const struct expectation expect_status;
extern const struct expectation expect_headers;
extern const struct expectation expect_body, expect_body_dechunked, expect_body_wire;
extern const struct expectation expect_json;
extern const struct expectation expect_coding;
extern const struct expectation expect_length;
extern const struct expectation expect_framing;
extern const struct expectation expect_connection;
extern const struct expectation expect_bytes_wire, expect_bytes_dechunked, expect_bytes_decoded;
extern const struct expectation expect_time_headers, expect_time_first_byte, expect_time_total;
extern const struct expectation expect_gap_max;
extern const struct expectation expect_exit;
extern const struct expectation expect_stdout, expect_stderr;

#endif
