/*
 * handle: an easy handle of libcurl's that is told a request: what ordinary.c and streams.c share. What comes back they see
 * each in their own way.
 */
#ifndef HTTP_HANDLE_H
#define HTTP_HANDLE_H

#include <curl/curl.h>

#include "http/client.h"

struct handle {
	CURL *easy;
	const struct request *request;
	struct curl_slist *headers;
	uint64_t file_offset; /* of the body's file, in what is sent next */
};

/* The request must live until handle_close, which is due in any case. False where libcurl does not take it. */
bool handle_open(
	struct handle *handle, struct client *client, const struct request *request) MUST_USE;
void handle_close(struct handle *handle);

#endif
