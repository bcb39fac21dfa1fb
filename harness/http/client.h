/*
 * client: requests over one scope of connections: one session to one SUT. Requests of a client share its connections;
 * two clients never do.
 *
 * An engine is a thread's epoll set; its clients' transfers progress while any of them is waited for. Ordinary requests
 * go through libcurl multi (curl_multi_socket_action); its debug callback gives the bytes, which framing.c judges by
 * itself, and the socket is peeked at for surplus afterwards. HEAD, conditional requests and `raw` go over a plain
 * connection of the same client (libcurl connects it, TLS included, by CURLOPT_CONNECT_ONLY), because libcurl hides
 * what a server sends where nothing may come.
 *
 *	struct engine *engine = engine_new();
 *	struct client *client = client_new(engine, &options);
 *	struct exchange *x = client_exchange(client, &request);	 // never NULL; x->failure tells how it ended
 *	exchange_free(x);
 *	client_free(client);
 *	engine_free(engine);
 *
 * `raw` goes over a connection of its own; the exchange is its first final answer, and where its bytes hold several
 * requests, what follows is another answer and no surplus. A `close` or `reset` ends the exchange without a failure.
 * What comes on an idle connection is told with the next exchange (`unasked`). A request to a connection that turns out
 * to have been closed while idle is sent once more on a new one.
 *
 * libcurl is initialised by http_init() once, before any thread starts.
 */
#ifndef HTTP_CLIENT_H
#define HTTP_CLIENT_H

#include <stdbool.h>

#include "base/clock.h"
#include "http/connection.h"
#include "http/limits.h"
#include "model/exchange.h"

struct engine;
struct client;
struct transfer;

struct request_header {
	const char *name, *value; /* sent as they are: an empty value sends the field empty */
};

/* What `raw` sends, item by item. */
enum raw_kind { RAW_BYTES, RAW_PAUSE, RAW_CLOSE, RAW_RESET };
struct raw_item {
	enum raw_kind kind;
	struct slice bytes; /* RAW_BYTES: as sent, line ends included */
	int64_t pause_ns;
};

/* Sees an answer while it comes: inside engine_run, on the engine's thread. */
struct request_watch {
	void *self;
	void (*head)(void *self, int64_t now_ns); /* the final head is in */
	void (*content)(
		void *self, struct slice decoded, int64_t now_ns); /* valid during the call only */
};

/* A body that is read while it is sent. The descriptor is the caller's; nobody moves its offset. */
struct request_file {
	int fd;
	uint64_t bytes; /* of it are sent; one that turns out shorter is FAILURE_LOCAL */
};

struct request {
	const char *method, *target; /* the target as written, never normalised */
	const struct request_header
		*headers; /* all that is sent, but for Host (unless named here) and framing */
	size_t header_count;
	bool without_host;               /* a case that leaves Host out on purpose */
	struct slice body;               /* ptr NULL: none */
	const struct request_file *file; /* or NULL; in the place of body */
	bool fresh;                      /* `connection: new` */
	bool reads_json;                 /* keep up to HTTP_KEPT_JSON_BYTES */
	bool compared_json;              /* the same, for a later answer's sake */
	int64_t within_ns; /* from now on; CLOCK_NEVER where whoever started it ends it */
	const struct request_watch *watch; /* or NULL; must live until the transfer is taken */
	/* Where set, the request is these bytes: method and target are for people only. A HEAD among them is recognised. */
	const struct raw_item *raw;
	size_t raw_count;
};

enum rc http_init(struct err *err) MUST_USE;
/* "libcurl 7.88.1 · OpenSSL 3.0.17 · nghttp2 1.52.0 · zlib 1.2.13 · brotli 1.0.9 · zstd 1.5.4", of the arena. */
const char *http_versions(struct arena *arena);
const char *http_libcurl_version(void);

/* NULL with errno where the kernel gives no epoll descriptor. */
struct engine *engine_new(void) MUST_USE;
void engine_free(struct engine *engine);
/*
 * Once fd (an eventfd that nobody reads, so that one write stops every engine) is readable, no wait goes on: engine_run
 * returns RC_CLOSED, and transfer_take gives its transfer up with FAILURE_LOCAL. RC_ENVIRONMENT.
 */
enum rc engine_interrupt(struct engine *engine, int fd, struct err *err) MUST_USE;
/* Lets every transfer progress until done(self) or the deadline; RC_TIMEOUT then. */
enum rc engine_run(
	struct engine *engine, bool (*done)(void *self), void *self, int64_t deadline_ns) MUST_USE;

/* The options are copied. The engine must outlive the client. */
struct client *client_new(struct engine *engine, const struct client_options *options) MUST_USE;
void client_free(struct client *client);

/* Starts a request; what it points to must live until transfer_take. */
struct transfer *client_start(struct client *client, const struct request *request) MUST_USE;
bool transfer_done(const struct transfer *transfer);
/* Waits for the end and hands the exchange over; the transfer is gone. */
struct exchange *transfer_take(struct transfer *transfer) MUST_USE;
/* The same at once: what is not complete is given up, which is no failure of the answer. */
struct exchange *transfer_leave(struct transfer *transfer) MUST_USE;
/* client_start and transfer_take. */
struct exchange *client_exchange(struct client *client, const struct request *request) MUST_USE;

#endif
