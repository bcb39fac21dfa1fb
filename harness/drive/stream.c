#include "drive/stream.h"

#include <stdlib.h>

#include "http/client.h"
#include "sse/sse.h"

void stream_init(struct stream *stream, struct case_run *c, const struct step *step)
{
	*stream = (struct stream){
		.step = step, .arena = arena_new(), .parser = sse_new(SSE_MAX_BYTES)
	};
	stream->outer = c->stream;
	c->stream = stream;
}

void stream_release(struct stream *stream)
{
	sse_free(stream->parser);
	free(stream->events);
	arena_free(stream->arena);
	stream->parser = NULL;
	stream->arena = NULL;
}

/* Types and ids are mostly those of the event before, whose copy then serves both. */
static struct slice keep(struct stream *stream, struct slice bytes, struct slice before)
{
	if (before.ptr && slice_equal(bytes, before))
		return before;
	stream->bytes += bytes.len;
	return slice_from(arena_slice(stream->arena, bytes), bytes.len);
}

static void add(struct stream *stream, const struct sse_event *event, int64_t now_ns)
{
	if (stream->count == STREAM_EVENTS_MAX || stream->bytes > STREAM_BYTES_MAX) {
		stream->broken =
			arena_print(stream->arena, "more than %d events or %d bytes of them",
				STREAM_EVENTS_MAX, STREAM_BYTES_MAX);
		return;
	}
	if (stream->count == stream->room) {
		stream->room = stream->room ? stream->room * 2 : 4;
		stream->events = mem_grow(stream->events, stream->room, sizeof *stream->events);
	}
	struct event before = { 0 };
	if (stream->count)
		before = stream->events[stream->count - 1];
	stream->events[stream->count++] =
		(struct event){ .type = keep(stream, event->type, before.type),
			.data = keep(stream, event->data, before.data),
			.id = keep(stream, event->id, before.id),
			.at_ns = now_ns };
}

static void on_head(void *self, int64_t now_ns)
{
	struct stream *stream = self;
	stream->head_ns = stream->last_ns = now_ns;
}

static void on_content(void *self, struct slice bytes, int64_t now_ns)
{
	struct stream *stream = self;
	struct sse_event event;
	struct err err = { 0 };
	if (now_ns - stream->last_ns > stream->gap_max_ns)
		stream->gap_max_ns = now_ns - stream->last_ns;
	stream->last_ns = now_ns;
	if (stream->broken)
		return;
	sse_push(stream->parser, bytes);
	enum rc rc;
	while ((rc = sse_next(stream->parser, &event, &err)) == RC_OK)
		if (event.kind == SSE_EVENT && !stream->broken)
			add(stream, &event, now_ns);
	if (rc != RC_NOT_FOUND)
		stream->broken = arena_text(stream->arena, err.text);
}

struct request_watch stream_watch(struct stream *stream)
{
	return (struct request_watch){ .self = stream, .head = on_head, .content = on_content };
}

int64_t stream_gap_max(const struct stream *stream, int64_t end_ns)
{
	int64_t last = stream->head_ns ? end_ns - stream->last_ns : 0;
	return last > stream->gap_max_ns ? last : stream->gap_max_ns;
}

bool stream_over(const struct stream *stream)
{
	return stream->broken || !stream->transfer || transfer_done(stream->transfer);
}
