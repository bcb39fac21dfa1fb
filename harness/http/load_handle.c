/* What libcurl is told of a request, and what its callbacks see of the answer. */
#include "http/load_call.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CONNECT_MAX_MS       (24L * 60 * 60 * 1000) /* the load's own time-out comes first */
#define CONNECT_LIBCURL_NS   (300 * NS_PER_S)       /* libcurl's own limit */
#define BUFFER_DEFAULT_BYTES ((size_t)16 * 1024)

static bool starts_nocase(const char *line, size_t len, const char *name)
{
	size_t name_len = strlen(name);
	return len > name_len && strncasecmp(line, name, name_len) == 0;
}

static void add_coding(struct load_call *call, struct slice value)
{
	const char *comma = call->coding_len ? ", " : "";
	size_t room = sizeof call->coding - call->coding_len;
	if (slice_is_nocase(value, "identity") || !value.len)
		return;
	int n = snprintf(
		call->coding + call->coding_len, room, "%s%.*s", comma, SLICE_PRINT(value));
	if (n < 0 || (size_t)n >= room)
		call->undecodable = true;
	call->coding_len = strlen(call->coding);
}

static struct slice value_behind(const char *line, size_t len, const char *name)
{
	struct slice value = slice_part(slice_from(line, len), strlen(name), SIZE_MAX);
	while (value.len && (value.ptr[value.len - 1] == '\r' || value.ptr[value.len - 1] == '\n'))
		value.len--;
	return slice_trim(value);
}

/* Only three fields mean something to a load; most lines are told by their first letter. */
static void read_line(struct load_call *call, const char *line, size_t len)
{
	switch (line[0] | 0x20) {
	case 'c':
		if (starts_nocase(line, len, "content-encoding:"))
			add_coding(call, value_behind(line, len, "content-encoding:"));
		else if (starts_nocase(line, len, "connection:") &&
			 slice_is_nocase(value_behind(line, len, "connection:"), "close"))
			call->says_close = true;
		break;
	case 't':
		if (starts_nocase(line, len, "transfer-encoding:") &&
			slice_is_nocase(value_behind(line, len, "transfer-encoding:"), "chunked"))
			call->body.chunked = true;
		break;
	default: break;
	}
}

/* A line of a head, or of trailers; a status line begins a head, which may not be the last. */
static size_t on_header(char *line, size_t size, size_t count, void *self)
{
	struct load_call *call = self;
	size_t len = size * count;
	call->wire_bytes += len;
	if (len > 5 && memcmp(line, "HTTP/", 5) == 0) {
		if (!call->first_ns)
			call->first_ns = clock_now_ns();
		call->coding_len = 0;
		call->coding[0] = 0;
		call->body.chunked = false;
		call->says_close = false;
		call->headed = false;
	} else if (len && (line[0] == '\r' || line[0] == '\n')) {
		call->headed = true;
	} else if (len) {
		read_line(call, line, len);
	}
	return len;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *self)
{
	struct load_call *call = self;
	size_t len = size * count;
	call->wire_bytes += len;
	call->has_body = true;
	if (!call->thread->setup->plan->decode)
		return len;
	if (!call->body.open)
		load_body_open(&call->body, call->body.chunked, call->coding);
	load_body_push(&call->body, slice_from(bytes, len));
	return len;
}

/* A connection is there, and the request not yet sent. */
static int on_chosen(void *self, char *remote, char *local, int remote_port, int local_port)
{
	struct load_call *call = self;
	(void)remote, (void)local, (void)remote_port, (void)local_port;
	if (call->group->opener == call)
		call->group->opener = NULL;
	if (!call->sent_ns) {
		call->sent_ns = clock_now_ns();
		return CURL_PREREQFUNC_OK;
	}
	if (call->thread->setup->plan->address.protocol == PROTOCOL_HTTP1) {
		call->gone = true;
		return CURL_PREREQFUNC_ABORT;
	}
	call->thread->result->resent++;
	return CURL_PREREQFUNC_OK;
}

static bool set_connection(CURL *easy, const struct load_setup *setup)
{
	/* Parsed before, which saves libcurl a fifth of its work on each request. */
	bool ok = curl_easy_setopt(easy, CURLOPT_CURLU, setup->url) == 0 &&
		  connection_set(easy, &setup->plan->address);
	/* A limit of any length is a timer for each request, so there is none but where libcurl's would come first. */
	if (setup->plan->timeout_ns >= CONNECT_LIBCURL_NS)
		ok = ok && curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MAX_MS) == 0;
	if (setup->resolve)
		ok = ok && curl_easy_setopt(easy, CURLOPT_RESOLVE, setup->resolve) == 0;
	return ok;
}

/*
 * libcurl copies the names of the certificates to trust for each request, also where there is no TLS, and those of a
 * proxy. What was not built with TLS or proxies doesn't know these options, and has nothing to copy.
 */
static void forget_certificates(CURL *easy, const struct client_options *address)
{
	static const CURLoption names[] = { CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH,
		CURLOPT_CAINFO, CURLOPT_CAPATH };
	size_t count = strcmp(address->scheme, "https") == 0 ? 2 : 4;
	for (size_t i = 0; i < count; i++)
		(void)curl_easy_setopt(easy, names[i], NULL);
}

static bool set_quiet(CURL *easy, const struct load_plan *plan)
{
	size_t bytes = plan->buffer_bytes ? plan->buffer_bytes : BUFFER_DEFAULT_BYTES;
	if (plan->address.protocol != PROTOCOL_HTTP1 && bytes < CONNECTION_HTTP2_BUFFER_BYTES)
		bytes = CONNECTION_HTTP2_BUFFER_BYTES;
	return curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, (long)bytes) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == 0 &&
	       /* Else it looks for names to forget behind each request. */
	       curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, -1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PROXY, "") == 0 &&
	       curl_easy_setopt(easy, CURLOPT_NOPROXY, "*") == 0;
}

static bool set_request(CURL *easy, const struct load_setup *setup, size_t kind)
{
	const struct load_request *request = &setup->plan->requests[kind];
	bool ok = curl_easy_setopt(easy, CURLOPT_REQUEST_TARGET, request->target) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, setup->headers[kind]) == 0;
	if (request->body.ptr) {
		const char *body = request->body.len ? (const char *)request->body.ptr : "";
		ok = ok &&
		     curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
			     (curl_off_t)request->body.len) == 0 &&
		     curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body) == 0;
	}
	if (strcmp(request->method, "HEAD") == 0)
		return ok && curl_easy_setopt(easy, CURLOPT_NOBODY, 1L) == 0;
	return ok && curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) == 0;
}

static bool set_callbacks(struct load_call *call)
{
	CURL *easy = call->easy;
	return curl_easy_setopt(easy, CURLOPT_PRIVATE, call) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->error) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_HEADERDATA, call) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_WRITEDATA, call) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_chosen) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_PREREQDATA, call) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, load_group_open) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, call) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, load_group_close) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, call->group) == 0;
}

bool load_handle_set(struct load_call *call, const struct load_setup *setup)
{
	forget_certificates(call->easy, &setup->plan->address);
	return set_connection(call->easy, setup) && set_quiet(call->easy, setup->plan) &&
	       set_request(call->easy, setup, call->kind) && set_callbacks(call);
}

bool load_handle_possible(const struct load_setup *setup)
{
	bool ok = true;
	for (size_t i = 0; ok && i < setup->plan->request_count; i++) {
		struct load_call call = { .kind = i, .easy = curl_easy_init() };
		ok = call.easy && load_handle_set(&call, setup);
		curl_easy_cleanup(call.easy);
	}
	return ok;
}
