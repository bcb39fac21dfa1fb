/*
 * request: what a request asks of the connection: which way it must go, and its bytes.
 */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include "base/buf.h"
#include "http/client.h"

/*
 * True where it must go over a plain connection: `raw`; HEAD and conditional requests, where libcurl hides what comes
 * when nothing may; and what libcurl would not send as written (two Host lines, an odd name, value or target, CONNECT).
 */
bool request_is_plain(const struct request *request);

/* Why it can't be sent over HTTP/2 (RFC 9113), or NULL. */
const char *request_refused_by_http2(const struct request *request);

/* The value of a header that the request names, or NULL. */
const char *request_header(const struct request *request, const char *name);

/* True where framing needs a Content-Length that the request does not name: RFC 9110 section 8.6. */
bool request_wants_length(const struct request *request);

bool request_has_body(const struct request *request);
uint64_t request_body_bytes(const struct request *request);

/* Up to size bytes of request->file from offset on; 0 at its end and where it can't be read. */
size_t request_read_file(
	const struct request *request, uint64_t offset, void *bytes, size_t size) MUST_USE;

/* Request line and headers through the empty line; host is what Host says. */
void request_write_head(const struct request *request, const char *host, struct buf *head);

/* What a raw request's bytes hold. */
struct raw_facts {
	const char *method; /* of the first: "HEAD", "CONNECT", or "GET" for any other */
	size_t count;       /* requests, each behind the end of the one before; at least 1 */
};
struct raw_facts request_raw_facts(const struct request *request);

#endif
