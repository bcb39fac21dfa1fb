/*
 * upstream: the embedded mail server of a suite while a cell of a case runs: fresh for each, with a journal of its own.
 *
 * It gets four listening sockets by name (plain, tls, decoy, control) and is told what to do over the last one. A suite
 * without a `command` may map `stop` and `start` to commands of its own: then there is no journal and nothing to set.
 */
#ifndef DRIVE_UPSTREAM_H
#define DRIVE_UPSTREAM_H

#include "drive/case_run.h"

enum upstream_port {
	UPSTREAM_PLAIN,
	UPSTREAM_TLS,
	UPSTREAM_DECOY,
	UPSTREAM_CONTROL,
	UPSTREAM_PORTS
};

struct upstream {
	struct sut *sut;
	int ports[UPSTREAM_PORTS];
	const char *journal, *certificate;
	cJSON *view; /* { url, tls, decoy, certificate, host, port } */
};

/* Starts it where the suite has one; binds `upstream` in scope. False after a problem was told. */
bool upstream_start(struct case_run *c, struct scope *scope);
void upstream_stop(struct case_run *c);
/* That it ended by itself becomes a problem; false where it did. */
bool upstream_alive(struct case_run *c);

/* "/stop" "/start" "/cut", or "/set" with JSON. RC_ENVIRONMENT. */
enum rc upstream_tell(
	struct case_run *c, const char *target, const char *json, struct err *err) MUST_USE;

#endif
