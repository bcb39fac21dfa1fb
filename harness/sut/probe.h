/*
 * probe: asks an HTTP server on 127.0.0.1, or on a Unix socket, again and again until it answers with 2xx (or just
 * accepts a connection), without ever blocking.
 *
 * It is small on purpose and not the HTTP client of the harness: it only has to tell when a SUT is ready.
 *
 *	while (!probe_step(&probe, clock_now_ns()))
 *		poll probe_poll(&probe), at most until probe_due(&probe)
 */
#ifndef SUT_PROBE_H
#define SUT_PROBE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_state { PROBE_IDLE, PROBE_CONNECT, PROBE_SEND, PROBE_READ, PROBE_DRAIN };

/* Where it asks: a port of 127.0.0.1, or a Unix socket. */
struct probe_at {
	int port;
	const char *unix_path; /* or NULL */
	bool proxy_line;       /* of PROXY protocol v1, which stands in front of the request */
};

struct probe {
	enum probe_state state;
	struct probe_at at;
	int fd;
	char *request; /* NULL: that it accepts a connection is enough */
	size_t sent, got;
	int64_t first_ns,
		due_ns;  /* of the first try; when the next step is due though nothing happens */
	char answer[64]; /* the beginning, for the status */
	char last[96];   /* how the last try ended, in words */
};

/* target NULL: no request is sent. */
void probe_init(struct probe *probe, const struct probe_at *at, const char *target);
void probe_release(struct probe *probe);

/* Goes on as far as it can. True once a try has succeeded. */
bool probe_step(struct probe *probe, int64_t now_ns);
/* What to wait for; its fd is -1 between two tries. */
struct pollfd probe_poll(const struct probe *probe);
int64_t probe_due(const struct probe *probe);

#endif
