#include "http/load_group.h"

#include "http/load_call.h"
#include "http/multi.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* More than that libcurl gets to do in one go only behind what else is ready. */
enum { ROUNDS = 4 };

struct load_socket {
	struct load_group *group;
	struct load_call *call; /* whose it was when libcurl last spoke of it */
	struct watch watch;     /* of what the kernel has been told */
	uint32_t wanted;        /* by libcurl; 0 while the connection is idle */
};

static void reap(struct load_group *group)
{
	int left;
	CURLMsg *message;
	while ((message = curl_multi_info_read(group->handle, &left))) {
		struct load_call *call = NULL;
		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&call);
		/* The message is gone with the next call, so it is read first. */
		CURLcode result = message->data.result;
		load_call_done(call, result);
	}
}

static void act(struct load_group *group, curl_socket_t fd, int mask)
{
	if (group->acting) {
		group->again = true;
		return;
	}
	group->acting = true;
	for (int round = 0; round < ROUNDS; round++) {
		int running;
		group->again = false;
		CURLMcode code = curl_multi_socket_action(group->handle, fd, mask, &running);
		if (code != CURLM_OK)
			BUG("curl_multi_socket_action: %s", curl_multi_strerror(code));
		reap(group);
		if (!group->again)
			break;
		fd = CURL_SOCKET_TIMEOUT;
		mask = 0;
	}
	group->acting = false;
}

void load_group_act(struct load_group *group)
{
	act(group, CURL_SOCKET_TIMEOUT, 0);
}

static bool is_ended(curl_socket_t fd)
{
	struct pollfd look = { .fd = fd, .events = POLLRDHUP };
	return poll(&look, 1, 0) > 0;
}

static void on_ready(void *self, uint32_t events)
{
	struct load_socket *socket = self;
	struct load_group *group = socket->group;
	/* Idle, and ended or worse: libcurl will see that when it looks at it. It must not wake us until then. */
	if (!socket->wanted) {
		group->ended = is_ended(socket->watch.fd);
		engine_unwatch(group->thread->engine, &socket->watch);
		return;
	}
	act(group, socket->watch.fd, multi_mask(events));
}

/* Sockets stay where they are until the thread ends, since epoll may still speak of one that is closed. */
static struct load_socket *socket_at(struct load_thread *thread, curl_socket_t fd)
{
	size_t at = (size_t)fd;
	if (at >= thread->socket_room) {
		size_t room = at + 256;
		thread->sockets = mem_grow(thread->sockets, room, sizeof(struct load_socket *));
		memset(thread->sockets + thread->socket_room, 0,
			(room - thread->socket_room) * sizeof(struct load_socket *));
		thread->socket_room = room;
	}
	if (!thread->sockets[at]) {
		struct load_socket *socket = mem_alloc(1, sizeof *socket);
		socket->watch = (struct watch){ .fd = fd, .ready = on_ready, .self = socket };
		thread->sockets[at] = socket;
	}
	return thread->sockets[at];
}

void load_group_forget_sockets(struct load_thread *thread)
{
	for (size_t i = 0; i < thread->socket_room; i++)
		free(thread->sockets[i]);
	free(thread->sockets);
	thread->sockets = NULL;
	thread->socket_room = 0;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *self, void *assigned)
{
	struct load_group *group = self;
	struct load_socket *socket = socket_at(group->thread, fd);
	(void)assigned;
	socket->wanted = 0;
	if (what == CURL_POLL_REMOVE)
		return 0;
	socket->wanted = multi_events(what);
	socket->group = group;
	curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&socket->call);
	if (socket->wanted)
		engine_watch(group->thread->engine, &socket->watch, socket->wanted);
	return 0;
}

