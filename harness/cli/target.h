/*
 * target: the URL of --target.
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include "base/arena.h"
#include "drive/run.h"

/* "http://127.0.0.1:8080", "https://[::1]/". Texts of the arena. RC_USAGE: another scheme, a path, no host. */
enum rc target_parse(
	const char *url, struct arena *arena, struct target *target, struct err *err) MUST_USE;

/*
 * HOST:PORT:ADDRESS of --resolve, as libcurl takes it: an IPv6 host or address may have brackets, and there may be several
 * addresses with commas between. RC_USAGE: what libcurl would pass over in silence.
 */
enum rc target_check_resolve(const char *text, struct err *err) MUST_USE;

/* Connects once, TLS included, and hangs up: RC_ENVIRONMENT where nobody is there, so that no case can be judged. */
enum rc target_reach(const struct run *run, struct err *err) MUST_USE;

#endif
