/*
 * multi: a libcurl multi handle on an engine: curl_multi_socket_action fed by its epoll set and one of its timers.
 *
 * Each easy handle added carries a struct multi_job, by which its owner hears of it.
 */
#ifndef HTTP_MULTI_H
#define HTTP_MULTI_H

#include <curl/curl.h>

#include "http/engine.h"

struct multi {
	struct engine *engine;
	CURLM *handle;
	struct timer timer;
};

/* All callbacks run inside engine_run; the job must stay where it is until multi_remove. */
struct multi_job {
	void *self;
	void (*readable)(void *self, curl_socket_t fd); /* before libcurl reads; may be NULL */
	void (*done)(void *self, CURLcode result);      /* it is for the owner to multi_remove */
};

/* streams: requests may share a connection, as HTTP/2 has it. */
void multi_init(struct multi *multi, struct engine *engine, bool streams);
/* Every easy handle must have been removed; closes the idle connections. */
void multi_release(struct multi *multi);

/* Of epoll in libcurl's words (CURL_CSELECT_…), and what libcurl wants (CURL_POLL_…) in those of epoll. */
int multi_mask(uint32_t events);
uint32_t multi_events(int what);

enum rc multi_add(struct multi *multi, CURL *easy, struct multi_job *job) MUST_USE;
void multi_remove(struct multi *multi, CURL *easy);

#endif
