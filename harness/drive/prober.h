/*
 * prober: a thread that sends one request again and again by a fixed schedule, whether or not earlier ones were
 * answered, and keeps when each was due, sent and answered. What the times mean is for silence.h and stats/ to say.
 *
 * It has an engine and connections of its own, so that nothing that else is done here delays it; it asks the kernel for
 * a better priority, and goes on without. At PROBER_OPEN_MAX unanswered ones, or as many as a quarter of the descriptors,
 * it sends no more until one is answered.
 *
 *	struct prober *prober;
 *	rc = prober_start(&options, &prober, &err);
 *	... prober_answered(prober) ...
 *	const struct prober_result *result = prober_stop(prober);	 // waits for what is unanswered, at most `within_ns` of each
 *	... result->samples[0 .. result->count - 1] ...
 *	prober_free(prober);
 */
#ifndef DRIVE_PROBER_H
#define DRIVE_PROBER_H

#include "drive/silence.h"
#include "http/client.h"

enum { PROBER_OPEN_MAX = 1000, PROBER_SAMPLES_MAX = 1000 * 1000 };

struct prober_options {
	const struct client_options *address;
	const struct request *request; /* of as long a life as the prober; its within_ns is kept */
	int64_t every_ns;
	int stop_fd; /* see engine_interrupt; below 0: none */
};

/* What there is once it has stopped. */
struct prober_result {
	struct probe_sample *samples; /* by their ends */
	size_t count;
	const struct exchange *first; /* the first that came to an end; NULL where none did */
	/* The first that failed or had another status than that; or NULL. */
	const struct exchange *odd;
	bool full; /* after PROBER_SAMPLES_MAX no more were sent */
};

struct prober;

/* The first is due at once. RC_ENVIRONMENT: no thread, no descriptor; *prober is not set then. */
enum rc prober_start(
	const struct prober_options *options, struct prober **prober, struct err *err) MUST_USE;

/* How many were answered so far, by whatever status; from any thread. */
size_t prober_answered(const struct prober *prober);

/* Sends no more and waits for the rest. What is returned lives as long as the prober. */
const struct prober_result *prober_stop(struct prober *prober);

/* Stops it where it runs. NULL is allowed. */
void prober_free(struct prober *prober);

#endif
