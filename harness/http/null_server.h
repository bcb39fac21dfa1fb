/*
 * null_server: a server that does as little as one can, in a process of its own: whatever the request, the same small
 * answer. Driven before a measurement, it shows what the generator itself can do at most; stopped by SIGSTOP, it shows
 * whether the generator notices. Not a fixture: nothing is tested against it but onus.
 *
 *	struct null_server server;
 *	if (null_server_start(&server, &err) != RC_OK) ...
 *	drive http://127.0.0.1:server.port/
 *	null_server_stop(&server);
 *
 * It speaks HTTP/1.1 without TLS, keeps connections, takes bodies with a Content-Length, and answers requests that come
 * at once one after the other. It ends with whoever started it, and is deaf to SIGINT.
 */
#ifndef HTTP_NULL_SERVER_H
#define HTTP_NULL_SERVER_H

#include <sys/types.h>

#include "base/err.h"

#define NULL_SERVER_BODY "ok"

struct null_server {
	pid_t pid;
	int port; /* of 127.0.0.1; connections are taken from now on */
};

/* Forks, so that no thread may run yet. RC_ENVIRONMENT. */
enum rc null_server_start(struct null_server *server, struct err *err) MUST_USE;
/* Ends it at once, also where it is stopped, and waits for that. */
void null_server_stop(struct null_server *server);

#endif
