/*
 * view: an exchange as what `${name.status}`, `${name.headers.ETag}`, `${name.bytes.wire}` and `${name.time.total}` lead
 * to. Quantities are texts with their unit, so that they can stand in comparisons.
 */
#ifndef DRIVE_VIEW_H
#define DRIVE_VIEW_H

#include "base/json.h"
#include "model/exchange.h"
#include "model/measure.h"

/* { status, headers, body (where it is UTF-8 text of at most 1 MiB), bytes, time }. The caller frees it. */
cJSON *view_exchange(const struct exchange *exchange) MUST_USE;

/* The parts of it that an expectation of the same step may use. */
cJSON *view_bytes(const struct exchange *exchange) MUST_USE;
cJSON *view_time(const struct exchange *exchange) MUST_USE;

/* What a step measured: `${NAME.idle.p99}`, or each member a name of its own in the same step. The caller frees it. */
cJSON *view_measures(const struct measures *measures) MUST_USE;

#endif
