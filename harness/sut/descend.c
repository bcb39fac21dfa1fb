#include "sut/descend.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/slice.h"
#include "base/err.h"

void pids_add(struct pids *pids, pid_t pid)
{
	if (pids->count == pids->cap) {
		pids->cap = pids->cap ? pids->cap * 2 : 16;
		pids->list = mem_grow(pids->list, pids->cap, sizeof *pids->list);
	}
	pids->list[pids->count++] = pid;
}

void pids_remove(struct pids *pids, pid_t pid)
{
	for (size_t i = 0; i < pids->count; i++)
		if (pids->list[i] == pid) {
			pids->list[i] = pids->list[--pids->count];
			return;
		}
}

bool pids_has(const struct pids *pids, pid_t pid)
{
	for (size_t i = 0; pids && i < pids->count; i++)
		if (pids->list[i] == pid)
			return true;
	return false;
}

void pids_release(struct pids *pids)
{
	free(pids->list);
	*pids = (struct pids){ 0 };
}

/* Field 4 of /proc/PID/stat (proc(5)); the name in field 2 may hold anything, so it counts from the last ")". */
static pid_t parent_of(const char *pid)
{
	char path[64], stat[1024];
	snprintf(path, sizeof path, "/proc/%s/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t n = read(fd, stat, sizeof stat - 1);
	close(fd);
	if (n <= 0)
		return -1;
	stat[n] = 0;
	const char *name_end = strrchr(stat, ')');
	if (!name_end || strlen(name_end) < 5)
		return -1;
	return (pid_t)strtol(name_end + 4, NULL, 10);
}

void descend_list(struct pids *children, const struct pids *spare)
{
	pid_t self = getpid();
	children->count = 0;
	DIR *proc = opendir("/proc");
	if (!proc)
		return;
	for (struct dirent *entry; (entry = readdir(proc));) {
		uint64_t pid;
		if (!slice_number(slice_of(entry->d_name), INT32_MAX, &pid))
			continue;
		if (!pids_has(spare, (pid_t)pid) && parent_of(entry->d_name) == self)
			pids_add(children, (pid_t)pid);
	}
	closedir(proc);
}

static bool none_left(void)
{
	siginfo_t info;
	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD;
}

void descend_kill(const struct pids *spare)
{
	struct pids children = { 0 };
	while (!none_left()) {
		descend_list(&children, spare);
		for (size_t i = 0; i < children.count; i++)
			kill(children.list[i], SIGKILL);
		for (size_t i = 0; i < children.count; i++)
			while (waitpid(children.list[i], NULL, 0) < 0 && errno == EINTR)
				continue;
		if (spare && !children.count)
			break;
	}
	pids_release(&children);
}
