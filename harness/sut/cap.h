/*
 * cap: a memory cgroup made for one SUT: what all of its processes may use together, and whether the kernel has killed
 * one because that was full. cgroup v2 and v1. In v2 the kernel kills all of them then (memory.oom.group); in v1 it kills
 * one and cap_watch() tells, so that the keeper kills the SUT.
 *
 * A group is the keeper's, which removes it when nothing is left in it. What a keeper that was killed has left its nursery
 * removes, or else the next cap_open() of anybody: the name holds the keeper's process id and start time.
 *
 *	struct cap cap;
 *	if (cap_open(&cap, 96 << 20)) {
 *		int procs = cap_procs(&cap);		a process that writes "0" to it enters
 *		...
 *		cap_read(&cap, &usage);
 *		cap_close(&cap);
 *	}
 */
#ifndef SUT_CAP_H
#define SUT_CAP_H

#include <stdint.h>

#include "sut/cap_place.h"

struct cap {
	enum cap_version version; /* CAP_NONE: there is no group */
	char path[CAP_PATH_BYTES];
};

/* Of all that is and was in the group: resident memory, page cache and what the kernel holds for it. */
struct cap_usage {
	uint64_t current_bytes;
	uint64_t peak_bytes; /* 0 where the kernel (v2 before Linux 5.19) does not tell */
	uint64_t
		kernel_bytes; /* of current: what the kernel holds for it, sockets and descriptors above all; 0: not told */
	uint64_t limit_bytes; /* 0: none */
	uint64_t oom_kills;   /* processes killed because the group was full */
};

/*
 * A new group of at most `bytes` (no swap on top) in the innermost folder of cap_place where one can be made. False with
 * errno; cap->path is the folder that was tried, or "" where no memory controller is mounted.
 */
bool cap_open(struct cap *cap, uint64_t bytes);
/* Removes the group, waiting a moment for processes that have just ended. Nothing for CAP_NONE. */
void cap_close(struct cap *cap);

/* The file through which a process enters, closed on exec; the caller closes it. -1 with errno. */
int cap_procs(const struct cap *cap);

/*
 * v1: becomes readable when the group is full; eventfd(2), closed on exec, the caller closes it. -1 where there is none,
 * or none is needed. cap_was_full() then waits a moment for the kernel's verdict: was a process killed?
 */
int cap_watch(const struct cap *cap);
bool cap_was_full(const struct cap *cap, int watch);

/* All 0 where there is no group any more. */
void cap_read(const struct cap *cap, struct cap_usage *usage);
/*
 * The memory cgroup that another process is in, to be read and nothing else: false where it has none, or only the one at the
 * top of what can be seen, which says nothing of one process. `root` as in cap_place.h.
 */
bool cap_of(const char *root, int pid, struct cap *cap);
/* The same by its folder, whichever of the two versions its files are of. */
bool cap_at(const char *folder, struct cap *cap);

/* The limits of a group whose folder is there, written. False with errno. */
bool cap_limit(const struct cap *cap, uint64_t bytes);
/* Removes what keepers that are gone have left in a folder; without `patient` only what is empty at once. */
void cap_sweep(const char *folder, bool patient);
/* The same in all folders of cap_place, patiently. */
void cap_sweep_all(void);

/* "no memory cgroup can be made in /sys/fs/cgroup/memory: Permission denied", after cap_open() has said so. */
void cap_why(const struct cap *cap, int error, char *text, size_t size);

#endif
