#include <strings.h>

#include "case/option.h"
#include "drive/busy.h"
#include "drive/outgoing_request.h"
#include "drive/steps.h"
#include "drive/stream.h"
#include "drive/wait.h"
#include "http/client.h"
#include "sse/sse.h"

static bool head_or_over(void *self)
{
	const struct stream *stream = self;
	for (; stream; stream = stream->next)
		if (!stream->head_ns && !stream_over(stream))
			return false;
	return true;
}

/* When the last of the heads came in; 0 where one is missing. */
static int64_t heads_ns(const struct stream *stream)
{
	int64_t last_ns = 0;
	for (; stream; stream = stream->next) {
		if (!stream->head_ns)
			return 0;
		if (stream->head_ns > last_ns)
			last_ns = stream->head_ns;
	}
	return last_ns;
}

/* The head is waited for; then the steps run while the stream is open. */
static void run_steps(struct case_run *c, const struct walk_step *at, struct stream *stream,
	const struct judged *judged)
{
	int64_t before = c->deadline_ns, deadline = clock_now_ns() + judged->within_ns;
	if (wait_until(c, head_or_over, stream, deadline) != RC_OK || !heads_ns(stream))
		return;
	if (json_get(at->step->node, "within"))
		c->deadline_ns = deadline;
	c->sent_ns = heads_ns(stream);
	struct walker walker = { c, steps_visit, steps_broken, c->run->filters,
		c->run->filter_count };
	c->walk_rc =
		walk_steps(&walker, at->step->steps, at->step->step_count, at->scope, at->cell);
	c->deadline_ns = before;
}

/*
 * Some other answer: without events, and of no type that an EventSource would take (WHATWG HTML 9.2.2). What brings
 * events is a stream by whatever type; `headers` judges that.
 */
static bool is_no_stream(const struct stream *stream, const struct exchange *exchange)
{
	static const char TYPE[] = "text/event-stream";
	const char *type = exchange_header(exchange, "Content-Type");
	if (!stream->head_ns || stream->count)
		return false;
	return exchange->status == 204 || !type || strncasecmp(type, TYPE, sizeof TYPE - 1) != 0;
}

static const char *answer_words(struct case_run *c, const struct exchange *exchange)
{
	const char *type = exchange_header(exchange, "Content-Type");
	return arena_print(c->root.arena, "status %d, %s%s, no events", exchange->status,
		type ? "Content-Type " : "no Content-Type", type ? type : "");
}

static const char *end_words(
	struct case_run *c, const struct stream *stream, const struct exchange *exchange)
{
	return arena_print(c->root.arena, "it ended %lld ms after its head, with %zu event%s%s: %s",
		(long long)((exchange->timing.end_ns - stream->head_ns) / NS_PER_MS), stream->count,
		stream->count == 1 ? "" : "s",
		sse_in_event(stream->parser) ? ", in the middle of another" : "",
		exchange->failure_text ? exchange->failure_text : "a complete answer");
}

/* A stream that does not outlast its steps, or that brings no events that can be read. */
static void judge_end(struct case_run *c, const struct walk_step *at, const struct stream *stream,
	const struct judged *judged, bool ended)
{
	int64_t garbled = sse_not_utf8_at(stream->parser);
	const struct exchange *exchange = judged->exchange;
	if (stream->broken)
		judge_step_finding(c, at, "/stream", judged, "stream", "events", stream->broken);
	else if (is_no_stream(stream, exchange))
		judge_step_finding(c, at, "/stream", judged, "stream", "text/event-stream",
			answer_words(c, exchange));
	else if (ended && stream->head_ns)
		judge_step_finding(c, at, "/stream", judged, "stream",
			"to stay open until its steps are done", end_words(c, stream, exchange));
	if (garbled >= 0)
		judge_step_finding(c, at, "/stream", judged, "stream", "UTF-8",
			arena_print(c->root.arena, "bytes that are not UTF-8, at byte %lld",
				(long long)garbled));
}

/* The expectations of the request, then those of the step, both of the same answer. */
static bool judge_both(struct case_run *c, const struct walk_step *at, struct scope *scope,
	const struct judged *judged)
{
	struct walk_step inner = *at;
	inner.step = at->step->inner;
	bool holds = judge(c, &inner, scope, judged);
	struct judged again = *judged;
	again.again = true;
	return (!at->step->expect || judge(c, at, scope, &again)) && holds;
}

