/*
 * exact: a request whose bytes are sent and whose answer is read over a plain connection, so that nothing is hidden:
 * `raw`, HEAD and conditional requests.
 *
 * The bytes to send are items, those of `raw` or a head and a body. Reading goes on all the while, since a server may
 * answer early. Where nothing may follow an answer's head, and behind the answer to `raw`, the connection is listened to
 * for GRACE_NS more.
 */
#include "http/plain.h"

#include <stdlib.h>

#define GRACE_NS (20 * NS_PER_MS)
enum { READ_BYTES = 64 * 1024, READ_ROUNDS = 16 };

struct exact {
	struct transfer *transfer;
	struct plain *plain;
	const struct raw_item *items;
	size_t item_count, item, offset; /* offset in the present item's bytes */
	struct raw_item own[3];          /* head and body of a request that is not raw */
	struct buf head;
	struct timer timer; /* the present pause, the grace, or another turn of reading */
	bool pausing, in_grace;
	bool ended;       /* the server closed or reset it */
	bool turned_away; /* by TLS: it wants another certificate, or one at all */
	bool unsendable;  /* the connection takes no more */
	bool unreadable;  /* the file of the body is shorter than it was */
	bool again;       /* on a second connection, since the first was no longer good */
	uint8_t bytes[READ_BYTES];
};

static void pump(void *self);
static void on_connected(void *self, CURLcode result);

static void release(struct exact *exact)
{
	engine_stop_timer(&exact->timer);
	buf_release(&exact->head);
	free(exact);
}

static void stop(struct transfer *transfer)
{
	struct exact *exact = transfer->way;
	transfer->stop = NULL;
	plain_close(exact->plain, false);
	release(exact);
}

static bool all_sent(const struct exact *exact)
{
	return exact->item == exact->item_count;
}

/* May the connection serve another request? */
static bool reusable(const struct exact *exact)
{
	const struct transfer *transfer = exact->transfer;
	const struct framing *framing = &transfer->answer.framing;
	return framing->state == FRAMING_DONE && framing->rule != FRAMING_TUNNEL &&
	       framing->rule != FRAMING_CLOSE && !framing->surplus_bytes &&
	       !framing->more_requests && !exact->ended && !exact->unsendable && all_sent(exact);
}

static void finish(struct exact *exact, enum failure failure, const char *text)
{
	struct transfer *transfer = exact->transfer;
	struct plain *plain = exact->plain;
	bool keep = reusable(exact);
	transfer_end(transfer, failure, text);
	transfer->stop = NULL;
	if (keep && !transfer->exchange->closed)
		plain_keep(plain);
	else
		plain_close(plain, false);
	release(exact);
}

static bool begin(struct exact *exact, bool fresh)
{
	struct client *client = exact->transfer->client;
	const struct plain_user user = { exact, on_connected, pump };
	if (!fresh)
		exact->plain = plain_take(client, &user);
	exact->transfer->exchange->reused = exact->plain != NULL;
	if (!exact->plain)
		exact->plain = plain_open(client, &user);
	return exact->plain != NULL;
}

/* A connection that was kept and turns out to be closed is no fault of anybody's: RFC 9112 section 9.3.1. */
static bool try_again(struct exact *exact)
{
	struct transfer *transfer = exact->transfer;
	if (!transfer->exchange->reused || transfer->answer.framing.received_bytes || exact->again)
		return false;
	plain_close(exact->plain, false);
	exact->plain = NULL;
	exact->item = exact->offset = 0;
	exact->again = true;
	exact->ended = exact->unsendable = false;
	answer_restart(&transfer->answer);
	transfer->exchange->closed = false;
	buf_clear(&transfer->sent);
	transfer->sent_head_bytes = 0;
	transfer->exchange->sent_body_bytes = 0;
	return begin(exact, true);
}

static void on_connected(void *self, CURLcode result)
{
	struct exact *exact = self;
	if (result == CURLE_OK) {
		pump(exact);
		return;
	}
	finish(exact, plain_failure(exact->plain, result),
		plain_failure_text(exact->plain, result, exact->transfer->exchange->arena));
}

