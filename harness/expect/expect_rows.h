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

/* count min p50 p90 p99 p999 max */
enum { EXPECT_SPREAD = 7 };
extern const struct expectation expect_idle[EXPECT_SPREAD], expect_probe[EXPECT_SPREAD];
extern const struct expectation expect_send_lag[EXPECT_SPREAD];
extern const struct expectation expect_probe_silence, expect_probe_silence_share;

/* All of a load, and what it cost the SUT. */
extern const struct expectation expect_load[], expect_sut[];
extern const size_t expect_load_count, expect_sut_count;

extern const struct expectation expect_streams_held, expect_streams_memory_each;
extern const struct expectation expect_streams_delivered;

extern const struct expectation expect_routes_total, expect_routes_guarded;
extern const struct expectation expect_routes_deprecated, expect_routes_swept;
extern const struct expectation expect_document;

#endif
