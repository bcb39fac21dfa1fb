#include "http/plain.h"

#include "http/failure.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

struct plain {
	struct client *client;
	struct plain_user user;
	CURL *easy;
	struct multi_job job;
	struct watch watch;
	CURLcode last; /* result of the last read or write that failed */
	char error[CURL_ERROR_SIZE];
	struct plain *next; /* in client->idle */
};

static void on_ready(void *self, uint32_t events)
{
	struct plain *plain = self;
	(void)events;
	plain->user.ready(plain->user.self);
}

static void on_connected(void *self, CURLcode result)
{
	struct plain *plain = self;
	curl_socket_t fd = CURL_SOCKET_BAD;
	curl_easy_getinfo(plain->easy, CURLINFO_ACTIVESOCKET, &fd);
	plain->watch = (struct watch){ .fd = fd, .ready = on_ready, .self = plain };
	if (result == CURLE_OK && fd == CURL_SOCKET_BAD)
		result = CURLE_COULDNT_CONNECT;
	plain->user.connected(plain->user.self, result);
}

struct plain *plain_open(struct client *client, const struct plain_user *user)
{
	struct plain *plain = mem_alloc(1, sizeof *plain);
	plain->client = client;
	plain->user = *user;
	plain->easy = curl_easy_init();
	plain->job = (struct multi_job){ .self = plain, .done = on_connected };
	bool ready = plain->easy && client_set_up(client, plain->easy) &&
		     curl_easy_setopt(plain->easy, CURLOPT_ERRORBUFFER, plain->error) == 0 &&
		     curl_easy_setopt(plain->easy, CURLOPT_CONNECT_ONLY, 1L) == 0 &&
		     curl_easy_setopt(plain->easy, CURLOPT_FRESH_CONNECT, 1L) == 0 &&
		     multi_add(&client->multi, plain->easy, &plain->job) == RC_OK;
	if (ready)
		return plain;
	curl_easy_cleanup(plain->easy);
	free(plain);
	return NULL;
}

struct plain *plain_take(struct client *client, const struct plain_user *user)
{
	uint8_t bytes[256];
	size_t count;
	while (client->idle) {
		struct plain *plain = client->idle;
		client->idle = plain->next;
		plain->user = *user;
		enum rc rc = plain_read(plain, bytes, sizeof bytes, &count);
		if (rc == RC_TIMEOUT)
			return plain;
		size_t room = client->unasked.max - client->unasked.len;
		struct slice fits = slice_part(slice_from(bytes, count), 0, room);
		if (buf_append(&client->unasked, fits) != RC_OK)
			BUG("a buffer has less room than it says");
		plain_close(plain, false);
	}
	return NULL;
}

void plain_keep(struct plain *plain)
{
	engine_unwatch(plain->client->engine, &plain->watch);
	plain->next = plain->client->idle;
	plain->client->idle = plain;
}

void plain_close(struct plain *plain, bool reset)
{
	const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };
	if (!plain)
		return;
	engine_unwatch(plain->client->engine, &plain->watch);
	if (reset)
		setsockopt(plain->watch.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	/* That closes the socket: nothing else may use the connection of a CONNECT_ONLY handle. */
	multi_remove(&plain->client->multi, plain->easy);
	curl_easy_cleanup(plain->easy);
	free(plain);
}

void plain_wait(struct plain *plain, bool write)
{
	engine_watch(plain->client->engine, &plain->watch, write ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

static enum rc outcome(struct plain *plain, CURLcode code)
{
	if (code == CURLE_OK)
		return RC_OK;
	if (code == CURLE_AGAIN)
		return RC_TIMEOUT;
	plain->last = code;
	return RC_CLOSED;
}

enum rc plain_write(struct plain *plain, struct slice bytes, size_t *count)
{
	*count = 0;
	return outcome(plain, curl_easy_send(plain->easy, bytes.ptr, bytes.len, count));
}

enum rc plain_read(struct plain *plain, void *bytes, size_t size, size_t *count)
{
	*count = 0;
	return outcome(plain, curl_easy_recv(plain->easy, bytes, size, count));
}

bool plain_ended(const struct plain *plain)
{
	const struct tls_end *end = tls_end_opened(&plain->client->tls_ends, plain->easy);
	return !end || end->notified;
}

static long os_errno(const struct plain *plain)
{
	long number = 0;
	curl_easy_getinfo(plain->easy, CURLINFO_OS_ERRNO, &number);
	return number;
}

enum failure plain_failure(const struct plain *plain, CURLcode result)
{
	return failure_of(result ? result : plain->last, os_errno(plain), plain->error);
}

const char *plain_failure_text(const struct plain *plain, CURLcode result, struct arena *arena)
{
	return failure_text(arena, result ? result : plain->last, os_errno(plain), plain->error);
}
