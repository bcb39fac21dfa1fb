/*
 * http2: a request that libcurl sends over HTTP/2. Frames never get here: libcurl writes a head out as lines, and hands over
 * what DATA frames held; a stream that was reset, refused, or whose connection broke it tells by its result and in words.
 *
 * Requests of a client share one connection as far as the server lets them, each on a stream of its own. One that is watched
 * (an event stream) has a connection of its own: whoever leaves it must be seen to leave, and libcurl 7.88 sends no
 * RST_STREAM for a transfer that is taken off a connection which goes on.
 */
#include "http/failure.h"
#include "http/handle.h"
#include "http/transfer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct http2 {
	struct transfer *transfer;
	struct handle handle;
	struct multi_job job;
	bool prior;      /* it was told that the server speaks HTTP/2 */
	bool connecting; /* the client's count has it */
	bool opened;     /* a connection of its own */
	bool looked;     /* at the first bytes that came over it */
	bool again;      /* to be done once more, and told that */
	bool refused;    /* the stream, by the server */
	unsigned
		goaway; /* the error for which the server says that it ends the connection; 0: none */
	char error[CURL_ERROR_SIZE];
};

/* A row by the number of an error: RFC 9113 section 7. */
static const char *const errors[] = { "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR",
	"FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
	"REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED" };

static const char *error_name(unsigned number)
{
	return number < sizeof errors / sizeof *errors ? errors[number] : "an unknown error";
}

static void set_connecting(struct http2 *way, bool connecting)
{
	if (connecting != way->connecting)
		way->transfer->client->connecting += connecting ? 1 : -1;
	way->connecting = connecting;
}

static struct multi *multi_of(const struct http2 *way)
{
	struct client *client = way->transfer->client;
	return way->transfer->request->watch ? &client->watched : &client->multi;
}

static void release(struct http2 *way)
{
	set_connecting(way, false);
	multi_remove(multi_of(way), way->handle.easy);
	handle_close(&way->handle);
	free(way);
}

static void stop(struct transfer *transfer)
{
	transfer->stop = NULL;
	release(transfer->way);
}

/* libcurl tells by these words alone what the server's frame was. */
static void read_text(struct http2 *way, struct slice text)
{
	const struct slice goaway = slice_of("GOAWAY, error=");
	uint64_t number;
	size_t at = slice_find(text, goaway);
	if (slice_find(text, slice_of("REFUSED_STREAM")) != SIZE_MAX)
		way->refused = true;
	if (at == SIZE_MAX)
		return;
	text = slice_part(text, at + goaway.len, SIZE_MAX);
	if (slice_number(slice_part(text, 0, slice_find_byte(text, ',')), UINT32_MAX, &number))
		way->goaway = (unsigned)number;
}

/*
 * What a server sends first is a SETTINGS frame, which is no ACK: RFC 9113 section 3.4. libcurl calls anything else an empty
 * reply; so the bytes are looked at before it reads them.
 */
