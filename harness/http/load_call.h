/*
 * load_call: a request of a load on its way: an easy handle of one kind of request, used again and again.
 */
#ifndef HTTP_LOAD_CALL_H
#define HTTP_LOAD_CALL_H

#include "http/load_body.h"
#include "http/load_group.h"

enum { LOAD_CODING_BYTES = 64 };

struct load_call {
	struct load_thread *thread;
	struct load_group *group;
	size_t kind;
	CURL *easy;
	struct load_call *next_idle;       /* of the group and kind */
	struct load_call *older, *younger; /* in flight */

	/* Of the present request. */
	void *user;          /* the way's */
	int64_t intended_ns; /* 0 in a closed loop */
	int64_t start_ns;    /* given to libcurl */
	int64_t sent_ns;     /* a connection was there; 0 before */
	int64_t first_ns;    /* the first status line; 0 before */
	uint64_t wire_bytes;
	bool measured;
	bool gone;       /* the connection was ended under it: it is not sent again */
	bool says_close; /* Connection: close */
	bool knows;      /* told of HTTP/2 by prior knowledge: load_group_version */
	bool must_know;  /* it connects, and was not told */
	bool undecodable;
	bool headed; /* the empty line behind the last status line is there */
	bool has_body;
	long socket_errno;
	struct load_body body;
	size_t coding_len;              /* 0: no Content-Encoding */
	char coding[LOAD_CODING_BYTES]; /* ended by NUL; all lines */
	char error[CURL_ERROR_SIZE];
};

/* Sends a request of that kind over a connection of the group, which must have room. user: for way->ended. */
void load_call_start(struct load_group *group, size_t kind, int64_t intended_ns, void *user);
/* It has ended by libcurl's word. */
void load_call_done(struct load_call *call, CURLcode result);
/* It has ended, or is given up: timed out, or unanswered. Then the way has its turn. */
void load_call_end(struct load_call *call, const struct load_end *end);

/* Frees the handles of a group, of which none is in flight. */
void load_call_free_idle(struct load_group *group);

/* Of load_handle.c: tells call->easy all of its kind; whether this libcurl takes what the plan asks for. */
bool load_handle_set(struct load_call *call, const struct load_setup *setup) MUST_USE;
bool load_handle_possible(const struct load_setup *setup);

/* Of load_failure.c. */
enum load_failure load_failure_of(const struct load_call *call, CURLcode result);
enum load_failure load_failure_of_timeout(const struct load_call *call);

#endif
