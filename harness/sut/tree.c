#include "sut/tree.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/slice.h"

/* Looking for new processes may take this part of the time. */
enum { SEARCH_SHARE = 500 };

/* A list of children may miss one that came while it was read, so that it is read now and then anyway. */
#define SEARCH_EVERY_NS NS_PER_S

static struct member *find(const struct tree *tree, int pid)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->members[i].pid == pid && !tree->members[i].gone)
			return &tree->members[i];
	return NULL;
}

/* False where the process is gone. A number in use again is another process: what dir stands for tells. */
static bool refresh(struct member *member)
{
	struct proc_stat stat;
	int64_t own_ns;
	if (!proc_stat(member->dir, &stat))
		return false;
	bool exact = proc_cpu(member->pid, &own_ns);
	member->stat = stat;
	member->own_ns = exact && own_ns > member->own_ns ? own_ns : member->own_ns;
	if (!exact && stat.own_ns > member->own_ns)
		member->own_ns = stat.own_ns;
	return true;
}

static bool join(struct tree *tree, int pid)
{
	struct member member = { .pid = pid, .dir = proc_open(pid) };
	if (member.dir < 0)
		return false;
	if (!refresh(&member)) {
		close(member.dir);
		return false;
	}
	tree->members = mem_grow(tree->members, tree->count + 1, sizeof member);
	tree->members[tree->count++] = member;
	return true;
}

static void join_new(void *self, int pid)
{
	struct tree *tree = self;
	if (!find(tree, pid))
		join(tree, pid);
}

static void search_all(struct tree *tree)
{
	DIR *proc = opendir("/proc");
	if (!proc)
		return;
	for (struct dirent *entry; (entry = readdir(proc));) {
		uint64_t pid;
		struct proc_stat stat = { 0 };
		if (!slice_number(slice_of(entry->d_name), INT32_MAX, &pid) || find(tree, (int)pid))
			continue;
		int dir = proc_open((int)pid);
		if (dir < 0)
			continue;
		bool belongs = proc_stat(dir, &stat) && find(tree, stat.parent);
		close(dir);
		if (belongs)
			join(tree, (int)pid);
	}
	closedir(proc);
}

/* Those that join are at the end of the list, and so are looked at for children of their own. */
static bool search_below(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		if (!tree->members[i].gone && !proc_children(tree->members[i].dir, join_new, tree))
			return false;
	return true;
}

static void search(struct tree *tree, int64_t now_ns, bool thorough)
{
	uint64_t last_made = proc_last_made();
	bool changed = !last_made || last_made != tree->last_made;
	bool due = now_ns >= tree->search_ns + (changed ? 0 : SEARCH_EVERY_NS);
	if (!thorough && !due)
		return;
	int64_t from_ns = proc_thread_cpu();
	tree->last_made = last_made;
	if (tree->contained)
		container_processes(&tree->container, join_new, tree);
	else if (!search_below(tree))
		search_all(tree);
	tree->search_ns = now_ns + SEARCH_SHARE * (proc_thread_cpu() - from_ns);
}

/* CPU of children that it has waited for and nobody had seen, or not to their end. */
static int64_t unseen(const struct member *member)
{
	int64_t ns = member->stat.reaped_ns - member->base_ns - member->known_ns;
	return ns > 0 ? ns : 0;
}

/* One that is gone as well, but has not left yet, counts. */
static struct member *parent_of(const struct tree *tree, const struct member *member)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->members[i].pid == member->stat.parent && tree->members[i].dir >= 0)
			return &tree->members[i];
	return NULL;
}

/* What its parent will have been told of it when it is waited for was counted here before. */
static void leave(struct tree *tree, struct member *member)
{
	struct member *parent = parent_of(tree, member);
	int64_t waited_ns = member->stat.reaped_ns - member->base_ns;
	int64_t due_ns = member->known_ns > waited_ns ? member->known_ns - waited_ns : 0;
	if (parent)
		parent->known_ns += member->own_ns + member->stat.reaped_ns + due_ns;
	tree->ended_ns += member->own_ns + unseen(member);
	close(member->dir);
	member->dir = -1;
}

static void drop_gone(struct tree *tree)
{
	size_t kept = 0;
	/* Children come after their parents. */
	for (size_t i = tree->count; i-- > 0;)
		if (tree->members[i].gone)
			leave(tree, &tree->members[i]);
	for (size_t i = 0; i < tree->count; i++)
		if (!tree->members[i].gone)
			tree->members[kept++] = tree->members[i];
	tree->count = kept;
}

bool tree_look(struct tree *tree, int64_t now_ns, bool thorough)
{
	/*
	 * Parents first: a child that is waited for meanwhile is then missing from both for one look, which the total
	 * never falling makes up for. The other way round it would be counted twice.
	 */
	for (size_t i = 0; i < tree->count; i++)
		tree->members[i].gone = !refresh(&tree->members[i]);
	drop_gone(tree);
	search(tree, now_ns, thorough);
	tree->running_ns = 0;
	for (size_t i = 0; i < tree->count; i++)
		tree->running_ns += tree->members[i].own_ns + unseen(&tree->members[i]);
	int64_t cpu_ns = tree->ended_ns + tree->running_ns;
	tree->cpu_ns = cpu_ns > tree->cpu_ns ? cpu_ns : tree->cpu_ns;
	return tree->count > 0;
}

/* What was used before does not count. */
static void begin(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		struct member *member = &tree->members[i];
		member->base_ns = member->stat.reaped_ns;
		tree->ended_ns -= member->own_ns;
	}
}

bool tree_open(struct tree *tree, int pid, const struct container *container)
{
	*tree = (struct tree){ .contained = container != NULL };
	if (container)
		tree->container = *container;
	else
		join(tree, pid);
	search(tree, 0, true);
	if (!tree->count) {
		tree_close(tree);
		return false;
	}
	begin(tree);
	return true;
}

void tree_close(struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		close(tree->members[i].dir);
	free(tree->members);
	*tree = (struct tree){ 0 };
}