static void on_timer(void *self)
{
	struct exact *exact = self;
	if (exact->in_grace) {
		finish(exact, FAILURE_NONE, NULL);
		return;
	}
	if (exact->pausing) {
		exact->pausing = false;
		exact->item++;
	}
	pump(exact);
}

/* What of the item is to be sent next; of a file as much as there is room for. */
static struct slice rest_of(struct exact *exact, const struct raw_item *item)
{
	const struct request *request = exact->transfer->request;
	if (!request->file || item != &exact->own[1])
		return slice_part(item->bytes, exact->offset, SIZE_MAX);
	size_t count = request_read_file(request, exact->offset, exact->bytes, sizeof exact->bytes);
	exact->unreadable = !count && exact->offset < request->file->bytes;
	return slice_from(exact->bytes, count);
}

static void send_bytes(struct exact *exact, const struct raw_item *item, bool *blocked)
{
	size_t count;
	struct slice rest = rest_of(exact, item);
	bool head = exact->transfer->request->raw || exact->item == 0;
	enum rc rc = rest.len ? plain_write(exact->plain, rest, &count) : RC_OK;
	*blocked = rc == RC_TIMEOUT;
	exact->unsendable = rc == RC_CLOSED;
	if (rc != RC_OK || !rest.len) {
		exact->item += !rest.len;
		exact->offset = rest.len ? exact->offset : 0;
		return;
	}
	transfer_sent(exact->transfer, head, slice_part(rest, 0, count));
	exact->offset += count;
}

/* Sends as much as goes; true where it waits for the socket to take more. */
static bool send_items(struct exact *exact)
{
	bool blocked = false;
	while (!blocked && !exact->pausing && !exact->unsendable && !exact->unreadable &&
		!all_sent(exact)) {
		const struct raw_item *item = &exact->items[exact->item];
		if (item->kind == RAW_CLOSE || item->kind == RAW_RESET)
			break;
		if (item->kind == RAW_BYTES) {
			send_bytes(exact, item, &blocked);
			continue;
		}
		exact->pausing = true;
		engine_set_timer(exact->transfer->client->engine, &exact->timer,
			clock_now_ns() + item->pause_ns);
	}
	return blocked;
}

static void read_end(struct exact *exact, enum rc rc)
{
	struct answer *answer = &exact->transfer->answer;
	exact->ended = true;
	enum failure failure =
		rc == RC_CLOSED ? plain_failure(exact->plain, CURLE_OK) : FAILURE_NONE;
	answer->reset = failure == FAILURE_RESET;
	exact->turned_away = failure == FAILURE_TLS;
	if (!answer->reset)
		answer_eof(answer, rc == RC_OK && plain_ended(exact->plain));
	exact->transfer->exchange->closed = true;
}

/* Reads what there is; false where more may wait and others should have their turn first. */
static bool read_bytes(struct exact *exact)
{
	struct answer *answer = &exact->transfer->answer;
	for (int i = 0; i < READ_ROUNDS; i++) {
		size_t count;
		enum rc rc = plain_read(exact->plain, exact->bytes, sizeof exact->bytes, &count);
		if (rc == RC_TIMEOUT)
			return true;
		if (rc == RC_CLOSED || !count) {
			read_end(exact, rc);
			return true;
		}
		answer_push(answer, slice_from(exact->bytes, count), clock_now_ns());
		if (answer_over(answer) &&
			(answer->framing.state != FRAMING_DONE || answer->framing.surplus_bytes))
			return true;
	}
	return false;
}

/* The next item closes the connection by our side. */
static bool cuts_off(struct exact *exact)
{
	if (exact->pausing || all_sent(exact))
		return false;
	enum raw_kind kind = exact->items[exact->item].kind;
	if (kind != RAW_CLOSE && kind != RAW_RESET)
		return false;
	plain_close(exact->plain, kind == RAW_RESET);
	exact->plain = NULL;
	struct transfer *transfer = exact->transfer;
	transfer->stop = NULL;
	release(exact);
	transfer_end(transfer, FAILURE_NONE, NULL);
	return true;
}

