/*
 * tls_end: did a TLS connection end as RFC 9112 section 9.8 has it, by a close_notify, or was it cut? libcurl takes both
 * for the end of an answer without length; this listens in the library below it, where that is OpenSSL.
 */
#ifndef HTTP_TLS_END_H
#define HTTP_TLS_END_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/arena.h"

struct tls_end {
	struct tls_end *next; /* newest first */
	CURL *easy;           /* that opened the connection */
	const void *context;  /* OpenSSL's, one for each connection */
	bool notified;
};

struct tls_ends {
	struct arena *arena;
	struct tls_end *list;
};

/* Has every connection that easy opens listened to; ends must outlive them. True where libcurl took it. */
bool tls_end_listen(struct tls_ends *ends, CURL *easy);

/* Of the connection that easy opened, or that it uses at this moment (inside a callback); NULL where nobody listens. */
const struct tls_end *tls_end_opened(const struct tls_ends *ends, CURL *easy);
const struct tls_end *tls_end_used(const struct tls_ends *ends, CURL *easy);

#endif
