/*
 * load_urls: the URLs of `onus load`: requests to one server, each with a weight. Not target.h, whose URL has no path.
 *
 *	http://127.0.0.1:8080/a?b=1	3*https://[::1]/	0.5*http://h/rare
 *
 * The target is sent as written, never normalised; a fragment is not part of it. Without a path it is "/".
 */
#ifndef CLI_LOAD_URLS_H
#define CLI_LOAD_URLS_H

#include <stdbool.h>

#include "base/arena.h"

enum { LOAD_URLS_MAX = 256 };

struct load_url {
	const char *target; /* "/a?b=1" */
	double weight;      /* above 0; 1 where none is written */
};

struct load_urls {
	bool tls;
	const char *scheme, *host; /* host as it stands in the URL: "[::1]" */
	int port;
	struct load_url list[LOAD_URLS_MAX];
	size_t count;
};

/* Texts of the arena. RC_USAGE: no URL, another scheme, or another server than those before: err says so. */
enum rc load_urls_add(
	struct load_urls *urls, const char *text, struct arena *arena, struct err *err) MUST_USE;

/* One a line; lines that are empty or begin with # are none. RC_USAGE: also where there is none at all. */
enum rc load_urls_add_lines(
	struct load_urls *urls, struct slice text, struct arena *arena, struct err *err) MUST_USE;

#endif
