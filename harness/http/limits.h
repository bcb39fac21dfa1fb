/*
 * limits: the caps of everything that the other side of a connection feeds.
 */
#ifndef HTTP_LIMITS_H
#define HTTP_LIMITS_H

#include <stdint.h>

enum {
	HTTP_HEAD_MAX_BYTES =
		256 * 1024, /* all heads of an answer together, and again the trailers */
	HTTP_LINE_MAX_BYTES = 100 * 1024 - 1, /* a line of a head: libcurl takes no longer one */
	HTTP_KEPT_BYTES = 8 * 1024 * 1024,    /* of each layer, in full */
	HTTP_KEPT_STREAM_BYTES = 1024 * 1024, /* of a stream, whose events are kept apart */
	HTTP_KEPT_JSON_BYTES =
		64 * 1024 * 1024,          /* where `json` or `capture` reads it, now or later */
	HTTP_KEPT_START_BYTES = 64 * 1024, /* of a layer that is longer, and of a request's body */
};
#define HTTP_BODY_MAX_BYTES (INT64_C(4) << 30) /* on the wire: an endless body ends there */

/*
 * A decompression bomb ends at HTTP_DECODED_MAX_BYTES, or beyond HTTP_DECODED_FREE_BYTES at HTTP_DECODED_MAX_RATIO
 * times the coded bytes: deflate can't do more than 1032.
 */
#define HTTP_DECODED_MAX_BYTES (INT64_C(1) << 30)
enum { HTTP_DECODED_FREE_BYTES = 1024 * 1024, HTTP_DECODED_MAX_RATIO = 1100 };

#endif
