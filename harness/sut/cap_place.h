/*
 * cap_place: where memory cgroups can be made: the folder of this process's own cgroup, and those above it.
 *
 * It only reads; cap.h makes groups. cgroup v2 is taken where it has the memory controller, else v1: a kernel has it in
 * one of the two.
 *
 *	struct cap_place place;
 *	for (bool have = cap_place_read("", &place); have; have = cap_place_up(&place))
 *		... place.folder
 */
#ifndef SUT_CAP_PLACE_H
#define SUT_CAP_PLACE_H

#include <stdbool.h>
#include <stddef.h>

enum cap_version { CAP_NONE, CAP_V1, CAP_V2 };

/* Longer paths are not taken. */
enum { CAP_PATH_BYTES = 512 };

struct cap_place {
	enum cap_version version;
	size_t mount_length; /* of folder's start, where the hierarchy is mounted */
	char folder[CAP_PATH_BYTES];
};

/*
 * The innermost folder, from /proc/self/mountinfo and /proc/self/cgroup (proc(5), cgroups(7)). `root` stands before all
 * paths: "" but in tests. False where no memory controller is mounted.
 */
bool cap_place_read(const char *root, struct cap_place *place);
/* The memory cgroup that another process is in, from its /proc/PID/cgroup. */
bool cap_place_of(const char *root, int pid, struct cap_place *place);
/* The folder above; false at the mount point. */
bool cap_place_up(struct cap_place *place);

#endif
