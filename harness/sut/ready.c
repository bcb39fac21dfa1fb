#define PCRE2_CODE_UNIT_WIDTH 8
#include "sut/ready.h"

#include <errno.h>
#include <pcre2.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sut/lines.h"
#include "sut/probe.h"

/* How often a file is looked at that a keeper writes. */
#define LOOK_NS NS_PER_MS
enum { PLACE_BYTES = 32 };

struct ready_wait {
	const struct ready_way *way;
	struct ready ready;
	struct probe probe;
	pcre2_code *pattern;
	pcre2_match_data *match;
	struct lines out, err;
	bool reads; /* out and err are set */
	int notified;
	char notify[32];
};

struct ready_way {
	enum rc (*begin)(struct ready_wait *wait, const struct process_spec *spec, struct err *err);
	bool (*look)(struct ready_wait *wait, const struct child *child, int64_t now_ns);
	/* What may wake it, and when to look again though nothing did; NULL: it never waits. */
	struct pollfd (*poll)(const struct ready_wait *wait, int64_t now_ns, int64_t *due_ns);
	void (*describe)(const struct ready_wait *wait, char *text, size_t size);
};

static enum rc none_begin(struct ready_wait *wait, const struct process_spec *spec, struct err *err)
{
	(void)wait, (void)spec, (void)err;
	return RC_OK;
}

static bool none_look(struct ready_wait *wait, const struct child *child, int64_t now_ns)
{
	(void)wait, (void)child, (void)now_ns;
	return true;
}

static void none_describe(const struct ready_wait *wait, char *text, size_t size)
{
	(void)wait;
	snprintf(text, size, "its start");
}

static enum rc request_begin(
	struct ready_wait *wait, const struct process_spec *spec, struct err *err)
{
	(void)err;
	const struct probe_at at = { spec->port, spec->unix_path, spec->proxy_line };
	probe_init(&wait->probe, &at, spec->ready.target);
	return RC_OK;
}

static bool request_look(struct ready_wait *wait, const struct child *child, int64_t now_ns)
{
	(void)child;
	return probe_step(&wait->probe, now_ns);
}

static struct pollfd request_poll(const struct ready_wait *wait, int64_t now_ns, int64_t *due_ns)
{
	(void)now_ns;
	*due_ns = probe_due(&wait->probe);
	return probe_poll(&wait->probe);
}

static const char *place_of(const struct ready_wait *wait, char text[static PLACE_BYTES])
{
	if (wait->probe.at.unix_path)
		return wait->probe.at.unix_path;
	snprintf(text, PLACE_BYTES, "127.0.0.1:%d", wait->probe.at.port);
	return text;
}

static void request_describe(const struct ready_wait *wait, char *text, size_t size)
{
	char place[PLACE_BYTES];
	snprintf(text, size, "2xx for GET %s at %s (last try: %s)", wait->ready.target,
		place_of(wait, place), wait->probe.last);
}

static void port_describe(const struct ready_wait *wait, char *text, size_t size)
{
	char place[PLACE_BYTES];
	snprintf(text, size, "a connection to %s (last try: %s)", place_of(wait, place),
		wait->probe.last);
}

static enum rc output_begin(
	struct ready_wait *wait, const struct process_spec *spec, struct err *err)
{
	int code;
	PCRE2_SIZE offset;
	char reason[128];
	wait->pattern = pcre2_compile(
		(PCRE2_SPTR)spec->ready.pattern, PCRE2_ZERO_TERMINATED, 0, &code, &offset, NULL);
	if (!wait->pattern) {
		pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof reason);
		return err_set(err, RC_USAGE, spec->name, "pattern \"%s\", offset %zu: %s",
			spec->ready.pattern, offset, reason);
	}
	wait->match = pcre2_match_data_create_from_pattern(wait->pattern, NULL);
	return RC_OK;
}

static bool finds(struct ready_wait *wait, struct lines *lines)
{
	struct slice line;
	while (lines_next(lines, &line))
		if (pcre2_match(wait->pattern, line.ptr, line.len, 0, 0, wait->match, NULL) >= 0)
			return true;
	return false;
}

static bool output_look(struct ready_wait *wait, const struct child *child, int64_t now_ns)
{
	(void)now_ns;
	if (!wait->reads) {
		lines_init(&wait->out, child->out.fd, child->out.from);
		lines_init(&wait->err, child->err.fd, child->err.from);
		wait->reads = true;
	}
	return finds(wait, &wait->out) || finds(wait, &wait->err);
}

