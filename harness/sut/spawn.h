/*
 * spawn: forks a process in a keeper and executes a program in it.
 *
 * The process is killed with the keeper (PR_SET_PDEATHSIG; sound because a keeper has one thread), has a process group
 * of its own, default signals, descriptors 0 to 2 (3 and up for listening sockets) and no other.
 */
#ifndef SUT_SPAWN_H
#define SUT_SPAWN_H

#include <sys/types.h>

#include "sut/message.h"
#include "sut/program.h"

struct spawn {
	struct program *program;
	int in, out, err, cwd;
	const int *listen; /* `listens` of them, which become 3 and up */
	size_t listens;
	int group; /* cgroup.procs of the cgroup to be in, or -1 */
};

/* The process, or -1 with *step and *error telling what went wrong; it is reaped then. Returns after the exec. */
pid_t spawn_process(const struct spawn *spawn, enum start_step *step, int *error);

#endif
