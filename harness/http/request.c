#include "http/request.h"

#include "http/head.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const char *request_header(const struct request *request, const char *name)
{
	for (size_t i = 0; i < request->header_count; i++)
		if (slice_is_nocase(slice_of(request->headers[i].name), name))
			return request->headers[i].value;
	return NULL;
}

static bool conditional(const struct request *request)
{
	static const char *const names[] = { "If-None-Match", "If-Modified-Since", "If-Match",
		"If-Unmodified-Since", "If-Range" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (request_header(request, names[i]))
			return true;
	return false;
}

static bool plain_text(const char *text, char least)
{
	for (; *text; text++)
		if ((unsigned char)*text < (unsigned char)least || *text == 0x7f)
			return false;
	return true;
}

/* Would libcurl send this header's line as it is? */
static bool ordinary(const struct request_header *header)
{
	struct slice value = slice_of(header->value);
	return head_token(slice_of(header->name)) && plain_text(header->value, ' ') &&
	       slice_trim(value).len == value.len;
}

bool request_is_plain(const struct request *request)
{
	size_t hosts = 0;
	if (request->raw || strcmp(request->method, "HEAD") == 0 ||
		strcmp(request->method, "CONNECT") == 0 || conditional(request))
		return true;
	for (size_t i = 0; i < request->header_count; i++) {
		const struct request_header *header = &request->headers[i];
		if (!ordinary(header))
			return true;
		hosts += slice_is_nocase(slice_of(header->name), "Host");
	}
	const char *host = request_header(request, "Host");
	return hosts > 1 || (host && !*host) || request->target[0] != '/' ||
	       !plain_text(request->target, '!') || !head_token(slice_of(request->method));
}

/* RFC 9113 section 8.2.2: fields of a connection of HTTP/1.1 make a request malformed. */
static bool of_connection(const struct request_header *header)
{
	static const char *const names[] = { "Connection", "Keep-Alive", "Proxy-Connection",
		"Transfer-Encoding", "Upgrade" };
	struct slice name = slice_of(header->name);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is_nocase(name, names[i]))
			return true;
	return slice_is_nocase(name, "TE") && !slice_is_nocase(slice_of(header->value), "trailers");
}

const char *request_refused_by_http2(const struct request *request)
{
	const char *host = request_header(request, "Host");
	size_t hosts = 0;
	if (request->raw)
		return "`raw` sends bytes of HTTP/1.1, and HTTP/2 is spoken here";
	if (!head_token(slice_of(request->method)) || strcmp(request->method, "CONNECT") == 0)
		return "over HTTP/2 libcurl sends only a method that is a token and not CONNECT";
	if (request->target[0] != '/' || !plain_text(request->target, '!'))
		return "over HTTP/2 libcurl sends only a target that begins with / and has no spaces";
	if (request->without_host || (host && !*host))
		return "over HTTP/2 libcurl sends no request without Host, which is :authority there";
	for (size_t i = 0; i < request->header_count; i++) {
		const struct request_header *header = &request->headers[i];
		hosts += slice_is_nocase(slice_of(header->name), "Host");
		if (of_connection(header))
			return "HTTP/2 has no Connection, Transfer-Encoding and the like: RFC 9113 section 8.2.2";
		if (!ordinary(header) || hosts > 1)
			return "over HTTP/2 libcurl sends a field only where its name is a token and its value has no control bytes, and Host once";
	}
	return NULL;
}

bool request_has_body(const struct request *request)
{
	return request->body.ptr || request->file;
}

uint64_t request_body_bytes(const struct request *request)
{
	return request->file ? request->file->bytes : request->body.len;
}

size_t request_read_file(const struct request *request, uint64_t offset, void *bytes, size_t size)
{
	uint64_t rest = request->file->bytes - offset;
	ssize_t n = -1;
	do
		n = pread(
			request->file->fd, bytes, rest < size ? (size_t)rest : size, (off_t)offset);
	while (n < 0 && errno == EINTR);
	return n > 0 ? (size_t)n : 0;
}

