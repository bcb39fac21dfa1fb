/*
 * plain: a connection over which bytes go as they are: libcurl connects it, TLS included (CURLOPT_CONNECT_ONLY), and
 * hands bytes through (curl_easy_send, curl_easy_recv), while its socket is watched by the engine.
 */
#ifndef HTTP_PLAIN_H
#define HTTP_PLAIN_H

#include "http/transfer.h"

struct plain;

/* Whoever uses the connection; both run inside engine_run. */
struct plain_user {
	void *self;
	void (*connected)(void *self, CURLcode result);
	void (*ready)(void *self); /* something can be read, or written where that is waited for */
};

/* Connects; user->connected tells the end of it. NULL where libcurl does not even begin. */
struct plain *plain_open(struct client *client, const struct plain_user *user) MUST_USE;
/*
 * One that served before and is still open and silent, or NULL; those that are not are closed. What came on such a one,
 * which nobody asked for, goes to client->unasked.
 */
struct plain *plain_take(struct client *client, const struct plain_user *user) MUST_USE;
/* For the next request. */
void plain_keep(struct plain *plain);
/* By FIN, or by RST where reset. Does nothing with NULL. */
void plain_close(struct plain *plain, bool reset);

/* Asks for user->ready: for reading always, for writing where `write`. */
void plain_wait(struct plain *plain, bool write);

/* RC_OK with *count bytes moved (0 from plain_read: the end); RC_TIMEOUT: not now; RC_CLOSED: the connection is broken
 * (plain_failure). */
enum rc plain_write(struct plain *plain, struct slice bytes, size_t *count) MUST_USE;
enum rc plain_read(struct plain *plain, void *bytes, size_t size, size_t *count) MUST_USE;
/* Behind the end: did it end as it should? A TLS connection may have been cut (tls_end.h). */
bool plain_ended(const struct plain *plain) MUST_USE;

/* What libcurl says of the connection: of result, or of the last plain_read or plain_write. */
enum failure plain_failure(const struct plain *plain, CURLcode result);
const char *plain_failure_text(const struct plain *plain, CURLcode result, struct arena *arena);

#endif