static void on_readable(void *self, curl_socket_t fd)
{
	enum { LOOKED_AT = 64, TYPE_AT = 3, FLAGS_AT = 4, SETTINGS = 4, ACK = 1 };
	struct http2 *way = self;
	uint8_t bytes[LOOKED_AT];
	if (way->looked || !way->opened || way->transfer->client->tls)
		return;
	ssize_t n = recv(fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
	if (n <= FLAGS_AT)
		return;
	way->looked = true;
	struct slice first = slice_from(bytes, (size_t)n);
	if (bytes[TYPE_AT] == SETTINGS && !(bytes[FLAGS_AT] & ACK))
		return;
	framing_violations_show(&way->transfer->answer.framing.violations,
		slice_starts(first, "HTTP/1") ? VIOLATION_OTHER_VERSION
					      : VIOLATION_CONNECTION_ERROR,
		"HTTP/2 begins with SETTINGS, and the server sent", first);
}

static int on_debug(CURL *easy, curl_infotype type, char *data, size_t size, void *self)
{
	struct http2 *way = self;
	struct slice bytes = slice_from(data, size);
	(void)easy;
	switch (type) {
	case CURLINFO_HEADER_OUT: transfer_sent(way->transfer, true, bytes); break;
	case CURLINFO_DATA_OUT: transfer_sent(way->transfer, false, bytes); break;
	case CURLINFO_TEXT: read_text(way, bytes); break;
	default: break;
	}
	return 0;
}

/* True where nothing more is wanted of the answer. */
static bool is_hopeless(const struct answer *answer)
{
	return answer_over(answer) && answer->framing.state != FRAMING_DONE;
}

/* A line of a head, or behind the body of the trailers. */
static size_t on_header(char *data, size_t size, size_t count, void *self)
{
	const struct http2 *way = self;
	struct answer *answer = &way->transfer->answer;
	struct slice line = slice_from(data, size * count);
	if (answer->framing.state == FRAMING_IN_HEAD)
		answer_push(answer, line, clock_now_ns());
	else
		answer_trailer(answer, line);
	return is_hopeless(answer) ? 0 : line.len;
}

/* As ordinary.c: what decodes to much may take longer than the time that is left. */
static size_t on_body(char *data, size_t size, size_t count, void *self)
{
	const struct http2 *way = self;
	struct transfer *transfer = way->transfer;
	int64_t within = transfer->request->within_ns;
	if (within != CLOCK_NEVER && clock_now_ns() >= transfer->exchange->timing.start_ns + within)
		return CURL_WRITEFUNC_PAUSE;
	answer_push(&transfer->answer, slice_from(data, size * count), clock_now_ns());
	return is_hopeless(&transfer->answer) ? CURL_WRITEFUNC_ERROR : size * count;
}

static curl_socket_t on_open(void *self, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct http2 *way = self;
	(void)purpose;
	/* libcurl would send it once more, which is for the case to do. */
	if (way->refused)
		return CURL_SOCKET_BAD;
	int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
	if (fd < 0)
		return CURL_SOCKET_BAD;
	set_connecting(way, false);
	way->opened = true;
	way->looked = false;
	if (!way->transfer->request->watch)
		way->transfer->client->connections++;
	return fd;
}

/*
 * A connection is there, and the request not yet sent. One that was not told of HTTP/2 since there was a connection, and
 * has come to open another, would ask for an upgrade. One that the server refused libcurl would send once more.
 */
static int on_chosen(void *self, char *remote, char *local, int remote_port, int local_port)
{
	struct http2 *way = self;
	struct transfer *transfer = way->transfer;
	(void)remote, (void)local, (void)remote_port, (void)local_port;
	way->again = way->opened && !way->prior;
	if (way->again || way->refused)
		return CURL_PREREQFUNC_ABORT;
	transfer->exchange->reused = !way->opened;
	if (transfer->sent.len)
		answer_restart(&transfer->answer);
	buf_clear(&transfer->sent);
	transfer->sent_head_bytes = 0;
	transfer->exchange->sent_body_bytes = 0;
	return CURL_PREREQFUNC_OK;
}

static bool tell_version(struct http2 *way, bool prior)
{
	long version = prior ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2_0;
	way->prior = prior;
	way->opened = way->again = false;
	return curl_easy_setopt(way->handle.easy, CURLOPT_HTTP_VERSION, version) == 0;
}

/* Of several only one that is to connect may be told that the server speaks HTTP/2. */
static bool choose_version(struct http2 *way)
{
	const struct client *client = way->transfer->client;
	way->prior = true;
	if (client->options.protocol != PROTOCOL_HTTP2C)
		return true;
	const struct request *request = way->transfer->request;
	if (request->fresh || request->watch)
		return tell_version(way, true);
	bool connects = !client->connections && !client->connecting;
	set_connecting(way, connects);
	return tell_version(way, connection_prior_knowledge_holds() || connects);
}

static bool set_apart(struct http2 *way)
{
	CURL *easy = way->handle.easy;
	return !way->transfer->request->watch ||
	       (curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L) == 0 &&
		       curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L) == 0 &&
		       /* Of this one the client's count knows nothing. */
		       curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, NULL) == 0);
}

