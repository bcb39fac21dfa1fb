/*
 * http2_testing: a server that answers every request over HTTP/2 without TLS with the same frames, those of a table. It
 * reads no fields.
 */
#ifndef HTTP_HTTP2_TESTING_H
#define HTTP_HTTP2_TESTING_H

#include <arpa/inet.h>

#include "http/client.h"
#include "http/http2_frames_testing.h"

struct http2_server {
	int fd, port;
	const struct frame *frames;
	int waits_for; /* so many requests are awaited before the answers, which come the last first */
	atomic_int connections, requests, open;
	pthread_t thread;
};

struct http2_connection {
	struct http2_server *server;
	int fd;
};

/* The next frame that ends a request; 0 at the end. */
static inline uint32_t http2_next(struct http2_server *server, int fd)
{
	unsigned char head[9];
	static const size_t FRAME_BYTES = 1 << 14;
	while (http2_read(fd, head, sizeof head)) {
		char bytes[1 << 14];
		size_t len = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
		if (len > FRAME_BYTES || !http2_read(fd, bytes, len))
			return 0;
		if (head[3] == SETTINGS && !(head[4] & ACK) && server->frames[0].type != RAW_TEXT)
			http2_write(fd, SETTINGS, ACK, 0, "", 0);
		if ((head[3] == HEADERS || head[3] == DATA) && (head[4] & END_STREAM)) {
			server->requests++;
			return (uint32_t)head[5] << 24 | (uint32_t)head[6] << 16 |
			       (uint32_t)head[7] << 8 | head[8];
		}
	}
	return 0;
}

static inline void *http2_serve(void *self)
{
	struct http2_connection *c = self;
	struct http2_server *server = c->server;
	char preface[24], rest[4096];
	uint32_t streams[8];
	bool more =
		http2_read(c->fd, preface, sizeof preface) &&
		(server->frames[0].type == RAW_TEXT || http2_write(c->fd, SETTINGS, 0, 0, "", 0));
	while (more) {
		int count = 0;
		while (count < server->waits_for && (streams[count] = http2_next(server, c->fd)))
			count++;
		more = count == server->waits_for;
		while (more && count-- > 0)
			more = http2_answer(c->fd, server->frames, streams[count]);
	}
	/* So that what was sent arrives before the end. */
	shutdown(c->fd, SHUT_WR);
	while (recv(c->fd, rest, sizeof rest, 0) > 0)
		;
	close(c->fd);
	server->open--;
	free(c);
	return NULL;
}

static inline void *http2_accept(void *self)
{
	struct http2_server *server = self;
	for (;;) {
		int fd = accept(server->fd, NULL, NULL);
		if (fd < 0)
			return NULL;
		struct http2_connection *c = calloc(1, sizeof *c);
		pthread_t thread;
		c->server = server;
		c->fd = fd;
		server->connections++;
		server->open++;
		pthread_create(&thread, NULL, http2_serve, c);
		pthread_detach(thread);
	}
}

static inline void http2_start_server(
	struct http2_server *server, const struct frame *frames, int waits_for)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof address;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*server = (struct http2_server){ .frames = frames, .waits_for = waits_for };
	server->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(server->fd, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(server->fd, 16), 0);
	getsockname(server->fd, (struct sockaddr *)&address, &size);
	server->port = ntohs(address.sin_port);
	pthread_create(&server->thread, NULL, http2_accept, server);
}

/* The clients must have been freed: that ends the connections. */
static inline void http2_stop_server(struct http2_server *server)
{
	shutdown(server->fd, SHUT_RDWR);
	pthread_join(server->thread, NULL);
	close(server->fd);
	while (server->open)
		usleep(1000);
}

#endif
