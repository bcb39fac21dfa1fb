/*
 * server_testing: a tiny server for the tests of the client, a thread for each connection, and a client of it.
 */
#ifndef HTTP_SERVER_TESTING_H
#define HTTP_SERVER_TESTING_H

#include <arpa/inet.h>

#include "http/client.h"
#include "http/scenario_testing.h"

static inline void *server_accept(void *self)
{
	struct server *server = self;
	for (;;) {
		int fd = accept(server->fd, NULL, NULL);
		if (fd < 0)
			return NULL;
		struct server_connection *c = calloc(1, sizeof *c);
		pthread_t thread;
		c->server = server;
		c->fd = fd;
		server->connections++;
		server->open++;
		pthread_create(&thread, NULL, server_serve, c);
		pthread_detach(thread);
	}
}

static inline void server_start(
	struct server *server, const struct scenario *scenarios, size_t count)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof address;
	memset(server, 0, sizeof *server);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	server->scenarios = scenarios;
	server->count = count;
	pthread_mutex_init(&server->lock, NULL);
	server->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(server->fd, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(server->fd, 64), 0);
	getsockname(server->fd, (struct sockaddr *)&address, &size);
	server->port = ntohs(address.sin_port);
	pthread_create(&server->thread, NULL, server_accept, server);
}

/* The clients must have been freed: that ends the connections. */
static inline void server_stop(struct server *server)
{
	server->stop = true;
	shutdown(server->fd, SHUT_RDWR);
	pthread_join(server->thread, NULL);
	close(server->fd);
	while (server->open)
		usleep(1000);
}

/* The request that came last, head and body; text has room for SERVER_LAST_BYTES. */
static inline void server_last(struct server *server, char *text)
{
	pthread_mutex_lock(&server->lock);
	memcpy(text, server->last, sizeof server->last);
	pthread_mutex_unlock(&server->lock);
}

struct world {
	struct server server;
	struct engine *engine;
	struct client *client;
};

static inline void world_init(struct world *w, const struct scenario *scenarios, size_t count)
{
	struct err err = { 0 };
	ck_assert_msg(http_init(&err) == RC_OK, "%s", err.text);
	server_start(&w->server, scenarios, count);
	w->engine = engine_new();
	const struct client_options options = {
		.scheme = "http", .host = "127.0.0.1", .port = w->server.port
	};
	w->client = client_new(w->engine, &options);
}

static inline void world_release(struct world *w)
{
	client_free(w->client);
	engine_free(w->engine);
	server_stop(&w->server);
}

/* The names of an exchange's violations, joined by spaces. */
static inline void violation_names(const struct exchange *x, char *text, size_t size)
{
	size_t len = 0;
	text[0] = 0;
	for (size_t i = 0; i < x->violation_count; i++)
		len += (size_t)snprintf(
			text + len, size - len, "%s%s", i ? " " : "", x->violations[i].name);
}

#endif
