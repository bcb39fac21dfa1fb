#include "http/multi.h"

#include <stdlib.h>
#include <sys/epoll.h>

enum { IDLE_CONNECTIONS = 64 };

/* A socket of libcurl's, given to it by curl_multi_assign. */
struct multi_socket {
	struct multi *multi;
	struct multi_job *job; /* whose the socket was when libcurl last spoke of it */
	struct watch watch;
};

int multi_mask(uint32_t events)
{
	int mask = 0;
	if (events & (EPOLLIN | EPOLLHUP))
		mask |= CURL_CSELECT_IN;
	if (events & EPOLLOUT)
		mask |= CURL_CSELECT_OUT;
	if (events & EPOLLERR)
		mask |= CURL_CSELECT_ERR;
	return mask;
}

uint32_t multi_events(int what)
{
	uint32_t events = 0;
	if (what & CURL_POLL_IN)
		events |= EPOLLIN;
	if (what & CURL_POLL_OUT)
		events |= EPOLLOUT;
	return events;
}

static void reap(struct multi *multi)
{
	int left;
	CURLMsg *message;
	while ((message = curl_multi_info_read(multi->handle, &left))) {
		struct multi_job *job = NULL;
		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&job);
		/* The message is gone with the next call, so it is read first. */
		CURLcode result = message->data.result;
		if (job)
			job->done(job->self, result);
	}
}

static void act(struct multi *multi, curl_socket_t fd, int mask)
{
	int running;
	CURLMcode code = curl_multi_socket_action(multi->handle, fd, mask, &running);
	if (code != CURLM_OK)
		BUG("curl_multi_socket_action: %s", curl_multi_strerror(code));
	reap(multi);
}

static void on_ready(void *self, uint32_t events)
{
	struct multi_socket *socket = self;
	if ((events & EPOLLIN) && socket->job && socket->job->readable)
		socket->job->readable(socket->job->self, socket->watch.fd);
	act(socket->multi, socket->watch.fd, multi_mask(events));
}

static void on_timer(void *self)
{
	act(self, CURL_SOCKET_TIMEOUT, 0);
}

static int on_set_timer(CURLM *handle, long timeout_ms, void *self)
{
	struct multi *multi = self;
	(void)handle;
	if (timeout_ms < 0)
		engine_stop_timer(&multi->timer);
	else
		engine_set_timer(
			multi->engine, &multi->timer, clock_now_ns() + timeout_ms * NS_PER_MS);
	return 0;
}

static struct multi_socket *new_socket(struct multi *multi, curl_socket_t fd)
{
	struct multi_socket *socket = mem_alloc(1, sizeof *socket);
	socket->multi = multi;
	socket->watch = (struct watch){ .fd = fd, .ready = on_ready, .self = socket };
	curl_multi_assign(multi->handle, fd, socket);
	return socket;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *self, void *assigned)
{
	struct multi *multi = self;
	struct multi_socket *socket = assigned;
	if (what == CURL_POLL_REMOVE) {
		if (socket) {
			engine_unwatch(multi->engine, &socket->watch);
			free(socket);
			curl_multi_assign(multi->handle, fd, NULL);
		}
		return 0;
	}
	if (!socket)
		socket = new_socket(multi, fd);
	curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&socket->job);
	engine_watch(multi->engine, &socket->watch, multi_events(what));
	return 0;
}

void multi_init(struct multi *multi, struct engine *engine, bool streams)
{
	*multi = (struct multi){ .engine = engine, .handle = curl_multi_init() };
	if (!multi->handle)
		BUG("curl_multi_init");
	multi->timer.fire = on_timer;
	multi->timer.self = multi;
	curl_multi_setopt(multi->handle, CURLMOPT_SOCKETFUNCTION, on_socket);
	curl_multi_setopt(multi->handle, CURLMOPT_SOCKETDATA, multi);
	curl_multi_setopt(multi->handle, CURLMOPT_TIMERFUNCTION, on_set_timer);
	curl_multi_setopt(multi->handle, CURLMOPT_TIMERDATA, multi);
	curl_multi_setopt(multi->handle, CURLMOPT_PIPELINING,
		(long)(streams ? CURLPIPE_MULTIPLEX : CURLPIPE_NOTHING));
	curl_multi_setopt(multi->handle, CURLMOPT_MAXCONNECTS, (long)IDLE_CONNECTIONS);
}

void multi_release(struct multi *multi)
{
	curl_multi_cleanup(multi->handle);
	engine_stop_timer(&multi->timer);
}

enum rc multi_add(struct multi *multi, CURL *easy, struct multi_job *job)
{
	curl_easy_setopt(easy, CURLOPT_PRIVATE, job);
	return curl_multi_add_handle(multi->handle, easy) == CURLM_OK ? RC_OK : RC_ENVIRONMENT;
}

void multi_remove(struct multi *multi, CURL *easy)
{
	curl_multi_remove_handle(multi->handle, easy);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, NULL);
}
