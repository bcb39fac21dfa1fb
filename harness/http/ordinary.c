/*
 * ordinary: a request that libcurl sends and whose answer libcurl reads, while the debug callback shows the bytes.
 *
 * libcurl forgives much: what it reads behind an answer's end it drops, and what it leaves in the socket it would take
 * for the next answer. So the socket is looked at when a transfer ends, in CURLOPT_CLOSESOCKETFUNCTION too (client.c).
 */
#include "http/failure.h"
#include "http/handle.h"
#include "http/peek.h"
#include "http/transfer.h"

#include <stdlib.h>
#include <string.h>

struct ordinary {
	struct transfer *transfer;
	struct handle handle;
	struct multi_job job;
	const struct tls_end *end; /* of the connection that answers, or NULL */
	int64_t readable_ns;       /* since when the present bytes wait in the socket */
	char error[CURL_ERROR_SIZE];
};

static void release(struct ordinary *ordinary)
{
	multi_remove(&ordinary->transfer->client->multi, ordinary->handle.easy);
	handle_close(&ordinary->handle);
	free(ordinary);
}

static void stop(struct transfer *transfer)
{
	transfer->stop = NULL;
	release(transfer->way);
}

static void on_readable(void *self, curl_socket_t fd)
{
	struct ordinary *ordinary = self;
	ordinary->transfer->fd = fd;
	/* What waits in a TLS connection need not be the answer's. */
	if (!ordinary->transfer->client->tls && !ordinary->readable_ns &&
		ordinary->transfer->exchange->timing.sent_ns)
		ordinary->readable_ns = clock_now_ns();
}

static void received(struct ordinary *ordinary, struct slice bytes)
{
	int64_t first_ns = ordinary->readable_ns ? ordinary->readable_ns : clock_now_ns();
	answer_push(&ordinary->transfer->answer, bytes, first_ns);
}

/* libcurl tells by this text alone that it dropped bytes it had read behind a body of no length. */
static void judge_text(struct transfer *transfer, struct slice text)
{
	if (slice_find(text, slice_of("Excess found")) != SIZE_MAX)
		framing_dropped(&transfer->answer.framing);
}

static int on_debug(CURL *easy, curl_infotype type, char *data, size_t size, void *self)
{
	struct ordinary *ordinary = self;
	struct slice bytes = slice_from(data, size);
	(void)easy;
	switch (type) {
	case CURLINFO_HEADER_OUT: transfer_sent(ordinary->transfer, true, bytes); break;
	case CURLINFO_DATA_OUT: transfer_sent(ordinary->transfer, false, bytes); break;
	case CURLINFO_DATA_IN: received(ordinary, bytes); break;
	case CURLINFO_TEXT: judge_text(ordinary->transfer, bytes); break;
	default: break;
	}
	return 0;
}

/* The debug callback has seen the bytes before; here libcurl can be told to end. */
static size_t on_write(char *data, size_t size, size_t count, void *self)
{
	struct ordinary *ordinary = self;
	(void)data;
	const struct framing *framing = &ordinary->transfer->answer.framing;
	/* Behind a 101 libcurl waits for another head, which nobody has to send. */
	bool enough = answer_over(&ordinary->transfer->answer) &&
		      (framing->state != FRAMING_DONE || framing->rule == FRAMING_TUNNEL);
	return enough ? CURL_WRITEFUNC_ERROR : size * count;
}

/*
 * Bytes of a body. While there are more libcurl goes on reading, and where they decode to much that takes seconds: it
 * pauses once the time is over, so that the timer has its turn.
 */
static size_t on_body(char *data, size_t size, size_t count, void *self)
{
	const struct ordinary *ordinary = self;
	const struct transfer *transfer = ordinary->transfer;
	int64_t within = transfer->request->within_ns;
	if (within != CLOCK_NEVER && clock_now_ns() >= transfer->exchange->timing.start_ns + within)
		return CURL_WRITEFUNC_PAUSE;
	return on_write(data, size, count, self);
}

/* A line of a head. The debug callback would miss the empty line behind a 1xx head. */
static size_t on_header(char *data, size_t size, size_t count, void *self)
{
	struct ordinary *ordinary = self;
	ordinary->end = tls_end_used(&ordinary->transfer->client->tls_ends, ordinary->handle.easy);
	if (ordinary->transfer->answer.framing.state == FRAMING_IN_HEAD)
		received(ordinary, slice_from(data, size * count));
	return on_write(data, size, count, self);
}
/*
 * The connection is chosen and the request not yet sent. Where bytes wait on it, the socket is shut down by the look at
 * them; libcurl then retries on a new connection, as it does where the server has closed an idle one, and comes here
 * again.
 */
