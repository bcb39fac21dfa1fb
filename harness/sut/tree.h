/*
 * tree: the processes of a SUT: a root and all that descends from it, or whatever runs in a container; and the CPU time
 * of all of them, those that have ended included.
 *
 * What was once seen in it stays in it, also when it loses its parent. What came and went between two looks is in the CPU
 * time through the parent that has waited for it. A look takes some 20 us a process; where looking for new ones takes long,
 * that is done less often, so that it never takes 1% of the time, but for a thorough look.
 *
 *	struct tree tree;
 *	if (tree_open(&tree, pid, NULL))
 *		tree_look(&tree, now_ns, false);
 *	tree_close(&tree);
 */
#ifndef SUT_TREE_H
#define SUT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sut/container.h"
#include "sut/proc.h"

struct member {
	int pid, dir; /* dir: of /proc/PID, see proc.h */
	bool gone;
	struct proc_stat stat; /* as of the last look */
	int64_t own_ns;        /* its CPU, exact where it can be asked for */
	int64_t base_ns;       /* of its stat.reaped_ns: before the tree was opened */
	int64_t known_ns; /* CPU of children that were seen and have ended, by the time they were seen last */
};

struct tree {
	bool contained; /* else: a root and its descendants */
	struct container container;
	struct member *members;
	size_t count;
	int64_t ended_ns; /* CPU since the tree was opened of members that are gone, and of all children unseen */
	int64_t running_ns; /* of members that live */
	int64_t cpu_ns;     /* both; never less than before */
	uint64_t last_made; /* see proc_last_made() */
	int64_t search_ns;  /* when it is worth while to look for new processes again */
};

/* pid, or where container is not NULL: what runs in it. False where there is no such process. */
bool tree_open(struct tree *tree, int pid, const struct container *container);
void tree_close(struct tree *tree);

/*
 * Takes in what has come, gone and been used. False once no process is left. thorough: new processes are looked for
 * whatever that costs, as where measuring begins or ends.
 */
bool tree_look(struct tree *tree, int64_t now_ns, bool thorough);

#endif