curl_socket_t load_group_open(void *self, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct load_call *call = self;
	const struct load_setup *setup = call->thread->setup;
	(void)purpose;
	/* What was there was not to be used again, as behind a GOAWAY; load_call_done starts it once more. */
	if (setup->plan->address.protocol == PROTOCOL_HTTP2C &&
		!connection_prior_knowledge_holds() && !call->knows) {
		call->must_know = true;
		return CURL_SOCKET_BAD;
	}
	/* libcurl would send a request once more that met the end of its connection; only HTTP/2 tells that it's safe. */
	if (call->sent_ns && setup->plan->address.protocol == PROTOCOL_HTTP1) {
		call->gone = true;
		return CURL_SOCKET_BAD;
	}
	int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
	if (fd < 0) {
		call->socket_errno = errno;
		return fd;
	}
	call->thread->connections++;
	call->group->open++;
	call->group->ended = false;
	return fd;
}

static bool ended_by_server(const struct load_socket *socket, curl_socket_t fd)
{
	if (socket->call && socket->call->says_close) {
		socket->call->says_close = false;
		return true;
	}
	return is_ended(fd);
}

int load_group_close(void *self, curl_socket_t fd)
{
	struct load_group *group = self;
	struct load_thread *thread = group->thread;
	struct load_socket *socket = socket_at(thread, fd);
	if (!thread->closing && ended_by_server(socket, fd))
		thread->result->connections_ended_by_server++;
	thread->connections--;
	group->open--;
	engine_unwatch(thread->engine, &socket->watch);
	socket->wanted = 0;
	socket->call = NULL;
	return close(fd);
}

void load_group_version(struct load_group *group, struct load_call *call)
{
	bool none = !group->open || group->ended || call->must_know;
	bool connects = none && !group->opener;
	long version = connects || connection_prior_knowledge_holds()
			       ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
			       : CURL_HTTP_VERSION_2_0;
	call->knows = version == CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
	call->must_know = false;
	if (connects)
		group->opener = call;
	if (curl_easy_setopt(call->easy, CURLOPT_HTTP_VERSION, version) != CURLE_OK)
		BUG("libcurl does not take a version that it took before");
}

static void on_timer(void *self)
{
	load_group_act(self);
}

static int on_set_timer(CURLM *handle, long timeout_ms, void *self)
{
	struct load_group *group = self;
	(void)handle;
	if (timeout_ms < 0)
		engine_stop_timer(&group->timer);
	else
		engine_set_timer(group->thread->engine, &group->timer,
			clock_now_ns() + timeout_ms * NS_PER_MS);
	return 0;
}

struct load_group *load_group_new(struct load_thread *thread, size_t index, size_t size)
{
	const struct load_plan *plan = thread->setup->plan;
	struct load_group *group = mem_alloc(1, sizeof *group);
	bool http1 = plan->address.protocol == PROTOCOL_HTTP1;
	*group = (struct load_group){ .thread = thread,
		.index = index,
		.handle = curl_multi_init(),
		.timer = { .fire = on_timer, .self = group },
		.idle = mem_alloc(plan->request_count, sizeof(struct load_call *)) };
	if (!group->handle)
		BUG("curl_multi_init");
	curl_multi_setopt(group->handle, CURLMOPT_SOCKETFUNCTION, on_socket);
	curl_multi_setopt(group->handle, CURLMOPT_SOCKETDATA, group);
	curl_multi_setopt(group->handle, CURLMOPT_TIMERFUNCTION, on_set_timer);
	curl_multi_setopt(group->handle, CURLMOPT_TIMERDATA, group);
	curl_multi_setopt(group->handle, CURLMOPT_PIPELINING,
		(long)(http1 ? CURLPIPE_NOTHING : CURLPIPE_MULTIPLEX));
	curl_multi_setopt(group->handle, CURLMOPT_MAXCONNECTS, (long)size);
	if (!http1)
		curl_multi_setopt(group->handle, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)size);
	return group;
}

void load_group_free(struct load_group *group)
{
	if (group->in_flight)
		BUG("%zu calls are in flight in a group that is freed", group->in_flight);
	load_call_free_idle(group);
	curl_multi_cleanup(group->handle);
	engine_stop_timer(&group->timer);
	free(group->idle);
	free(group);
}