/* Of many streams that fail alike the first is told. */
static void finish(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct stream *stream, struct judged *judged, bool told)
{
	bool ended = transfer_done(stream->transfer);
	struct exchange *exchange =
		ended ? transfer_take(stream->transfer) : transfer_leave(stream->transfer);
	stream->transfer = NULL;
	exchange->gap_max_ns =
		stream_gap_max(stream, ended ? exchange->timing.end_ns : clock_now_ns());
	exchange->events = stream->count;
	exchange->last_event_id =
		arena_print(exchange->arena, "%.*s", SLICE_PRINT(sse_last_id(stream->parser)));
	if (!stream->head_ns && !ended)
		exchange->failure = FAILURE_TIMEOUT;
	if (!stream->head_ns && !ended)
		exchange->failure_text = arena_print(exchange->arena, "no head within %lld ms",
			(long long)(judged->within_ns / NS_PER_MS));
	judged->exchange = exchange;
	if (c->busy)
		busy_add(c->busy, exchange, NULL);
	c->tally.events += stream->count;
	if (!told) {
		judge_both(c, at, scope, judged);
		judge_end(c, at, stream, judged, ended);
	}
	if (at->step->name)
		steps_keep_named(c, at, exchange);
	else
		exchange_free(exchange);
}

/* Opens `count` streams of one request, the first of which stands for all. */
static struct stream *open_all(
	struct case_run *c, const struct walk_step *at, struct request *request, size_t count)
{
	struct stream *all = arena_alloc(c->root.arena, count, sizeof *all), *outer = c->stream;
	struct request_watch *watches = arena_alloc(c->root.arena, count, sizeof *watches);
	struct request *requests = arena_alloc(c->root.arena, count, sizeof *requests);
	for (size_t i = 0; i < count; i++) {
		stream_init(&all[i], c, at->step);
		all[i].outer = outer;
		all[i].next = i + 1 < count ? &all[i + 1] : NULL;
		watches[i] = stream_watch(&all[i]);
		requests[i] = *request;
		requests[i].watch = &watches[i];
		requests[i].within_ns = CLOCK_NEVER;
		all[i].transfer = client_start(case_run_client(c, at->step->inner), &requests[i]);
		c->tally.requests++;
	}
	c->stream = all;
	return all;
}

static enum rc read_options(struct case_run *c, const struct walk_step *at, struct scope *scope,
	struct request *request, struct judged *judged, size_t *count, struct err *err)
{
	enum rc rc = outgoing_request(c, at->step->inner, scope, request, &judged->details, err);
	if (rc == RC_OK)
		rc = outgoing_resume(c, at, scope, request, err);
	if (rc == RC_OK)
		rc = steps_within(c, at, scope, 10 * NS_PER_S, &judged->within_ns, err);
	if (rc == RC_OK)
		rc = option_count(scope, at->step, "count", 1, count, err);
	if (rc == RC_OK && (!*count || *count > STREAM_COUNT_MAX || (*count > 1 && at->step->name)))
		rc = err_set(err, RC_USAGE, "",
			"count: expected 1 to %d, and 1 for a stream with a name",
			STREAM_COUNT_MAX);
	return rc;
}

bool step_stream(struct case_run *c, const struct walk_step *at, struct scope *scope)
{
	struct err err = { 0 };
	struct request request;
	struct judged judged = { .strict_framing = true };
	struct tally_mark mark = tally_mark(&c->tally);
	size_t count;
	enum rc rc = read_options(c, at, scope, &request, &judged, &count, &err);
	if (rc != RC_OK) {
		judge_step_problem(c, at, rc, err.text);
		return false;
	}
	judged.request = arena_print(c->root.arena, "%s %s", request.method, request.target);
	c->walk_rc = RC_OK;
	struct stream *all = open_all(c, at, &request, count);
	run_steps(c, at, all, &judged);
	c->stream = all->outer;
	struct tally_mark ends = tally_mark(&c->tally);
	for (struct stream *stream = all; stream; stream = stream->next) {
		finish(c, at, scope, stream, &judged, tally_changed(&c->tally, &ends));
		stream_release(stream);
	}
	return c->walk_rc == RC_OK && !tally_changed(&c->tally, &mark);
}
