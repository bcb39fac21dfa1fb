#include "http/transfer.h"

#include <stdlib.h>
#include <string.h>

static bool is_done(void *self)
{
	return transfer_done(self);
}

static void on_within(void *self)
{
	struct transfer *transfer = self;
	const struct framing *framing = &transfer->answer.framing;
	const char *what = "no answer came";
	char text[160];
	if (framing->state == FRAMING_IN_BODY)
		what = "the body was not complete";
	else if (framing->received_bytes)
		what = "the head was not complete";
	else if (!transfer->exchange->timing.sent_ns)
		what = "the request was not sent";
	snprintf(text, sizeof text, "%s within %g s; %llu bytes were received", what,
		(double)transfer->request->within_ns / (double)NS_PER_S,
		(unsigned long long)framing->received_bytes);
	if (transfer->stop)
		transfer->stop(transfer);
	transfer_end(transfer, FAILURE_TIMEOUT, text);
}

static struct exchange *new_exchange(const struct client *client, const struct request *request)
{
	struct arena *arena = arena_new();
	struct exchange *exchange = arena_alloc(arena, 1, sizeof *exchange);
	exchange->arena = arena;
	exchange->method = arena_text(arena, request->method);
	exchange->target = arena_text(arena, request->target);
	exchange->origin = arena_text(arena, client->origin);
	exchange->timing.start_ns = clock_now_ns();
	return exchange;
}

static void link_in(struct transfer *transfer)
{
	struct client *client = transfer->client;
	transfer->link = &client->transfers;
	transfer->next = client->transfers;
	if (transfer->next)
		transfer->next->link = &transfer->next;
	client->transfers = transfer;
}

static void unlink_from(struct transfer *transfer)
{
	*transfer->link = transfer->next;
	if (transfer->next)
		transfer->next->link = transfer->link;
}

/* Who watches an answer has what it brings; a stream may go on for as long as anybody looks. */
static size_t kept_bytes(const struct request *request)
{
	if (request->watch)
		return HTTP_KEPT_STREAM_BYTES;
	return request->reads_json || request->compared_json ? HTTP_KEPT_JSON_BYTES
							     : HTTP_KEPT_BYTES;
}

struct transfer *client_start(struct client *client, const struct request *request)
{
	struct transfer *transfer = mem_alloc(1, sizeof *transfer);
	const char *method = request->method;
	bool plain = request_is_plain(request);
	transfer->client = client;
	transfer->request = request;
	transfer->exchange = new_exchange(client, request);
	transfer->fd = CURL_SOCKET_BAD;
	transfer->within = (struct timer){ .fire = on_within, .self = transfer };
	buf_init(&transfer->sent, SIZE_MAX / 2);
	struct raw_facts facts = { .count = 1 };
	if (request->raw) {
		facts = request_raw_facts(request);
		method = facts.method;
	}
	answer_init(
		&transfer->answer, transfer->exchange, method, kept_bytes(request), request->watch);
	transfer->answer.framing.more_requests = facts.count > 1;
	link_in(transfer);
	left_look(&client->left, client->tls, &client->unasked);
	if (request->within_ns != CLOCK_NEVER)
		engine_set_timer(client->engine, &transfer->within,
			transfer->exchange->timing.start_ns + request->within_ns);
	if (client->options.protocol != PROTOCOL_HTTP1)
		http2_start(transfer);
	else if (plain)
		exact_start(transfer);
	else
		ordinary_start(transfer);
	return transfer;
}

bool transfer_done(const struct transfer *transfer)
{
	return transfer->done;
}

void transfer_sent(struct transfer *transfer, bool head, struct slice bytes)
{
	struct exchange *exchange = transfer->exchange;
	exchange->timing.sent_ns = clock_now_ns();
	if (!head)
		exchange->sent_body_bytes += bytes.len;
	else
		transfer->sent_head_bytes += bytes.len;
	size_t kept = transfer->sent.len - transfer->sent_head_bytes;
	if (!head && exchange->sent_body_bytes > HTTP_KEPT_START_BYTES)
		bytes = slice_part(bytes, 0, HTTP_KEPT_START_BYTES - kept);
	if (buf_append(&transfer->sent, bytes) != RC_OK)
		BUG("a request head fills the memory");
}

void transfer_end(struct transfer *transfer, enum failure failure, const char *text)
{
	struct exchange *exchange = transfer->exchange;
	if (transfer->done)
		return;
	transfer->done = true;
	engine_stop_timer(&transfer->within);
	struct slice sent = buf_slice(&transfer->sent);
	exchange->sent = slice_from(arena_slice(exchange->arena, sent), sent.len);
	struct buf *unasked = &transfer->client->unasked;
	if (unasked->len)
		framing_violations_show(&transfer->answer.framing.violations, VIOLATION_UNASKED,
			"on a connection that was idle came", buf_slice(unasked));
	buf_clear(unasked);
	answer_end(&transfer->answer, failure, text);
}

struct exchange *transfer_leave(struct transfer *transfer)
{
	if (transfer->stop)
		transfer->stop(transfer);
	transfer_end(transfer, FAILURE_NONE, NULL);
	return transfer_take(transfer);
}

struct exchange *transfer_take(struct transfer *transfer)
{
	struct exchange *exchange = transfer->exchange;
	/* The timer ends every transfer, so that there is nothing else to wait for but an interruption. */
	if (engine_run(transfer->client->engine, is_done, transfer, CLOCK_NEVER) != RC_OK) {
		if (transfer->stop)
			transfer->stop(transfer);
		transfer_end(transfer, FAILURE_LOCAL, "interrupted");
	}
	unlink_from(transfer);
	answer_release(&transfer->answer);
	buf_release(&transfer->sent);
	free(transfer);
	return exchange;
}

struct exchange *client_exchange(struct client *client, const struct request *request)
{
	return transfer_take(client_start(client, request));
}
