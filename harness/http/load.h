/*
 * load: one run of load against one address: as many threads as asked for, each with its own epoll set, libcurl multi
 * handles, histograms and random numbers, merged once all have ended. It prints nothing, knows no case format and
 * judges nothing: a plan goes in, a struct load_result comes out.
 *
 *	struct load_result *result;
 *	if (load_run(&plan, &result, &err) != RC_OK) ...	// nothing was sent
 *	hist_quantile(result->hists[LOAD_SERVICE], 0.99);
 *	load_result_free(result);
 *
 * The run in time, from its start: warm-up, measure, tail; then nothing new is sent and what is in flight is waited for
 * (drain). Load is driven in all three; percentiles, phases and the measured counts are of the requests that were meant
 * to start while it measures. Schedules count from the start of the run, so a ramp belongs into the warm-up.
 *
 * A closed loop has users: each sends, waits for the whole answer, thinks, sends again, over a connection of its own
 * (HTTP/2: a stream of its own). Behind a connection that could not be made its user rests for LOAD_REST_NS. An open loop
 * has a schedule, which the threads share out among them, and at most max_in_flight requests at a time: one that is due
 * while that many are in flight waits, and its wait is part of its response time and its send lag.
 *
 * Requests carry exactly the headers named, plus Host and framing. Redirects are answers. A request that meets a
 * connection which the server closes at that moment is not sent again: that is LOAD_RESET_IDLE. (Over HTTP/2 one that the
 * server refused unseen is: `resent`.) Contents are never decoded by libcurl.
 */
#ifndef HTTP_LOAD_H
#define HTTP_LOAD_H

#include "http/client.h"
#include "http/load_result.h"
#include "load/arrival.h"
#include "load/users.h"

#define LOAD_REST_NS (100 * NS_PER_MS)

/* One kind of request. expected_* judge answers, which stay answers: load_counts' unexpected_*. */
struct load_request {
	const char *method, *target;
	const struct request_header *headers;
	size_t header_count;
	struct slice body;           /* ptr NULL: none */
	double weight;               /* above 0; 1 where there is one kind */
	int expected_status;         /* 0: any of 200 to 399; 1 to 5: any of that class, 2xx */
	const char *expected_coding; /* of the content: "gzip"; "identity": none; NULL: any */
	bool must_be_coded;          /* any but none */
};

enum load_model { LOAD_CLOSED, LOAD_OPEN };

/* Everything it points to must live until load_run returns. */
struct load_plan {
	struct client_options address; /* a name is resolved once, before the run */
	const struct load_request *requests;
	size_t request_count;

	enum load_model model;
	struct users_plan
		users; /* LOAD_CLOSED; the share is this run's, and shared out among the threads */
	struct arrival_plan arrival; /* LOAD_OPEN; the same */
	size_t max_in_flight;        /* LOAD_OPEN: at least 1 */

	int64_t warm_up_ns, measure_ns, tail_ns;
	uint64_t
		measure_requests; /* not 0: that many are sent behind the warm-up, within measure_ns, and no tail */
	int64_t timeout_ns; /* of a request, from its send; at least 1 ms */
	int64_t drain_ns;   /* at least timeout_ns lets every request end by itself */

	size_t threads; /* at least 1; no more are used than there are users or requests in flight */
	size_t streams;      /* of HTTP/2, for each connection; 0: 1 */
	size_t buffer_bytes; /* of libcurl's, for each request in flight; 0: 16 KiB; at least 1 KiB */
	bool decode;         /* take chunked and the content coding off and count what comes out */
	uint64_t seed;

	int stop_fd; /* -1, or an eventfd that nobody reads: once it is readable, the run ends at once */
	/* Called from load_run, on its caller's thread, once for each second that is over, in order; or NULL. */
	void (*second)(void *self, const struct load_second *second);
	void *self;
};

/*
 * Runs it. RC_USAGE: the plan can't be; RC_ENVIRONMENT: the name does not resolve, or there are too few descriptors (err
 * says how many connections are possible); nothing was sent then and *result is NULL. Whatever the server does is no
 * error. On return all threads and connections are gone, at most drain_ns behind the end of the plan. The soft limit
 * of descriptors is raised as far as needed and put back.
 */
enum rc load_run(
	const struct load_plan *plan, struct load_result **result, struct err *err) MUST_USE;

#endif
