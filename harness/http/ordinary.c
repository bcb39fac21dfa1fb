/*
 * ordinary: a request that libcurl sends and whose answer libcurl reads, while the debug callback shows the bytes.
 *
 * libcurl forgives much: what it reads behind an answer's end it drops, and what it leaves in the socket it would take
 * for the next answer. So the socket is looked at when a transfer ends, in CURLOPT_CLOSESOCKETFUNCTION too (client.c).
 */
#include "http/failure.h"
#include "http/peek.h"
#include "http/transfer.h"

#include <stdlib.h>
#include <string.h>

struct ordinary {
	struct transfer *transfer;
	CURL *easy;
	struct multi_job job;
	struct curl_slist *headers;
	const struct tls_end *end; /* of the connection that answers, or NULL */
	uint64_t file_offset;      /* of the body's file, in what is sent next */
	int64_t readable_ns;       /* since when the present bytes wait in the socket */
	char error[CURL_ERROR_SIZE];
};

static void release(struct ordinary *ordinary)
{
	multi_remove(&ordinary->transfer->client->multi, ordinary->easy);
	curl_easy_cleanup(ordinary->easy);
	curl_slist_free_all(ordinary->headers);
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
	ordinary->end = tls_end_used(&ordinary->transfer->client->tls_ends, ordinary->easy);
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
	left_take(&client->left, local_port);
	return CURL_PREREQFUNC_OK;
}

static void look_behind(struct ordinary *ordinary)
{
	struct transfer *transfer = ordinary->transfer;
	curl_socket_t fd = CURL_SOCKET_BAD;
	curl_easy_getinfo(ordinary->easy, CURLINFO_ACTIVESOCKET, &fd);
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

/* Where poll tells of the socket's error before a read could fetch it, libcurl has these words alone: a reset. */
static enum failure how_it_failed(const struct ordinary *ordinary, CURLcode result, long os_errno)
{
	enum failure failure = failure_of(result, os_errno);
	bool polled = strstr(ordinary->error, "select/poll returned error") != NULL;
	return failure == FAILURE_CLOSED && polled ? FAILURE_RESET : failure;
}

static void on_done(void *self, CURLcode result)
{
	struct ordinary *ordinary = self;
	struct transfer *transfer = ordinary->transfer;
	struct answer *answer = &transfer->answer;
	enum failure failure = FAILURE_NONE;
	const char *text = NULL;
	long connects = 0, os_errno = 0;
	curl_easy_getinfo(ordinary->easy, CURLINFO_NUM_CONNECTS, &connects);
	curl_easy_getinfo(ordinary->easy, CURLINFO_OS_ERRNO, &os_errno);
	transfer->exchange->reused = result == CURLE_OK && connects == 0;
	if (result != CURLE_OK) {
		failure = how_it_failed(ordinary, result, os_errno);
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

static bool add_line(struct ordinary *ordinary, const char *line)
{
	struct curl_slist *list = curl_slist_append(ordinary->headers, line);
	ordinary->headers = list ? list : ordinary->headers;
	return list != NULL;
}

static bool speaks_of_body(const struct request *request)
{
	return request_has_body(request) || request_wants_length(request);
}

/*
 * Everything that libcurl would add by itself is taken out, unless the request names it: of a request without a body
 * Accept alone. No more than that, since a line takes memory for as long as an event stream is open.
 */
static bool add_headers(struct ordinary *ordinary, const struct request *request)
{
	static const char *const own[] = { "Accept", "Expect", "Content-Type" };
	size_t count = speaks_of_body(request) ? sizeof own / sizeof *own : 1;
	bool ok = true;
	char *line;
	for (size_t i = 0; i < count; i++) {
		if (request_header(request, own[i]))
			continue;
		line = mem_print("%s:", own[i]);
		ok = add_line(ordinary, line) && ok;
		free(line);
	}
	if (request->without_host)
		ok = add_line(ordinary, "Host:") && ok;
	for (size_t i = 0; i < request->header_count; i++) {
		const struct request_header *header = &request->headers[i];
		/* "Name;" is libcurl's way of an empty value. */
		line = header->value[0] ? mem_print("%s: %s", header->name, header->value)
					: mem_print("%s;", header->name);
		ok = add_line(ordinary, line) && ok;
		free(line);
	}
	return ok && curl_easy_setopt(ordinary->easy, CURLOPT_HTTPHEADER, ordinary->headers) == 0;
}

static size_t on_read(char *data, size_t size, size_t count, void *self)
{
	struct ordinary *ordinary = self;
	const struct request *request = ordinary->transfer->request;
	size_t n = request_read_file(request, ordinary->file_offset, data, size * count);
	if (!n && ordinary->file_offset < request->file->bytes)
		return CURL_READFUNC_ABORT;
	ordinary->file_offset += n;
	return n;
}

/* Where the request is sent once more, on another connection. */
static int on_seek(void *self, curl_off_t offset, int origin)
{
	struct ordinary *ordinary = self;
	if (origin != SEEK_SET || offset < 0 ||
		(uint64_t)offset > ordinary->transfer->request->file->bytes)
		return CURL_SEEKFUNC_FAIL;
	ordinary->file_offset = (uint64_t)offset;
	return CURL_SEEKFUNC_OK;
}

static bool set_file(struct ordinary *ordinary, uint64_t bytes)
{
	CURL *easy = ordinary->easy;
	return curl_easy_setopt(easy, CURLOPT_POST, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)bytes) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_READDATA, ordinary) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_seek) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_SEEKDATA, ordinary) == 0;
}

static bool set_request(struct ordinary *ordinary, const struct request *request)
{
	CURL *easy = ordinary->easy;
	bool ok = curl_easy_setopt(easy, CURLOPT_REQUEST_TARGET, request->target) == 0;
	/* Thousands of event streams are held at once: 1024 is the least that libcurl takes. */
	if (request->watch)
		ok = ok && curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 1024L) == 0;
	if (request_body_bytes(request) && request->file) {
		ok = ok && set_file(ordinary, request->file->bytes);
	} else if (speaks_of_body(request)) {
		ok = ok && curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
				   (curl_off_t)request->body.len) == 0;
		ok = ok && curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
				   request->body.len ? (const char *)request->body.ptr : "") == 0;
	}
	return ok && curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, (long)request->fresh) == 0;
}

static bool set_callbacks(struct ordinary *ordinary)
{
	CURL *easy = ordinary->easy;
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
		.easy = curl_easy_init(),
		.job = { ordinary, on_readable, on_done },
	};
	transfer->way = ordinary;
	bool ready = ordinary->easy && client_set_up(client, ordinary->easy) &&
		     set_callbacks(ordinary) && set_request(ordinary, transfer->request) &&
		     add_headers(ordinary, transfer->request) &&
		     multi_add(&client->multi, ordinary->easy, &ordinary->job) == RC_OK;
	if (ready) {
		transfer->stop = stop;
		return;
	}
	curl_easy_cleanup(ordinary->easy);
	curl_slist_free_all(ordinary->headers);
	free(ordinary);
	transfer_end(transfer, FAILURE_LOCAL, "libcurl does not take the request");
}
