/*
 * load_thread: one thread of a run of load, and what the threads share without changing it. Only load*.c see this.
 *
 * A thread owns an engine, groups of connections (load_group.h), calls in them (load_call.h), random numbers and a
 * struct load_result. Its way (closed or open loop) says when to send the next request; load_record.c counts.
 */
#ifndef HTTP_LOAD_THREAD_H
#define HTTP_LOAD_THREAD_H

#include <curl/curl.h>
#include <pthread.h>

#include "http/engine.h"
#include "http/load.h"
#include "http/load_series.h"
#include "load/mix.h"

struct load_thread;
struct load_call;
struct load_group;
struct load_socket;

/* Behind it all threads wait until each of them is there, for a share of the load alone would be another load. */
struct load_gate {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	enum { LOAD_GATE_SHUT, LOAD_GATE_OPEN, LOAD_GATE_GIVEN_UP } state;
};

/* The same for all threads. load_setup.h makes it. */
struct load_setup {
	const struct load_plan *plan;
	const struct load_way *way;
	struct arena *arena;
	CURLU *url;
	struct curl_slist *resolve;  /* or NULL */
	struct curl_slist **headers; /* by kind of request */
	struct mix mix;
	size_t threads;
	size_t group_size; /* requests in flight of a group */
	size_t most;       /* requests in flight of all threads */
	int64_t dns_ns;    /* how long the look-up took; -1: none */
	/* By the monotonic clock. */
	int64_t start_ns;
	int64_t from_ns, to_ns; /* what is meant to start in between is measured */
	int64_t end_ns;         /* nothing new is sent from here on, but what waits for the bound */
	struct load_series *series;
	struct load_gate gate;
};

/* When requests are sent: load_users.c and load_arrivals.c. To add one: a file and its row in load_setup.c. */
struct load_way {
	void (*start)(struct load_thread *thread); /* thread->way is its own */
	void (*stop)(struct load_thread *thread);
	/* One of its calls has ended; rest: no connection could be made. */
	void (*ended)(struct load_thread *thread, const struct load_call *call, int64_t now_ns,
		bool rest);
	/* It sends no more. */
	bool (*over)(const struct load_thread *thread, int64_t now_ns);
};
extern const struct load_way load_users_way, load_arrivals_way;

struct load_thread {
	struct load_setup *setup; /* only its gate changes */
	size_t index;
	pthread_t id;
	struct engine *engine;
	struct rng rng;
	void *way;

	struct load_group **groups; /* grown as they are needed */
	size_t group_count;
	struct load_socket *
		*sockets; /* by descriptor; NULL where it never was one of this thread's */
	size_t socket_room;
	uint64_t connections; /* open */
	bool closing;         /* what is closed now the server has not ended */

	struct load_call *oldest, *newest; /* in flight, in the order of their sends */
	uint64_t in_flight;
	struct timer timeout; /* of the oldest */

	struct load_result *result;
	struct load_part part; /* of this second */
	struct hist *latencies;
	int64_t second; /* which it is */
	struct timer second_over, from, to;
	int64_t from_cpu_ns, to_cpu_ns;
	int64_t from_wait_ns, to_wait_ns;
	int64_t from_real_ns, to_real_ns; /* when those were read */
};

/* The index-th of the setup's threads; it runs nothing yet. RC_ENVIRONMENT: no descriptor for its engine. */
enum rc load_thread_init(struct load_thread *thread, struct load_setup *setup, size_t index,
	struct err *err) MUST_USE;
void load_thread_release(struct load_thread *thread);
/* What is in flight is given up: unanswered. */
void load_thread_end_calls(struct load_thread *thread);
/* Closes its connections; nothing is in flight. */
void load_thread_close_groups(struct load_thread *thread);
/* The thread's function: behind the gate it drives its share. self is a struct load_thread, the result NULL. */
void *load_thread_run(void *self);

/* How much of a total is this thread's: shares differ by 1 at most. */
uint64_t load_thread_share(const struct load_thread *thread, uint64_t total);

/* The index-th group, made now where need be; index is at most group_count. */
struct load_group *load_thread_group(struct load_thread *thread, size_t index);

/* Sees to it that the oldest call is given up once it has had its time. */
void load_thread_time(struct load_thread *thread);

/* How a call ended. */
struct load_end {
	int64_t now_ns;
	bool answered;
	enum load_failure failure; /* where it was not answered, but for unanswered */
	bool unanswered;           /* the run is over first */
	long status;               /* of an answer */
};

/* Of load_record.c: counts a call that was started, or has ended; the connections that it opened, too. */
void load_record_start(struct load_thread *thread, struct load_call *call);
void load_record_end(
	struct load_thread *thread, struct load_call *call, const struct load_end *end);

#endif
