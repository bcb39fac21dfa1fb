/*
 * descend: ends what descends from this process, which must be a child subreaper (prctl(2)): whatever loses its parent
 * becomes a child of this process, so that killing the children again and again reaches all, however deep.
 *
 * Only children are ever signalled, and a child's id is not used again before it was waited for, so nothing else can
 * be hit. There is no sleep in it: a killed child is waited for.
 */
#ifndef SUT_DESCEND_H
#define SUT_DESCEND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pids {
	pid_t *list;
	size_t count, cap;
};

void pids_add(struct pids *pids, pid_t pid);
void pids_remove(struct pids *pids, pid_t pid);
bool pids_has(const struct pids *pids, pid_t pid);
void pids_release(struct pids *pids);

/* Fills *children with this process's children (zombies too) that are not in `spare`, which may be NULL. */
void descend_list(struct pids *children, const struct pids *spare);
/* Kills and reaps all descendants but those in `spare` and below; with `spare` NULL it returns once there is none. */
void descend_kill(const struct pids *spare);

#endif
