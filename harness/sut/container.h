/*
 * container: the processes of a container by its id, as Docker, Podman and Kubernetes print it: they name a cgroup after it,
 * in v1 and in v2. Only /sys/fs/cgroup is read; no daemon is asked.
 *
 *	struct container container;
 *	if (container_find("", "0123456789ab", &container, &err) == RC_OK)
 *		container_processes(&container, each, self);
 */
#ifndef SUT_CONTAINER_H
#define SUT_CONTAINER_H

#include "base/err.h"
#include "sut/cap_place.h"

/* As many as `docker ps` prints. */
enum { CONTAINER_ID_LEAST = 12 };

struct container {
	char folder[CAP_PATH_BYTES]; /* its cgroup */
};

/*
 * By its id or the beginning of it, which `docker/ID`, `docker-ID.scope`, `libpod-ID.scope` and `cri-containerd-ID.scope`
 * have, at any depth. `root` stands before all paths: "" but in tests. RC_USAGE: too short; RC_ENVIRONMENT: there is none,
 * or there are several.
 */
enum rc container_find(
	const char *root, const char *id, struct container *container, struct err *err) MUST_USE;

/* Calls each(self, pid) for those in its cgroup and in the groups below. False where the cgroup is gone. */
bool container_processes(
	const struct container *container, void (*each)(void *self, int pid), void *self);

#endif
