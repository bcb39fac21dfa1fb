/*
 * transfer: one request on its way, over either kind of connection, and the client it belongs to. What only the files
 * of this folder see: client.h has what others see.
 *
 * ordinary.c lets libcurl speak HTTP/1.1, exact.c sends and reads the bytes itself over a plain connection (plain.h),
 * http2.c lets libcurl speak HTTP/2. All feed transfer->answer and call transfer_end once.
 */
#ifndef HTTP_TRANSFER_H
#define HTTP_TRANSFER_H

#include "http/answer.h"
#include "http/left.h"
#include "http/multi.h"
#include "http/request.h"
#include "http/tls_end.h"

struct client {
	struct engine *engine;
	struct arena *arena; /* of the options and tls_ends */
	struct client_options options;
	const char *url;       /* "http://127.0.0.1:1234/" */
	const char *origin;    /* without the slash */
	const char *authority; /* "127.0.0.1:1234": Host */
	bool tls;
	struct tls_ends tls_ends; /* of its connections */
	struct curl_slist *resolve;
	struct multi multi;
	struct multi watched; /* of HTTP/2, for requests that are watched: see http2.c */
	/* Of HTTP/2: that are open, and requests that are to open one. */
	int connections, connecting;
	struct left left; /* sockets of idle connections of libcurl's */
	struct buf
		unasked; /* what came on an idle connection: told with the next exchange that ends */
	struct transfer *transfers; /* on their way */
	struct plain *idle;         /* plain connections for the next request */
};

/* Gives up: closes what the transfer has open. */
typedef void transfer_stop(struct transfer *transfer);

struct transfer {
	struct client *client;
	const struct request *request;
	struct exchange *exchange;
	struct answer answer;
	struct timer within;
	struct buf sent; /* head, and at most HTTP_KEPT_START_BYTES of the body */
	size_t sent_head_bytes;
	curl_socket_t fd; /* that libcurl reads the answer from, once it does */
	bool done;
	transfer_stop *stop; /* NULL once nothing is open */
	void *way;           /* ordinary.c's, exact.c's or http2.c's own */
	struct transfer *next, **link;
};

/* What each way offers: starts the transfer, which may end at once. */
void ordinary_start(struct transfer *transfer);
void exact_start(struct transfer *transfer);
void http2_start(struct transfer *transfer);

/* Bytes went out; head tells which part of the request. */
void transfer_sent(struct transfer *transfer, bool head, struct slice bytes);

/* Ends it: see answer_end. Only the first call counts. The caller has closed or kept its connection. */
void transfer_end(struct transfer *transfer, enum failure failure, const char *text);

/* Sets what every connection of a client needs; true where the handle took all of it. */
bool client_set_up(struct client *client, CURL *easy);

#endif
