#include "http/client.h"

#include "http/peek.h"
#include "http/plain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONNECT_MAX_MS (24L * 60 * 60 * 1000) /* the transfer's own timer comes first */

static const char *copied(struct arena *arena, const char *text)
{
	return text ? arena_text(arena, text) : NULL;
}

static void copy_options(struct client *client, const struct client_options *options)
{
	struct arena *arena = client->arena;
	bool bare_address = strchr(options->host, ':') && options->host[0] != '[';
	bool tls = strcmp(options->scheme, "https") == 0;
	client->options = *options;
	client->tls = tls;
	const char *host = bare_address ? arena_print(arena, "[%s]", options->host)
					: arena_text(arena, options->host);
	client->options.scheme = tls ? "https" : "http";
	client->options.host = host;
	client->options.cacert = copied(arena, options->cacert);
	client->options.unix_path = copied(arena, options->unix_path);
	client->options.certificate = copied(arena, options->certificate);
	client->options.key = copied(arena, options->key);
	client->origin =
		arena_print(arena, "%s://%s:%d", client->options.scheme, host, options->port);
	client->url = arena_print(arena, "%s/", client->origin);
	/* RFC 9110 section 7.2: the port is left out where it is the scheme's own. */
	bool own_port = options->port == (tls ? 443 : 80);
	client->authority = own_port ? host : arena_print(arena, "%s:%d", host, options->port);
	for (size_t i = 0; options->resolve && options->resolve[i]; i++)
		client->resolve = curl_slist_append(client->resolve, options->resolve[i]);
	client->options.resolve = NULL;
}

struct client *client_new(struct engine *engine, const struct client_options *options)
{
	struct client *client = mem_alloc(1, sizeof *client);
	client->engine = engine;
	client->arena = arena_new();
	client->tls_ends.arena = client->arena;
	buf_init(&client->unasked, PEEK_BYTES);
	copy_options(client, options);
	bool http2 = options->protocol != PROTOCOL_HTTP1;
	multi_init(&client->multi, engine, http2);
	if (http2)
		multi_init(&client->watched, engine, false);
	return client;
}

void client_free(struct client *client)
{
	const struct plain_user nobody = { 0 };
	if (!client)
		return;
	if (client->transfers)
		BUG("a client is freed before its transfers were taken");
	for (struct plain *plain; (plain = plain_take(client, &nobody));)
		plain_close(plain, false);
	multi_release(&client->multi);
	if (client->options.protocol != PROTOCOL_HTTP1)
		multi_release(&client->watched);
	left_release(&client->left);
	buf_release(&client->unasked);
	curl_slist_free_all(client->resolve);
	arena_free(client->arena);
	free(client);
}

/* libcurl closes a connection at once where the answer asks to: the last look at what is behind the answer. */
static int on_close(void *self, curl_socket_t fd)
{
	struct client *client = self;
	if (client->options.protocol != PROTOCOL_HTTP1) {
		client->connections--;
		return close(fd);
	}
	for (struct transfer *t = client->transfers; t; t = t->next) {
		struct peek peek;
		if (t->fd != fd || t->done)
			continue;
		peek_behind(fd, client->tls, &peek);
		t->exchange->closed = t->exchange->closed || peek.ended;
		if (t->answer.framing.state == FRAMING_DONE)
			answer_push(&t->answer, peek.bytes, clock_now_ns());
	}
	if (left_remove(&client->left, fd))
		peek_unasked(fd, client->tls, &client->unasked);
	return close(fd);
}

bool client_set_up(struct client *client, CURL *easy)
{
	bool ok = curl_easy_setopt(easy, CURLOPT_URL, client->url) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0L) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_PROXY, "") == 0 &&
		  curl_easy_setopt(easy, CURLOPT_NOPROXY, "*") == 0 &&
		  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 64L * 1024) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MAX_MS) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close) == 0 &&
		  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, client) == 0;
	if (client->resolve)
		ok = ok && curl_easy_setopt(easy, CURLOPT_RESOLVE, client->resolve) == 0;
	return ok && connection_set(easy, &client->options) &&
	       (!client->tls || tls_end_listen(&client->tls_ends, easy));
}
