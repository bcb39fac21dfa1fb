#include "http/answer.h"

#include "base/clock.h"
#include "http/client.h"

#include <string.h>

static const char *find_coding(struct exchange *exchange)
{
	const char *sent = exchange_header(exchange, "Content-Encoding");
	if (!sent)
		return NULL;
	char *lower = arena_text(exchange->arena, sent);
	for (char *c = lower; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c |= 0x20;
	return lower;
}

static void on_head(void *self)
{
	struct answer *answer = self;
	struct exchange *exchange = answer->exchange;
	const struct framing *framing = &answer->framing;
	exchange->timing.headers_ns = clock_now_ns();
	exchange->headers = framing->head.headers;
	exchange->coding = find_coding(exchange);
	bool body = framing->rule != FRAMING_NO_BODY && framing->rule != FRAMING_TUNNEL;
	layers_begin(
		&answer->layers, framing->rule == FRAMING_CHUNKED, body ? exchange->coding : NULL);
	if (answer->watch)
		answer->watch->head(answer->watch->self, exchange->timing.headers_ns);
}

static void on_decoded(void *self, struct slice bytes)
{
	const struct answer *answer = self;
	answer->watch->content(answer->watch->self, bytes, clock_now_ns());
}

static void on_wire(void *self, struct slice bytes)
{
	struct answer *answer = self;
	layers_wire(&answer->layers, bytes);
}

static void on_content(void *self, struct slice bytes)
{
	struct answer *answer = self;
	layers_content(&answer->layers, bytes);
}

static void begin(struct answer *answer, const char *method, size_t kept_bytes)
{
	const struct framing_sink sink = { answer, on_head, on_wire, on_content };
	framing_init(&answer->framing, answer->exchange->arena, method, &sink);
	answer->framing.http2 = answer->http2;
	layers_init(&answer->layers, answer->exchange->arena, kept_bytes);
	if (answer->watch) {
		answer->layers.watch = on_decoded;
		answer->layers.watcher = answer;
	}
}

void answer_init(struct answer *answer, struct exchange *exchange, const char *method,
	size_t kept_bytes, const struct request_watch *watch)
{
	*answer = (struct answer){ .exchange = exchange, .watch = watch };
	begin(answer, method, kept_bytes);
}

void answer_release(struct answer *answer)
{
	framing_release(&answer->framing);
	layers_release(&answer->layers);
}

void answer_restart(struct answer *answer)
{
	struct timing *timing = &answer->exchange->timing;
	bool more = answer->framing.more_requests;
	const char *method = answer->exchange->method;
	size_t kept = answer->layers.stores[LAYER_WIRE].bytes.max;
	answer_release(answer);
	begin(answer, method, kept);
	answer->framing.more_requests = more;
	answer->reset = false;
	*timing = (struct timing){ .start_ns = timing->start_ns };
}

void answer_push(struct answer *answer, struct slice bytes, int64_t first_ns)
{
	struct timing *timing = &answer->exchange->timing;
	if (bytes.len && !timing->first_byte_ns)
		timing->first_byte_ns = first_ns;
	bool before = answer_over(answer);
	framing_push(&answer->framing, bytes);
	if (!before && answer_over(answer))
		timing->end_ns = clock_now_ns();
}

void answer_eof(struct answer *answer, bool clean)
{
	bool before = answer_over(answer);
	if (clean)
		framing_eof(&answer->framing);
	else
		framing_cut(&answer->framing);
	answer->exchange->closed = true;
	if (!before && answer_over(answer))
		answer->exchange->timing.end_ns = clock_now_ns();
}

void answer_expect_http2(struct answer *answer)
{
	answer->http2 = answer->framing.http2 = true;
}

void answer_trailer(struct answer *answer, struct slice line)
{
	framing_trailer(&answer->framing, line);
}

void answer_end_stream(struct answer *answer)
{
	framing_end_stream(&answer->framing);
	answer->exchange->timing.end_ns = clock_now_ns();
}

static bool bomb(const struct answer *answer)
{
	return answer->layers.rc == RC_LIMIT && answer->layers.coded;
}

static bool endless(const struct answer *answer)
{
	return answer->framing.body_bytes > (uint64_t)HTTP_BODY_MAX_BYTES;
}

bool answer_over(const struct answer *answer)
{
	return answer->framing.state >= FRAMING_DONE || bomb(answer) || endless(answer);
}

static bool asks_to_close(const struct exchange *exchange)
{
	bool keep = false;
	struct slice rest = slice_of(exchange_header(exchange, "Connection")), option;
	while (head_list_next(&rest, &option)) {
		if (slice_is_nocase(option, "close"))
			return true;
		keep = keep || slice_is_nocase(option, "keep-alive");
	}
	return exchange->version == 10 && !keep;
}

static void set_failure(struct exchange *exchange, enum failure failure, const char *text)
{
	exchange->failure = failure;
	exchange->failure_text = arena_text(exchange->arena, text);
}

static void find_failure(struct answer *answer, enum failure failure, const char *text)
{
	struct exchange *exchange = answer->exchange;
	const struct framing *framing = &answer->framing;
	const struct framing_violations *seen = &framing->violations;
	if (framing->state == FRAMING_LIMIT)
		set_failure(exchange, FAILURE_LIMIT,
			arena_print(exchange->arena,
				"the head or the trailers outgrew %d bytes, or a line of the head %d",
				HTTP_HEAD_MAX_BYTES, HTTP_LINE_MAX_BYTES));
	else if (endless(answer))
		set_failure(exchange, FAILURE_LIMIT,
			arena_print(exchange->arena, "the body outgrew %lld bytes",
				(long long)HTTP_BODY_MAX_BYTES));
	else if (bomb(answer))
		set_failure(exchange, FAILURE_LIMIT, exchange->coding_error);
	else if (framing->state == FRAMING_BROKEN)
		set_failure(exchange, FAILURE_FRAMING, seen->list[seen->count - 1].text);
	else if (failure != FAILURE_NONE && framing->state != FRAMING_DONE)
		set_failure(exchange, failure, text);
}

static void copy_head(struct exchange *exchange, const struct framing *framing)
{
	exchange->status = framing->head.status;
	exchange->version = framing->head.version;
	exchange->reason = framing->head.reason;
	exchange->head = framing->head_bytes;
	exchange->headers = framing->head.headers;
	exchange->trailers = framing->trailers;
	exchange->interim = framing->interim;
	exchange->chunked = framing->rule == FRAMING_CHUNKED;
	exchange->has_length = framing->has_length;
	exchange->length = framing->length;
}

void answer_end(struct answer *answer, enum failure failure, const char *text)
{
	struct exchange *exchange = answer->exchange;
	const struct framing *framing = &answer->framing;
	const struct framing_violations *seen = &framing->violations;
	copy_head(exchange, framing);
	layers_end(&answer->layers, framing->state == FRAMING_DONE, exchange->layers);
	exchange->coding_error = layers_error(&answer->layers);
	exchange->magic = coding_magic(exchange->layers[LAYER_DECODED].kept);
	exchange->violation_count = seen->count;
	exchange->violations =
		arena_alloc(exchange->arena, seen->count, sizeof *exchange->violations);
	if (seen->count)
		memcpy(exchange->violations, seen->list, seen->count * sizeof *seen->list);
	find_failure(answer, failure, text);
	if (exchange->status)
		exchange->closed = exchange->closed || asks_to_close(exchange);
	if (!exchange->timing.end_ns)
		exchange->timing.end_ns = clock_now_ns();
}
