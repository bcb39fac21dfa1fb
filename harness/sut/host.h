/*
 * host: onus's end of the nursery. A thread asks it for a keeper without a lock: a request is one message.
 */
#ifndef SUT_HOST_H
#define SUT_HOST_H

#include <sys/types.h>

#include "base/err.h"

struct sut_host {
	int socket;
	pid_t nursery;
	int interrupt; /* -1: none */
};

/* The control socket of a new keeper. RC_ENVIRONMENT. */
enum rc host_keeper(const struct sut_host *host, int *control, struct err *err) MUST_USE;

#endif
