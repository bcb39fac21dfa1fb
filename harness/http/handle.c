#include "http/handle.h"

#include "http/request.h"
#include "http/transfer.h"

#include <stdlib.h>
#include <string.h>

static bool add_line(struct handle *handle, const char *line)
{
	struct curl_slist *list = curl_slist_append(handle->headers, line);
	handle->headers = list ? list : handle->headers;
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
static bool add_headers(struct handle *handle)
{
	const struct request *request = handle->request;
	static const char *const own[] = { "Accept", "Expect", "Content-Type" };
	size_t count = speaks_of_body(request) ? sizeof own / sizeof *own : 1;
	bool ok = true;
	char *line;
	for (size_t i = 0; i < count; i++) {
		if (request_header(request, own[i]))
			continue;
		line = mem_print("%s:", own[i]);
		ok = add_line(handle, line) && ok;
		free(line);
	}
	if (request->without_host)
		ok = add_line(handle, "Host:") && ok;
	for (size_t i = 0; i < request->header_count; i++) {
		const struct request_header *header = &request->headers[i];
		/* "Name;" is libcurl's way of an empty value. */
		line = header->value[0] ? mem_print("%s: %s", header->name, header->value)
					: mem_print("%s;", header->name);
		ok = add_line(handle, line) && ok;
		free(line);
	}
	return ok && curl_easy_setopt(handle->easy, CURLOPT_HTTPHEADER, handle->headers) == 0;
}

static size_t on_read(char *data, size_t size, size_t count, void *self)
{
	struct handle *handle = self;
	const struct request *request = handle->request;
	size_t n = request_read_file(request, handle->file_offset, data, size * count);
	if (!n && handle->file_offset < request->file->bytes)
		return CURL_READFUNC_ABORT;
	handle->file_offset += n;
	return n;
}

/* Where the request is sent once more, on another connection. */
static int on_seek(void *self, curl_off_t offset, int origin)
{
	struct handle *handle = self;
	if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > handle->request->file->bytes)
		return CURL_SEEKFUNC_FAIL;
	handle->file_offset = (uint64_t)offset;
	return CURL_SEEKFUNC_OK;
}

static bool set_file(struct handle *handle, uint64_t bytes)
{
	CURL *easy = handle->easy;
	return curl_easy_setopt(easy, CURLOPT_POST, 1L) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)bytes) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_read) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_READDATA, handle) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_seek) == 0 &&
	       curl_easy_setopt(easy, CURLOPT_SEEKDATA, handle) == 0;
}

static bool set_request(struct handle *handle, bool http2)
{
	const struct request *request = handle->request;
	CURL *easy = handle->easy;
	bool ok = curl_easy_setopt(easy, CURLOPT_REQUEST_TARGET, request->target) == 0;
	/* Thousands of event streams are held at once: 1024 is the least that libcurl takes. */
	if (request->watch && !http2)
		ok = ok && curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 1024L) == 0;
	if (request_body_bytes(request) && request->file) {
		ok = ok && set_file(handle, request->file->bytes);
	} else if (speaks_of_body(request)) {
		ok = ok && curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
				   (curl_off_t)request->body.len) == 0;
		ok = ok && curl_easy_setopt(easy, CURLOPT_POSTFIELDS,
				   request->body.len ? (const char *)request->body.ptr : "") == 0;
	}
	ok = ok && curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, (long)request->fresh) == 0;
	if (strcmp(request->method, "HEAD") == 0)
		return ok && curl_easy_setopt(easy, CURLOPT_NOBODY, 1L) == 0;
	return ok && curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method) == 0;
}

bool handle_open(struct handle *handle, struct client *client, const struct request *request)
{
	*handle = (struct handle){ .easy = curl_easy_init(), .request = request };
	bool http2 = client->options.protocol != PROTOCOL_HTTP1;
	return handle->easy && client_set_up(client, handle->easy) && set_request(handle, http2) &&
	       add_headers(handle);
}

void handle_close(struct handle *handle)
{
	curl_easy_cleanup(handle->easy);
	curl_slist_free_all(handle->headers);
	*handle = (struct handle){ 0 };
}
