/*
 * load_result: what a run of load has found: counts, histograms and seconds, of one thread or merged. Data, and their
 * merge without loss; load.h says how a run goes.
 *
 * Every request that was sent is in one of three counts, whenever it was sent: sent = answered + the sum of
 * failed[] + unanswered. load_counts_add_up() tells whether that holds.
 */
#ifndef HTTP_LOAD_RESULT_H
#define HTTP_LOAD_RESULT_H

#include <stdbool.h>

#include "base/err.h"
#include "model/measure.h"
#include "stats/hist.h"

/* To add one: a word here, its row in load_failure.c at the same place, and a test that provokes it. */
enum load_failure {
	LOAD_REFUSED,
	LOAD_RESET_IDLE,
	LOAD_RESET,
	LOAD_CLOSED_EARLY,
	LOAD_TIMEOUT_CONNECT,
	LOAD_TIMEOUT_HEAD,
	LOAD_TIMEOUT_BODY,
	LOAD_FRAMING,
	LOAD_TLS,
	LOAD_RESOLVE,
	LOAD_LOCAL,
	LOAD_FAILURE_COUNT
};

/* code is of two letters, where HAProxy has one for it its own: the manual's table. */
struct load_failure_kind {
	const char *name, *code, *help;
};
/* Row by index (an enum load_failure), NULL behind the last. */
const struct load_failure_kind *load_failure_at(size_t index);

/*
 * Durations of answered requests in ns, meant to start while it measured; LOAD_RESPONSE, LOAD_SERVICE and LOAD_SEND_LAG
 * hold those that timed out too, with their time-out as the duration (`censored`), since leaving them out would flatter.
 */
enum load_hist {
	LOAD_RESPONSE, /* open loop: end - intended start, of all: also over new connections */
	LOAD_SERVICE,  /* end - send, over a connection that had served before */
	LOAD_SEND_LAG, /* open loop: send - intended start */
	LOAD_FIRST,    /* end - send of the first request of each connection, connecting included */
	LOAD_DNS,      /* the one look-up of the run, if there was one */
	LOAD_CONNECT,  /* of each connection that carried a request: TCP, or the Unix socket */
	LOAD_TLS_TIME, /* of each: the handshake */
	LOAD_FIRST_BYTE, /* send to the status line, reused connections */
	LOAD_LAST_BYTE,  /* status line to the end, reused connections */
	LOAD_HIST_COUNT
};
const char *load_hist_name(enum load_hist which); /* "response", "tls" */

struct load_counts {
	uint64_t sent, answered, unanswered; /* unanswered: still in flight at the end */
	uint64_t failed[LOAD_FAILURE_COUNT];
	uint64_t statuses[6];         /* of the answered: [2] is 2xx; [0] any other */
	uint64_t unexpected_statuses; /* of the answered */
	uint64_t unexpected_codings;  /* of the answered */
	uint64_t undecodable;         /* of the answered, where decode was asked for */
	uint64_t coded; /* of the answered: with a Content-Encoding other than identity */
	uint64_t
		wire_bytes; /* all bytes of answers: heads and bodies as sent, behind TLS and HTTP/2 */
	uint64_t decoded_bytes; /* where asked for */
};

/* Of one kind of request, in the whole run: what was not as the request has it. */
struct load_kind {
	uint64_t answered, unexpected_statuses, unexpected_codings;
};

/* What one thread of the generator cost. */
struct load_cpu {
	int64_t cpu_ns;          /* user and system, from its start to its end */
	int64_t measured_cpu_ns; /* of it, while it measured */
	int64_t measured_ns;     /* how long that was */
	int64_t measured_wait_ns; /* of that, ready and without a processor; 0 where the kernel does not tell */
};

/* One second of the run, all threads. Latencies are of what ended in it: response (open) or service time (closed). */
struct load_second {
	int64_t at_s; /* which: 0 is the first */
	uint64_t sent, answered, failed, wire_bytes;
	uint64_t connections;        /* open at its end */
	uint64_t connections_opened; /* within it */
	uint64_t in_flight;          /* at its end */
	int64_t p50_ns, p99_ns;      /* 0 where nothing ended */
	int64_t first_byte_mean_ns;  /* 0 likewise */
	bool measured;               /* all of it was between warm-up and tail */
};

struct load_result {
	struct load_counts all;      /* of the whole run */
	struct load_counts measured; /* of the requests meant to start while it measured */
	struct hist *hists[LOAD_HIST_COUNT];
	uint64_t censored; /* time-outs in the histograms */
	uint64_t
		bound_hits; /* open loop: requests that waited since max_in_flight were in flight */
	uint64_t
		bound_hits_own; /* of these: the wait is mostly the generator's, which was held up */
	uint64_t unsent;        /* open loop: due, but never sent before the drain was over */
	uint64_t resent;        /* by libcurl over HTTP/2: the server had refused them unseen */
	uint64_t
		connections_opened; /* and ready for a request: TLS agreed on, where there is any */
	uint64_t connections_ended_by_server;
	uint64_t in_flight_max;  /* of one thread, added up over threads */
	bool partial;            /* stopped before its end */
	int64_t start_ns;        /* by the monotonic clock */
	int64_t ran_ns;          /* from the start to the end of the last thread */
	int64_t measured_ns;     /* how long it measured */
	struct load_kind *kinds; /* by the plan's requests */
	size_t kind_count;
	struct load_cpu *threads;
	size_t thread_count;
	struct load_second *seconds;
	size_t second_count;
	const struct measures *
		sut; /* `sut.*`, of whoever sampled it while it was measured, who owns them; or NULL */
	const char *libcurl; /* its version: results of two are not compared */
};

/* Empty, with all histograms; adding is without loss. Threads are put one behind another; seconds are not added. */
struct load_result *load_result_new(void) MUST_USE;
void load_result_add(struct load_result *into, const struct load_result *from);
void load_result_free(struct load_result *result);

/* The sum of failed[]. */
uint64_t load_counts_failed(const struct load_counts *counts);
bool load_counts_add_up(const struct load_counts *counts);

#endif
