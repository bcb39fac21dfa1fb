/*
 * connect: the options that say how a server is spoken to (--http2, --cert, --unix-socket, ...), which `onus run --target`
 * and `onus load` share. Nothing is connected to.
 *
 *	struct client_options address = { .scheme = "https", .host = "h", .port = 443 };
 *	if (connect_read(&options, &address, &err) != RC_OK) ...
 */
#ifndef CLI_CONNECT_H
#define CLI_CONNECT_H

#include "cli/options.h"
#include "http/connection.h"

/*
 * Adds them to the address, whose scheme is set. RC_USAGE with the option as err's `where`: two that exclude each other,
 * or that the scheme does not allow; RC_ENVIRONMENT: a file that can't be read.
 */
enum rc connect_read(
	const struct options *options, struct client_options *address, struct err *err) MUST_USE;

/* The first of them that is given and means nothing without a target, or NULL. */
const char *connect_given(const struct options *options);

/* All that are given, as they stand on a command line, each behind a space; of the options' arena. */
const char *connect_again(const struct options *options);

/*
 * HOST:PORT:ADDRESS of --resolve, as libcurl takes it: an IPv6 host or address may have brackets, and there may be several
 * addresses with commas between. RC_USAGE: what libcurl would pass over in silence.
 */
enum rc connect_check_resolve(const char *text, struct err *err) MUST_USE;

#endif
