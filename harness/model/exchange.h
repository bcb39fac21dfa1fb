/*
 * exchange: one request and what came back, as http/ saw it and expect/ judges it. Data only.
 *
 * All memory is of `arena`, which the exchange owns; http/ fills it, drive/ frees it by exchange_free().
 * Times are of the monotonic clock in ns; 0 stands for "did not happen".
 */
#ifndef MODEL_EXCHANGE_H
#define MODEL_EXCHANGE_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/slice.h"

struct header {
	struct slice name, value; /* the value without the white space around it */
};

struct headers {
	struct header *list; /* in arrival order, one entry a line */
	size_t count;
};

/* wire: as sent, behind the head. dechunked: without the transfer coding. decoded: without content codings. */
enum layer_name { LAYER_WIRE, LAYER_DECHUNKED, LAYER_DECODED, LAYER_COUNT };

struct layer {
	uint64_t bytes;    /* whole length */
	struct slice kept; /* all of it where whole, else its start */
	bool whole;        /* kept holds everything */
	struct digest
		digest; /* of everything, ended; layers that are equal by construction share one */
};

/* How an answer broke RFC 9112, or RFC 9113. name is a word of the table in http/framing.h, text says what and where. */
struct violation {
	const char *name, *text;
};

enum failure {
	FAILURE_NONE,
	FAILURE_REFUSED, /* the connection was refused or the name did not resolve */
	FAILURE_RESET,   /* reset by the other side */
	FAILURE_CLOSED,  /* closed before the answer was complete */
	FAILURE_TIMEOUT, /* outlasted `within` */
	FAILURE_FRAMING, /* bytes that are not HTTP/1.x */
	FAILURE_LIMIT,   /* a cap was reached: head, body or decompression */
	FAILURE_TLS,
	FAILURE_LOCAL, /* onus itself could not: descriptors, ports, memory */
};

struct timing {
	int64_t start_ns;      /* before the connection was asked for */
	int64_t sent_ns;       /* the last byte of the request was handed to the kernel */
	int64_t headers_ns;    /* the empty line behind the final head was read */
	int64_t first_byte_ns; /* of the answer */
	int64_t end_ns;        /* the answer was complete, or given up */
};

struct exchange {
	struct arena *arena;

	/* The request. */
	const char *method, *target;
	const char *origin; /* "http://127.0.0.1:1234" */
	struct slice sent;  /* head as sent, and the body where it is at most 64 KiB */
	uint64_t sent_body_bytes;

	/* The answer; status 0 where there was none. */
	int status;
	int version; /* 10, 11, or 20 of HTTP/2, which has no reason and no transfer coding */
	struct slice reason;
	struct slice head; /* as received, from the status line through the empty line */
	struct headers headers, trailers;
	size_t interim; /* how many 1xx answers came first */
	struct layer layers[LAYER_COUNT];
	bool chunked;    /* the final transfer coding was chunked */
	bool has_length; /* Content-Length was sent and is a number */
	uint64_t length;
	const char *
		coding; /* Content-Encoding: all lines, lower case, joined by ", "; NULL where absent */
	const char *coding_error; /* why the body could not be decoded, or NULL */
	const char *
		magic; /* a coding whose magic number the decoded body still starts with, or NULL */

	struct violation *violations;
	size_t violation_count;

	bool reused; /* went over a connection that had served before */
	bool closed; /* the server closed it behind the answer, or asked to */
	struct timing timing;

	/* Of a stream of events that was watched, else 0 and NULL. */
	size_t events;
	int64_t gap_max_ns;        /* the longest silence behind the head */
	const char *last_event_id; /* what a client that comes back would send */

	enum failure failure;
	const char *failure_text; /* what happened, for people; NULL with FAILURE_NONE */
};

void exchange_free(struct exchange *exchange);

/* All lines of the field joined by ", " as RFC 9110 section 5.3 has it (of exchange's arena); NULL where absent. */
const char *exchange_header(const struct exchange *exchange, const char *name);
size_t exchange_header_lines(const struct exchange *exchange, const char *name);

#endif
