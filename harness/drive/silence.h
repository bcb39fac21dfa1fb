/*
 * silence: how long a server that was probed did not answer. Pure: samples in, durations out.
 *
 * It is silent while some probe is unanswered and no answer to one comes. What onus itself was late by is no silence of
 * the server's: the longest lag with which a probe was sent inside it is taken off. Whether a silence is too long is not
 * judged here.
 *
 * A server that holds its loop does so each time; a machine that was busy with something else does not. So of several
 * requests of one kind the middle one counts, while the longest silence is that of all of them.
 *
 *	silence_sort(samples, count);
 *	struct silence silence = silence_of(samples, count, requests);
 *	if (silence.label) ... silence.share_percent: silence.silent_ns of silence.request_ns
 */
#ifndef DRIVE_SILENCE_H
#define DRIVE_SILENCE_H

#include <stddef.h>
#include <stdint.h>

struct probe_sample {
	int64_t due_ns;  /* when the schedule had it sent */
	int64_t sent_ns; /* when it was */
	int64_t end_ns; /* its last byte, or FIN where that ends it; CLOCK_NEVER while unanswered */
};

/* A request during which the server must go on answering. */
struct busy {
	int64_t from_ns, to_ns;
	const char *label; /* "GET /x": those of one label are judged together */
	struct busy *next;
};

/* Samples by their ends, as silence_longest wants them. */
void silence_sort(struct probe_sample *samples, size_t count);

/* The longest silence between from_ns and to_ns. samples are sorted. */
int64_t silence_longest(
	const struct probe_sample *samples, size_t count, int64_t from_ns, int64_t to_ns);

struct silence {
	int64_t longest_ns;
	double share_percent; /* of the request it fell into; 0 below SILENCE_LEAST_MS */
	const char *label;    /* the one whose middle share that is; NULL where none was silent */
	int64_t request_ns, silent_ns; /* of that middle request */
};

enum { SILENCE_LEAST_MS = 20 };

/* Over all requests. samples are sorted. */
struct silence silence_of(
	const struct probe_sample *samples, size_t count, const struct busy *requests);

#endif