static struct pollfd output_poll(const struct ready_wait *wait, int64_t now_ns, int64_t *due_ns)
{
	(void)wait;
	*due_ns = now_ns + LOOK_NS;
	return (struct pollfd){ .fd = -1 };
}

static void output_describe(const struct ready_wait *wait, char *text, size_t size)
{
	snprintf(text, size, "a line of output that matches \"%s\"", wait->ready.pattern);
}

/* Bound without a name, a socket gets one from the kernel in the abstract space: unix(7), "autobind". */
static enum rc notify_begin(
	struct ready_wait *wait, const struct process_spec *spec, struct err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size = sizeof address;
	wait->notified = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (wait->notified < 0 ||
		bind(wait->notified, (struct sockaddr *)&address, sizeof(sa_family_t)) ||
		getsockname(wait->notified, (struct sockaddr *)&address, &size))
		return err_errno(err, RC_ENVIRONMENT, spec->name, "socket for READY=1");
	size_t length = size - offsetof(struct sockaddr_un, sun_path) - 1;
	snprintf(wait->notify, sizeof wait->notify, "@%.*s", (int)length, address.sun_path + 1);
	return RC_OK;
}

/* sd_notify(3): assignments, one a line. */
static bool notify_look(struct ready_wait *wait, const struct child *child, int64_t now_ns)
{
	char message[4096];
	(void)child, (void)now_ns;
	for (;;) {
		ssize_t n = recv(wait->notified, message, sizeof message, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		struct slice rest = slice_from(message, (size_t)n), line;
		while (slice_next(&rest, '\n', &line))
			if (slice_is(line, "READY=1"))
				return true;
	}
}

static struct pollfd notify_poll(const struct ready_wait *wait, int64_t now_ns, int64_t *due_ns)
{
	(void)now_ns;
	*due_ns = CLOCK_NEVER;
	return (struct pollfd){ .fd = wait->notified, .events = POLLIN };
}

static void notify_describe(const struct ready_wait *wait, char *text, size_t size)
{
	(void)wait;
	snprintf(text, size, "READY=1 at NOTIFY_SOCKET");
}

static const struct ready_way ways[] = {
	[READY_NONE] = { none_begin, none_look, NULL, none_describe },
	[READY_PORT] = { request_begin, request_look, request_poll, port_describe },
	[READY_REQUEST] = { request_begin, request_look, request_poll, request_describe },
	[READY_OUTPUT] = { output_begin, output_look, output_poll, output_describe },
	[READY_NOTIFY] = { notify_begin, notify_look, notify_poll, notify_describe },
};

enum rc ready_begin(const struct process_spec *spec, struct ready_wait **wait, struct err *err)
{
	struct ready_wait *new = mem_alloc(1, sizeof *new);
	new->way = &ways[spec->ready.kind];
	new->ready = spec->ready;
	new->probe.fd = new->notified = -1;
	enum rc rc = new->way->begin(new, spec, err);
	if (rc == RC_OK)
		*wait = new;
	else
		ready_free(new);
	return rc;
}

void ready_free(struct ready_wait *wait)
{
	if (!wait)
		return;
	probe_release(&wait->probe);
	pcre2_match_data_free(wait->match);
	pcre2_code_free(wait->pattern);
	if (wait->notified >= 0)
		close(wait->notified);
	free(wait);
}

const char *ready_notify(const struct ready_wait *wait)
{
	return wait->notified >= 0 ? wait->notify : NULL;
}

enum rc ready_until(struct ready_wait *wait, struct crew *crew, size_t index, int64_t until_ns)
{
	for (;;) {
		int64_t now_ns = clock_now_ns(), due_ns = now_ns;
		if (crew_ended(crew))
			return RC_CLOSED;
		if (wait->way->look(wait, &crew->children[index], now_ns)) {
			crew_ready(crew, index);
			return RC_OK;
		}
		if (crew_interrupted(crew))
			return RC_ENVIRONMENT;
		if (now_ns >= until_ns)
			return RC_TIMEOUT;
		struct pollfd wakes = wait->way->poll(wait, now_ns, &due_ns);
		crew_wait(crew, &wakes, due_ns < until_ns ? due_ns : until_ns);
	}
}

void ready_describe(const struct ready_wait *wait, char *text, size_t size)
{
	wait->way->describe(wait, text, size);
}
