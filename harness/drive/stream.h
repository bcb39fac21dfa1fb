/*
 * stream: an event stream while its steps run: its events in arrival order, decoded as the bytes come in.
 *
 * A gzip stream that holds events back is seen as events that come late, because only decoded bytes make events.
 */
#ifndef DRIVE_STREAM_H
#define DRIVE_STREAM_H

#include "drive/case_run.h"
#include "model/event.h"

struct sse;

enum { STREAM_COUNT_MAX = 4000 };
enum { STREAM_EVENTS_MAX = 100 * 1000, STREAM_BYTES_MAX = 64 * 1024 * 1024 };

struct stream {
	struct stream *outer; /* the stream around it, or NULL */
	struct stream *next;  /* of the same step, or NULL */
	const struct step *step;
	struct transfer *transfer; /* NULL once it was taken */
	struct arena *arena;       /* of the events */
	struct sse *parser;
	struct event *events;
	size_t count, room, bytes;
	int64_t head_ns;             /* 0 while the head is not in */
	int64_t last_ns, gap_max_ns; /* of bytes, comments included; see stream_gap_max() */
	const char *broken;          /* what ended the parsing, in words; NULL while nothing has */
};

void stream_init(struct stream *stream, struct case_run *c, const struct step *step);
void stream_release(struct stream *stream);

/* What a request of a stream has set as its watch. */
struct request_watch stream_watch(struct stream *stream);

/* The longest silence behind the head, the one that still ran at end_ns included; 0 where no head came. */
int64_t stream_gap_max(const struct stream *stream, int64_t end_ns);

/* It ended, or what came is no event stream: no more events will come. */
bool stream_over(const struct stream *stream);

#endif
