/*
 * target: the URL of --target.
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "base/arena.h"
#include "http/connection.h"

/* Scheme, host and port of "http://127.0.0.1:8080", "https://[::1]/". Texts of the arena. RC_USAGE: another scheme, a path, no host. */
enum rc target_parse(const char *url, struct arena *arena, struct client_options *target,
	struct err *err) MUST_USE;

/* Connects once, TLS included, and hangs up: RC_ENVIRONMENT where nobody is there, so that no case can be judged. */
enum rc target_reach(const struct client_options *target, struct err *err) MUST_USE;

#endif
