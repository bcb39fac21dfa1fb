#include "http/null_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"

enum { HEAD_BYTES_MAX = 64 * 1024, READ_BYTES = 64 * 1024, EVENTS = 256, BACKLOG = 4096 };

#define ANSWER_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n"
_Static_assert(sizeof NULL_SERVER_BODY == 3, "the length that ANSWER_HEAD names");

static const char ANSWER[] = ANSWER_HEAD NULL_SERVER_BODY;

struct null_connection {
	bool open;
	struct buf head;      /* of a request that isn't complete */
	uint64_t body_left;   /* bytes of its body that are still to come */
	bool without_content; /* HEAD */
};

struct null_loop {
	int listener, epoll;
	struct null_connection *connections; /* by descriptor */
	size_t room;
};

static struct null_connection *connection_at(struct null_loop *loop, int fd)
{
	size_t wanted = (size_t)fd + 1;
	if (wanted > loop->room) {
		size_t room = 2 * wanted;
		loop->connections = mem_grow(loop->connections, room, sizeof *loop->connections);
		memset(loop->connections + loop->room, 0,
			(room - loop->room) * sizeof *loop->connections);
		loop->room = room;
	}
	return &loop->connections[fd];
}

static void drop(struct null_loop *loop, int fd)
{
	struct null_connection *c = connection_at(loop, fd);
	buf_release(&c->head);
	*c = (struct null_connection){ 0 };
	close(fd);
}

static void accept_all(struct null_loop *loop)
{
	for (;;) {
		int fd = accept4(loop->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return;
		struct null_connection *c = connection_at(loop, fd);
		struct epoll_event event = { .events = EPOLLIN, .data = { .fd = fd } };
		c->open = true;
		buf_init(&c->head, HEAD_BYTES_MAX);
		if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
			drop(loop, fd);
	}
}

/* Where there are several the last counts; a request that is not well-formed is the generator's fault. */
static uint64_t content_length(struct slice head)
{
	struct slice line, name;
	uint64_t length = 0;
	while (slice_next(&head, '\n', &line))
		if (slice_next(&line, ':', &name) && slice_is_nocase(name, "Content-Length") &&
			line.len &&
			!slice_number(
				slice_trim(slice_part(line, 0, line.len - 1)), UINT64_MAX, &length))
			length = 0;
	return length;
}

static bool answer(int fd, struct null_connection *c)
{
	size_t size = c->without_content ? sizeof ANSWER_HEAD - 1 : sizeof ANSWER - 1;
	/* Whoever doesn't read what is so small has hung up. */
	return send(fd, ANSWER, size, MSG_NOSIGNAL) == (ssize_t)size;
}

/* Takes what belongs to the request at hand off *bytes, and answers it once it is complete. */
static bool take(int fd, struct null_connection *c, struct slice *bytes)
{
	static const char end[] = "\r\n\r\n";
	if (!c->body_left) {
		size_t before = c->head.len, back = before < 3 ? before : 3;
		if (buf_append(&c->head, *bytes) != RC_OK)
			return false;
		struct slice new = slice_part(buf_slice(&c->head), before - back, SIZE_MAX);
		size_t at = slice_find(new, slice_of(end));
		if (at == SIZE_MAX) {
			bytes->len = 0;
			return true;
		}
		c->head.len = before - back + at + 4;
		*bytes = slice_part(*bytes, c->head.len - before, SIZE_MAX);
		c->without_content = slice_starts(buf_slice(&c->head), "HEAD ");
		c->body_left = content_length(buf_slice(&c->head));
		buf_clear(&c->head);
	}
	size_t body = c->body_left < bytes->len ? (size_t)c->body_left : bytes->len;
	c->body_left -= body;
	*bytes = slice_part(*bytes, body, SIZE_MAX);
	return c->body_left > 0 || answer(fd, c);
}

static void serve(struct null_loop *loop, int fd)
{
	uint8_t bytes[READ_BYTES];
	struct null_connection *c = connection_at(loop, fd);
	ssize_t got = recv(fd, bytes, sizeof bytes, 0);
	bool alive = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
	struct slice rest = slice_from(bytes, got > 0 ? (size_t)got : 0);
	while (alive && rest.len)
		alive = take(fd, c, &rest);
	if (!alive)
		drop(loop, fd);
}

static _Noreturn void run(int listener)
{
	struct epoll_event events[EVENTS];
	struct null_loop loop = { .listener = listener, .epoll = epoll_create1(EPOLL_CLOEXEC) };
	struct epoll_event event = { .events = EPOLLIN, .data = { .fd = listener } };
	if (loop.epoll < 0 || epoll_ctl(loop.epoll, EPOLL_CTL_ADD, listener, &event) != 0)
		_exit(EXIT_FAILURE);
	for (;;) {
		int count = epoll_wait(loop.epoll, events, EVENTS, -1);
		if (count < 0 && errno != EINTR)
			_exit(EXIT_FAILURE);
		for (int i = 0; i < count; i++) {
			if (events[i].data.fd == listener)
				accept_all(&loop);
			else
				serve(&loop, events[i].data.fd);
		}
	}
}

static _Noreturn void be_server(int listener, pid_t parent)
{
	struct rlimit files;
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	/* Whoever ended before this line was reached leaves another parent. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
		_exit(EXIT_FAILURE);
	prctl(PR_SET_NAME, "onus-null");
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	run(listener);
}

static enum rc listen_on_loopback(int *fd, int *port, struct err *err)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof address;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (*fd < 0)
		return err_errno(err, RC_ENVIRONMENT, "null server", "socket");
	if (bind(*fd, (struct sockaddr *)&address, sizeof address) != 0 ||
		listen(*fd, BACKLOG) != 0 ||
		getsockname(*fd, (struct sockaddr *)&address, &size) != 0) {
		enum rc rc = err_errno(err, RC_ENVIRONMENT, "null server", "listen on 127.0.0.1");
		close(*fd);
		return rc;
	}
	*port = ntohs(address.sin_port);
	return RC_OK;
}

enum rc null_server_start(struct null_server *server, struct err *err)
{
	pid_t parent = getpid();
	int fd;
	*server = (struct null_server){ 0 };
	enum rc rc = listen_on_loopback(&fd, &server->port, err);
	if (rc != RC_OK)
		return rc;
	server->pid = fork();
	if (server->pid == 0)
		be_server(fd, parent);
	if (server->pid < 0)
		rc = err_errno(err, RC_ENVIRONMENT, "null server", "fork");
	close(fd);
	return rc;
}

void null_server_stop(struct null_server *server)
{
	if (server->pid <= 0)
		return;
	kill(server->pid, SIGKILL);
	while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*server = (struct null_server){ 0 };
}