bool request_wants_length(const struct request *request)
{
	const char *method = request->method;
	if (request_header(request, "Content-Length") ||
		request_header(request, "Transfer-Encoding"))
		return false;
	return request_has_body(request) || strcmp(method, "POST") == 0 ||
	       strcmp(method, "PUT") == 0 || strcmp(method, "PATCH") == 0;
}

void request_write_head(const struct request *request, const char *host, struct buf *head)
{
	enum rc rc = buf_print(head, "%s %s HTTP/1.1\r\n", request->method, request->target);
	if (rc == RC_OK && !request->without_host && !request_header(request, "Host"))
		rc = buf_print(head, "Host: %s\r\n", host);
	for (size_t i = 0; i < request->header_count && rc == RC_OK; i++)
		rc = buf_print(
			head, "%s: %s\r\n", request->headers[i].name, request->headers[i].value);
	if (rc == RC_OK && request_wants_length(request))
		rc = buf_print(head, "Content-Length: %llu\r\n",
			(unsigned long long)request_body_bytes(request));
	if (rc == RC_OK)
		rc = buf_text(head, "\r\n");
	if (rc != RC_OK)
		BUG("a request head outgrew its buffer");
}

static size_t end_of_head(struct slice bytes)
{
	size_t crlf = slice_find(bytes, slice_of("\r\n\r\n"));
	size_t lf = slice_find(bytes, slice_of("\n\n"));
	size_t end = crlf < lf ? crlf + 4 : lf;
	if (lf < crlf)
		end += 2;
	return end;
}

/* Where the request at the start of bytes ends by its own framing; SIZE_MAX where it does not. */
static size_t end_of_request(struct slice bytes, struct framing_violations *unused)
{
	struct headers headers;
	uint64_t length = 0;
	size_t line = slice_find_byte(bytes, '\n'), head = end_of_head(bytes);
	bool chunked = false;
	if (head == SIZE_MAX || line == SIZE_MAX)
		return SIZE_MAX;
	head_fields(slice_part(bytes, line + 1, head - line - 1), &headers, unused);
	for (size_t i = 0; i < headers.count; i++) {
		const struct header *header = &headers.list[i];
		if (slice_is_nocase(header->name, "Transfer-Encoding"))
			chunked = true;
		else if (slice_is_nocase(header->name, "Content-Length") &&
			 !slice_number(header->value, INT64_MAX, &length))
			return SIZE_MAX;
	}
	struct slice body = slice_part(bytes, head, SIZE_MAX);
	if (chunked) {
		size_t last = slice_find(body, slice_of("0\r\n\r\n"));
		return last == SIZE_MAX ? SIZE_MAX : head + last + 5;
	}
	return length > body.len ? SIZE_MAX : head + (size_t)length;
}

struct raw_facts request_raw_facts(const struct request *request)
{
	struct raw_facts facts = { .count = 1 };
	struct buf all;
	buf_init(&all, SIZE_MAX / 2);
	for (size_t i = 0; i < request->raw_count; i++) {
		const struct raw_item *item = &request->raw[i];
		if (item->kind == RAW_BYTES && buf_append(&all, item->bytes) != RC_OK)
			BUG("raw bytes outgrew their buffer");
	}
	struct slice rest = buf_slice(&all);
	facts.method = "GET";
	if (slice_starts(rest, "HEAD "))
		facts.method = "HEAD";
	else if (slice_starts(rest, "CONNECT "))
		facts.method = "CONNECT";
	struct arena *arena = arena_new();
	struct framing_violations unused;
	framing_violations_init(&unused, arena);
	size_t end = end_of_request(rest, &unused);
	while (end < rest.len) {
		rest = slice_part(rest, end, SIZE_MAX);
		/* An empty line behind a request is none: RFC 9112 section 2.2. */
		while (slice_starts(rest, "\r\n"))
			rest = slice_part(rest, 2, SIZE_MAX);
		facts.count += rest.len > 0;
		end = end_of_request(rest, &unused);
	}
	arena_free(arena);
	buf_release(&all);
	return facts;
}
