/*
 * connection: how a server is reached and spoken to. Contract requests and load share it: the address, TLS and who the
 * client is by it, a Unix socket, the line of a PROXY in front, and which HTTP is spoken.
 *
 *	const struct client_options options = { .scheme = "https", .host = "localhost", .port = 8443,
 *		.protocol = PROTOCOL_HTTP2, .certificate = "user.pem", .key = "user.key" };
 */
#ifndef HTTP_CONNECTION_H
#define HTTP_CONNECTION_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/slice.h"

enum protocol {
	PROTOCOL_HTTP1,
	PROTOCOL_HTTP2,  /* over TLS, by ALPN; an answer of HTTP/1.1 all the same is a violation */
	PROTOCOL_HTTP2C, /* without TLS, by prior knowledge: RFC 9113 section 3.3 */
};

/*
 * The least CURLOPT_BUFFERSIZE over HTTP/2: libcurl 7.88 reads 32 KiB of frames at once, and of what then does not fit into
 * a smaller buffer it waits for the socket to tell, which has nothing more.
 */
enum { CONNECTION_HTTP2_BUFFER_BYTES = 65536 };

struct client_options {
	const char *scheme; /* "http" or "https" */
	const char *host;   /* name or address as it goes into Host and the certificate check */
	int port;
	const char *cacert; /* PEM file, or NULL for the system's */
	bool insecure;      /* don't verify */
	const char *const
		*resolve; /* "HOST:PORT:ADDRESS" as curl --resolve, ended by NULL; or NULL */
	enum protocol protocol;
	const char *unix_path;         /* or NULL: a socket to connect to instead */
	bool proxy_line;               /* PROXY protocol v1 in front of each connection */
	const char *certificate, *key; /* PEM files of the client's, or NULL */
};

/* What can be told without connecting: RC_USAGE, protocol and scheme; RC_ENVIRONMENT, a file that can't be read. */
enum rc connection_check(const struct client_options *options, struct err *err) MUST_USE;

/*
 * Tells a handle all but scheme, host, port and resolve, which stand in its URL and lists. The texts must live as long as
 * the handle does. True where libcurl took all of it.
 */
bool connection_set(CURL *easy, const struct client_options *options) MUST_USE;

/*
 * libcurl 7 begins HTTP/2 anew on a connection that it is told of by prior knowledge, also where it speaks HTTP/2 already
 * (its issue 10634); false there: only a request that is to connect may be told. Cheap, and any thread may ask.
 */
bool connection_prior_knowledge_holds(void);

/* An address, an IPv6 one maybe in brackets, and no name that would have to be looked up. */
bool connection_is_address(struct slice host);

/* "http/1.1", "h2", "h2c": as suites write it. */
const char *protocol_name(enum protocol protocol);
/* False where no protocol has the name. */
bool protocol_find(const char *name, enum protocol *protocol);

#endif
