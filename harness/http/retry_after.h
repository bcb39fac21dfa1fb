/*
 * retry_after: the field Retry-After of an answer (RFC 9110 section 10.2.3): seconds, or a date.
 */
#ifndef HTTP_RETRY_AFTER_H
#define HTTP_RETRY_AFTER_H

#include <time.h>

#include "base/err.h"
#include "model/exchange.h"

/* How long to wait from now on. RC_INVALID with err.text: absent, negative, 0, a date that is past, or neither. */
enum rc retry_after_read(
	const struct exchange *exchange, time_t now, int64_t *wait_ns, struct err *err) MUST_USE;

#endif
