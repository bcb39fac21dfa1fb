#include "sut/probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

#define SOON_NS  NS_PER_MS       /* between tries at first: most servers are ready within that */
#define LATER_NS (5 * NS_PER_MS) /* and for one that takes its time */
#define SOON_FOR (100 * NS_PER_MS)
#define TRY_NS   NS_PER_S         /* a listener that does not accept yet keeps a try waiting */
#define DRAIN_NS (20 * NS_PER_MS) /* for the rest of the answer, so that the server sees no reset */

void probe_init(struct probe *probe, const struct probe_at *at, const char *target)
{
	*probe = (struct probe){ .at = *at, .fd = -1 };
	/* UNKNOWN: haproxy's proxy-protocol.txt, section 2.1. The address doesn't matter here. */
	const char *line = at->proxy_line ? "PROXY UNKNOWN\r\n" : "";
	if (target && at->unix_path)
		probe->request = mem_print(
			"%sGET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", line,
			target);
	else if (target)
		probe->request = mem_print(
			"%sGET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n",
			line, target, at->port);
	snprintf(probe->last, sizeof probe->last, "not asked yet");
}

static void hang_up(struct probe *probe)
{
	if (probe->fd >= 0)
		close(probe->fd);
	probe->fd = -1;
	probe->state = PROBE_IDLE;
}

void probe_release(struct probe *probe)
{
	hang_up(probe);
	free(probe->request);
	probe->request = NULL;
}

struct pollfd probe_poll(const struct probe *probe)
{
	bool writes = probe->state == PROBE_CONNECT || probe->state == PROBE_SEND;
	return (struct pollfd){ .fd = probe->fd, .events = writes ? POLLOUT : POLLIN };
}

int64_t probe_due(const struct probe *probe)
{
	return probe->due_ns;
}

static bool retry(struct probe *probe, int64_t now_ns, const char *what, int error)
{
	char reason[64];
	if (error)
		snprintf(probe->last, sizeof probe->last, "%s: %s", what,
			strerror_r(error, reason, sizeof reason));
	else
		snprintf(probe->last, sizeof probe->last, "%s", what);
	hang_up(probe);
	probe->due_ns = now_ns + (now_ns - probe->first_ns < SOON_FOR ? SOON_NS : LATER_NS);
	return false;
}

union probe_address {
	struct sockaddr any;
	struct sockaddr_in loopback;
	struct sockaddr_un path;
};

static socklen_t address_of(const struct probe_at *at, union probe_address *address)
{
	*address = (union probe_address){ 0 };
	if (at->unix_path) {
		address->path.sun_family = AF_UNIX;
		snprintf(
			address->path.sun_path, sizeof address->path.sun_path, "%s", at->unix_path);
		return sizeof address->path;
	}
	address->loopback.sin_family = AF_INET;
	address->loopback.sin_port = htons((uint16_t)at->port);
	address->loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof address->loopback;
}

/*
 * Where nobody listens on a port of the ephemeral range, the kernel may pick that very port for our end, and TCP then
 * connects the socket to itself. It must go without TIME_WAIT, or the server finds its port taken.
 */
static bool to_itself(const struct probe *probe)
{
	struct sockaddr_in own = { 0 };
	socklen_t size = sizeof own;
	struct linger at_once = { .l_onoff = 1 };
	if (probe->at.unix_path || getsockname(probe->fd, (struct sockaddr *)&own, &size) ||
		own.sin_port != htons((uint16_t)probe->at.port))
		return false;
	setsockopt(probe->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	return true;
}

static bool begin(struct probe *probe, int64_t now_ns)
{
	union probe_address address;
	socklen_t size = address_of(&probe->at, &address);
	if (!probe->first_ns)
		probe->first_ns = now_ns;
	if (now_ns < probe->due_ns)
		return false;
	probe->sent = probe->got = 0;
	probe->fd = socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (probe->fd < 0)
		return retry(probe, now_ns, "socket", errno);
	probe->due_ns = now_ns + TRY_NS;
	if (connect(probe->fd, &address.any, size) && errno != EINPROGRESS)
		return retry(probe, now_ns, "connect", errno);
	probe->state = PROBE_CONNECT;
	return true;
}

static bool connected(struct probe *probe, int64_t now_ns)
{
	int error = 0;
	socklen_t size = sizeof error;
	struct pollfd polled = probe_poll(probe);
	if (poll(&polled, 1, 0) <= 0)
		return false;
	if (getsockopt(probe->fd, SOL_SOCKET, SO_ERROR, &error, &size) || error)
		return retry(probe, now_ns, "connect", error);
	if (to_itself(probe))
		return retry(probe, now_ns, "connect", ECONNREFUSED);
	probe->state = probe->request ? PROBE_SEND : PROBE_DRAIN;
	if (!probe->request)
		probe->due_ns = now_ns;
	return true;
}

static bool send_request(struct probe *probe, int64_t now_ns)
{
	size_t len = strlen(probe->request);
	ssize_t n = send(probe->fd, probe->request + probe->sent, len - probe->sent, MSG_NOSIGNAL);
	if (n < 0)
		return errno != EAGAIN && errno != EINTR ? retry(probe, now_ns, "send", errno)
							 : false;
	probe->sent += (size_t)n;
	if (probe->sent == len)
		probe->state = PROBE_READ;
	return true;
}

/* "HTTP/1.1 200" of RFC 9112 section 4; any other text is no answer. */
static bool judge(struct probe *probe, int64_t now_ns)
{
	const char *a = probe->answer;
	if (strncmp(a, "HTTP/1.", 7) != 0 || a[8] != ' ')
		return retry(probe, now_ns, "an answer that is not HTTP/1", 0);
	if (a[9] != '2') {
		char status[32];
		snprintf(status, sizeof status, "status %.3s", a + 9);
		return retry(probe, now_ns, status, 0);
	}
	probe->state = PROBE_DRAIN;
	probe->due_ns = now_ns + DRAIN_NS;
	return true;
}

static bool read_answer(struct probe *probe, int64_t now_ns)
{
	enum { STATUS_BYTES = 12 };
	ssize_t n = recv(
		probe->fd, probe->answer + probe->got, sizeof probe->answer - 1 - probe->got, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n < 0)
		return retry(probe, now_ns, "read", errno);
	if (n == 0)
		return retry(probe, now_ns, "closed without an answer", 0);
	probe->got += (size_t)n;
	probe->answer[probe->got] = 0;
	return probe->got < STATUS_BYTES || judge(probe, now_ns);
}

/* True when the answer has ended, or enough was done for it. */
static bool drained(struct probe *probe, int64_t now_ns)
{
	char bytes[4096];
	if (now_ns >= probe->due_ns)
		return true;
	ssize_t n = recv(probe->fd, bytes, sizeof bytes, 0);
	return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

/* One transition; false where nothing more can be done now. */
static bool advance(struct probe *probe, int64_t now_ns)
{
	if (probe->state != PROBE_IDLE && now_ns >= probe->due_ns)
		return retry(probe, now_ns, "no answer within a second", 0);
	switch (probe->state) {
	case PROBE_IDLE: return begin(probe, now_ns);
	case PROBE_CONNECT: return connected(probe, now_ns);
	case PROBE_SEND: return send_request(probe, now_ns);
	case PROBE_READ: return read_answer(probe, now_ns);
	case PROBE_DRAIN: break;
	}
	return false;
}

bool probe_step(struct probe *probe, int64_t now_ns)
{
	while (probe->state != PROBE_DRAIN)
		if (!advance(probe, now_ns))
			return false;
	if (!drained(probe, now_ns))
		return false;
	hang_up(probe);
	return true;
}