static int on_chosen(void *self, char *remote, char *local, int remote_port, int local_port)
{
	struct ordinary *ordinary = self;
	struct transfer *transfer = ordinary->transfer;
	struct client *client = transfer->client;
	(void)remote, (void)local, (void)remote_port;
	if (transfer->sent.len)
		answer_restart(&transfer->answer);
	buf_clear(&transfer->sent);
	transfer->sent_head_bytes = 0;
	transfer->exchange->sent_body_bytes = 0;
	ordinary->readable_ns = 0;
	left_look(&client->left, client->tls, &client->unasked);
	/* The ends of Unix sockets have no ports by which to tell which of them it is. */
	if (client->options.unix_path)
		left_release(&client->left);
	else
		left_take(&client->left, local_port);
	return CURL_PREREQFUNC_OK;
}

static void look_behind(struct ordinary *ordinary)
{
	struct transfer *transfer = ordinary->transfer;
	curl_socket_t fd = CURL_SOCKET_BAD;
	curl_easy_getinfo(ordinary->handle.easy, CURLINFO_ACTIVESOCKET, &fd);
	if (fd == CURL_SOCKET_BAD)
		return;
	struct peek peek;
	peek_behind(fd, transfer->client->tls, &peek);
	if (answer_over(&transfer->answer))
		answer_push(&transfer->answer, peek.bytes, clock_now_ns());
	if (peek.ended)
		transfer->exchange->closed = true;
	left_add(&transfer->client->left, fd);
}

static void on_done(void *self, CURLcode result)
{
	struct ordinary *ordinary = self;
	struct transfer *transfer = ordinary->transfer;
	struct answer *answer = &transfer->answer;
	enum failure failure = FAILURE_NONE;
	const char *text = NULL;
	long connects = 0, os_errno = 0;
	curl_easy_getinfo(ordinary->handle.easy, CURLINFO_NUM_CONNECTS, &connects);
	curl_easy_getinfo(ordinary->handle.easy, CURLINFO_OS_ERRNO, &os_errno);
	transfer->exchange->reused = result == CURLE_OK && connects == 0;
	if (result != CURLE_OK) {
		failure = failure_of(result, os_errno, ordinary->error);
		text = failure_text(transfer->exchange->arena, result, os_errno, ordinary->error);
	}
	/* libcurl says that a line was too long for it by other words. */
	if (failure == FAILURE_LIMIT && answer->framing.state == FRAMING_IN_HEAD &&
		transfer->exchange->timing.sent_ns)
		answer->framing.state = FRAMING_LIMIT;
	look_behind(ordinary);
	if (failure == FAILURE_CLOSED || failure == FAILURE_RESET)
		transfer->exchange->closed = true;
	if (failure == FAILURE_FRAMING && !answer->framing.violations.count)
		framing_violations_add(
			&answer->framing.violations, VIOLATION_UNREADABLE, "%s", text);
	if (!answer_over(answer) && failure != FAILURE_RESET &&
		(failure == FAILURE_NONE || failure == FAILURE_CLOSED)) {
		answer_eof(answer,
			ordinary->end ? ordinary->end->notified : result != CURLE_RECV_ERROR);
		failure = FAILURE_CLOSED;
		text = text ? text : "closed before the answer was complete";
	}
	transfer->stop = NULL;
	release(ordinary);
	transfer_end(transfer, failure, text);
}

static bool set_callbacks(struct ordinary *ordinary)
{
	CURL *easy = ordinary->handle.easy;
	return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, ordinary->error) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_DEBUGDATA, ordinary) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, ordinary) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_HEADERDATA, ordinary) == 0 &&
	       /* So that bytes which are no HTTP/1.x are shown, and judged here. */
	       curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_chosen) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PREREQDATA, ordinary) == 0;
}

void ordinary_start(struct transfer *transfer)
{
	struct client *client = transfer->client;
	struct ordinary *ordinary = mem_alloc(1, sizeof *ordinary);
	*ordinary = (struct ordinary){
		.transfer = transfer,
		.job = { ordinary, on_readable, on_done },
	};
	transfer->way = ordinary;
	bool ready = handle_open(&ordinary->handle, client, transfer->request) &&
		     set_callbacks(ordinary) &&
		     multi_add(&client->multi, ordinary->handle.easy, &ordinary->job) == RC_OK;
	if (ready) {
		transfer->stop = stop;
		return;
	}
	handle_close(&ordinary->handle);
	free(ordinary);
	transfer_end(transfer, FAILURE_LOCAL, "libcurl does not take the request");
}