static bool start_again(struct http2 *way)
{
	struct multi *multi = multi_of(way);
	multi_remove(multi, way->handle.easy);
	return tell_version(way, true) && multi_add(multi, way->handle.easy, &way->job) == RC_OK;
}

/* What broke HTTP/2, in the words of RFC 9113; false where it was something else. */
static bool add_violation(const struct http2 *way, CURLcode result, const char *text)
{
	struct framing_violations *seen = &way->transfer->answer.framing.violations;
	if (seen->count)
		return true;
	if (way->refused)
		framing_violations_add(seen, VIOLATION_REFUSED_STREAM,
			"the stream was ended by RST_STREAM of REFUSED_STREAM, which says that nothing was done of it");
	else if (way->goaway)
		framing_violations_add(seen, VIOLATION_GOAWAY,
			"the connection was ended by GOAWAY of %s (%u)", error_name(way->goaway),
			way->goaway);
	else if (result == CURLE_HTTP2_STREAM)
		framing_violations_add(seen, VIOLATION_STREAM_RESET, "%s", text);
	else if (result == CURLE_HTTP2)
		framing_violations_add(seen, VIOLATION_CONNECTION_ERROR, "%s", text);
	return seen->count > 0;
}

static bool is_no_http2(const struct framing_violations *seen)
{
	return framing_violations_has(seen, VIOLATION_OTHER_VERSION) ||
	       framing_violations_has(seen, VIOLATION_CONNECTION_ERROR);
}

static void fail(struct http2 *way, CURLcode result)
{
	struct transfer *transfer = way->transfer;
	struct answer *answer = &transfer->answer;
	long os_errno = 0;
	curl_easy_getinfo(way->handle.easy, CURLINFO_OS_ERRNO, &os_errno);
	enum failure failure = failure_of(result, os_errno, way->error);
	const char *text = failure_text(transfer->exchange->arena, result, os_errno, way->error);
	if (add_violation(way, result, text)) {
		failure =
			is_no_http2(&answer->framing.violations) ? FAILURE_FRAMING : FAILURE_RESET;
		text = answer->framing.violations.list[0].text;
	} else if (failure == FAILURE_CLOSED) {
		answer_eof(answer, false);
	}
	if (failure == FAILURE_CLOSED || failure == FAILURE_RESET)
		transfer->exchange->closed = transfer->exchange->closed || !way->refused;
	transfer->stop = NULL;
	release(way);
	transfer_end(transfer, failure, text);
}

static void on_done(void *self, CURLcode result)
{
	struct http2 *way = self;
	struct transfer *transfer = way->transfer;
	if (way->again && start_again(way))
		return;
	if (result != CURLE_OK) {
		fail(way, result);
		return;
	}
	answer_end_stream(&transfer->answer);
	transfer->stop = NULL;
	release(way);
	transfer_end(transfer, FAILURE_NONE, NULL);
}

static bool set_callbacks(struct http2 *way)
{
	CURL *easy = way->handle.easy;
	return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, way->error) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_debug) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_DEBUGDATA, way) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, way) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_HEADERDATA, way) == 0 &&
	       /* The stream ends where END_STREAM says so, and behind it trailers come. */
	       curl_easy_setopt(easy, CURLOPT_IGNORE_CONTENT_LENGTH, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, way) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_chosen) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PREREQDATA, way) == 0;
}

void http2_start(struct transfer *transfer)
{
	struct client *client = transfer->client;
	struct http2 *way = mem_alloc(1, sizeof *way);
	const char *refused = request_refused_by_http2(transfer->request);
	*way = (struct http2){ .transfer = transfer, .job = { way, on_readable, on_done } };
	transfer->way = way;
	answer_expect_http2(&transfer->answer);
	bool ready = !refused && handle_open(&way->handle, client, transfer->request) &&
		     set_callbacks(way) && choose_version(way) && set_apart(way) &&
		     multi_add(multi_of(way), way->handle.easy, &way->job) == RC_OK;
	if (ready) {
		transfer->stop = stop;
		return;
	}
	set_connecting(way, false);
	handle_close(&way->handle);
	free(way);
	transfer_end(
		transfer, FAILURE_LOCAL, refused ? refused : "libcurl does not take the request");
}