static void end_without_answer(struct exact *exact)
{
	struct answer *answer = &exact->transfer->answer;
	if (try_again(exact))
		return;
	if (exact->turned_away)
		finish(exact, FAILURE_TLS,
			plain_failure_text(
				exact->plain, CURLE_OK, exact->transfer->exchange->arena));
	else if (answer->reset)
		finish(exact, FAILURE_RESET, "the connection was reset");
	else
		finish(exact, FAILURE_CLOSED,
			answer->framing.received_bytes ? "closed before the answer was complete"
						       : "closed without an answer");
}

/* The answer is complete; what may still have to be done? */
static void end_with_answer(struct exact *exact)
{
	const struct framing *framing = &exact->transfer->answer.framing;
	bool listen = framing->rule == FRAMING_NO_BODY || exact->transfer->request->raw;
	bool more_to_send = !all_sent(exact) && !exact->unsendable;
	if (framing->state == FRAMING_DONE && more_to_send && !exact->ended)
		return;
	if (framing->state != FRAMING_DONE || !listen || exact->ended || framing->surplus_bytes ||
		framing->more_requests) {
		finish(exact, FAILURE_NONE, NULL);
		return;
	}
	if (!exact->in_grace)
		engine_set_timer(
			exact->transfer->client->engine, &exact->timer, clock_now_ns() + GRACE_NS);
	exact->in_grace = true;
}

static void pump(void *self)
{
	struct exact *exact = self;
	bool blocked = send_items(exact);
	if (exact->unreadable) {
		finish(exact, FAILURE_LOCAL, "the file of the body became shorter");
		return;
	}
	bool read_all = read_bytes(exact);
	if (cuts_off(exact))
		return;
	if (!read_all && !exact->pausing && !exact->in_grace)
		engine_set_timer(exact->transfer->client->engine, &exact->timer, clock_now_ns());
	plain_wait(exact->plain, blocked);
	if (answer_over(&exact->transfer->answer))
		end_with_answer(exact);
	else if (exact->ended)
		end_without_answer(exact);
}

/* Head and body; a request that names Transfer-Encoding has its body sent as one chunk, as libcurl does it. */
static void write_items(struct exact *exact, const struct request *request)
{
	bool chunked = request_has_body(request) && request_header(request, "Transfer-Encoding");
	uint64_t bytes = request_body_bytes(request);
	request_write_head(request, exact->transfer->client->authority, &exact->head);
	exact->own[0].bytes = buf_slice(&exact->head);
	exact->own[1].bytes = request->body;
	exact->items = exact->own;
	exact->item_count = bytes ? 2 : 1;
	if (!chunked)
		return;
	if (bytes && buf_print(&exact->head, "%llx\r\n", (unsigned long long)bytes) != RC_OK)
		BUG("a request head outgrew its buffer");
	exact->own[0].bytes = buf_slice(&exact->head);
	exact->own[exact->item_count++].bytes = slice_of(bytes ? "\r\n0\r\n\r\n" : "0\r\n\r\n");
}

void exact_start(struct transfer *transfer)
{
	const struct request *request = transfer->request;
	struct exact *exact = mem_alloc(1, sizeof *exact);
	exact->transfer = transfer;
	exact->timer = (struct timer){ .fire = on_timer, .self = exact };
	buf_init(&exact->head, SIZE_MAX / 2);
	exact->items = request->raw;
	exact->item_count = request->raw_count;
	if (!request->raw)
		write_items(exact, request);
	transfer->way = exact;
	if (!begin(exact, request->fresh || request->raw)) {
		transfer_end(transfer, FAILURE_LOCAL, "libcurl does not take the connection");
		release(exact);
		return;
	}
	transfer->stop = stop;
	/* A connection that was kept is ready; the engine says so in its next turn. */
	if (transfer->exchange->reused)
		engine_set_timer(transfer->client->engine, &exact->timer, clock_now_ns());
}
