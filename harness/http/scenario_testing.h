/*
 * scenario_testing: the bytes with which the tests' server answers, and the connection that answers with them. It knows
 * no HTTP but the empty line behind a head and Content-Length.
 */
#ifndef HTTP_SCENARIO_TESTING_H
#define HTTP_SCENARIO_TESTING_H

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SERVER_LAST_BYTES = 4096 };
enum after { AFTER_KEEP, AFTER_CLOSE, AFTER_RESET, AFTER_HOLD, AFTER_ENDLESS };

struct scenario {
	const char *target;
	const char *bytes;
	size_t len;
	enum after after;
	size_t split;     /* how many bytes go first, where pause_ms is set */
	int pause_ms;     /* before the others */
	const char *more; /* AFTER_ENDLESS: again and again */
};

struct server {
	int fd, port;
	const struct scenario *scenarios;
	size_t count;
	atomic_int connections, open;
	atomic_bool stop;
	pthread_t thread;
	pthread_mutex_t lock;
	char last[SERVER_LAST_BYTES]; /* request head, under lock */
};

struct server_connection {
	struct server *server;
	int fd;
	char bytes[65536];
	size_t len;
};

static inline bool server_write(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

/* Reads a head and its body; false at the end. What follows stays in c->bytes. */
static inline bool server_read(struct server_connection *c, char *head, size_t size)
{
	for (;;) {
		c->bytes[c->len] = 0;
		char *end = strstr(c->bytes, "\r\n\r\n");
		const char *length = end ? strcasestr(c->bytes, "\r\nContent-Length:") : NULL;
		size_t body = length && length < end ? strtoul(length + 17, NULL, 10) : 0;
		size_t all = end ? (size_t)(end - c->bytes) + 4 + body : 0;
		if (end && c->len >= all) {
			snprintf(head, size, "%.*s", (int)all, c->bytes);
			memmove(c->bytes, c->bytes + all, c->len - all);
			c->len -= all;
			return true;
		}
		ssize_t n = recv(c->fd, c->bytes + c->len, sizeof c->bytes - 1 - c->len, 0);
		if (n <= 0)
			return false;
		c->len += (size_t)n;
	}
}

static inline const struct scenario *server_find(const struct server *server, const char *head)
{
	const char *target = strchr(head, ' ');
	for (size_t i = 0; target && i < server->count; i++) {
		size_t len = strlen(server->scenarios[i].target);
		if (strncmp(target + 1, server->scenarios[i].target, len) == 0 &&
			target[1 + len] == ' ')
			return &server->scenarios[i];
	}
	return NULL;
}

/* True where the connection goes on. */
static inline bool server_answer(struct server_connection *c, const struct scenario *s)
{
	const struct linger at_once = { .l_onoff = 1 };
	size_t first = s->pause_ms ? s->split : s->len;
	bool ok = server_write(c->fd, s->bytes, first);
	if (s->pause_ms)
		usleep((useconds_t)s->pause_ms * 1000);
	ok = ok && server_write(c->fd, s->bytes + first, s->len - first);
	while (ok && s->after == AFTER_ENDLESS && !c->server->stop)
		ok = server_write(c->fd, s->more, strlen(s->more));
	if (s->after == AFTER_HOLD)
		while (recv(c->fd, c->bytes, sizeof c->bytes, 0) > 0)
			;
	if (s->after == AFTER_RESET)
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	return ok && s->after == AFTER_KEEP;
}

static inline void *server_serve(void *self)
{
	struct server_connection *c = self;
	struct server *server = c->server;
	char head[SERVER_LAST_BYTES];
	bool more = true;
	while (more && server_read(c, head, sizeof head)) {
		pthread_mutex_lock(&server->lock);
		memcpy(server->last, head, sizeof head);
		pthread_mutex_unlock(&server->lock);
		const struct scenario *s = server_find(server, head);
		more = s && server_answer(c, s);
	}
	close(c->fd);
	free(c);
	server->open--;
	return NULL;
}

#endif
