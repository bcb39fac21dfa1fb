#include "sut/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { TEXT_BYTES = 4096, KIB = 1024 };

bool proc_read_text(int dir, const char *name, char *text, size_t size)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	text[0] = '\0';
	if (fd < 0)
		return false;
	ssize_t n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

int proc_open(int pid)
{
	char path[32];
	snprintf(path, sizeof path, "/proc/%d", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Fields as proc(5) counts them, from the third on: the name in the second may hold anything but its last ")". */
enum {
	FIELD_STATE = 3,
	FIELD_PARENT = 4,
	FIELD_UTIME = 14,
	FIELD_STIME,
	FIELD_CUTIME,
	FIELD_CSTIME,
	FIELD_THREADS = 20,
	FIELD_STARTED = 22
};

bool proc_parse_stat(const char *text, long ticks_per_s, struct proc_stat *stat)
{
	int64_t fields[FIELD_STARTED + 1] = { 0 };
	int64_t tick_ns = NS_PER_S / ticks_per_s;
	const char *at = strrchr(text, ')');
	if (!at || strlen(at) < 4)
		return false;
	/* Behind ") S" the rest are numbers. */
	char *end = (char *)at + 3;
	for (int i = FIELD_PARENT; i <= FIELD_STARTED; i++) {
		const char *start = end;
		fields[i] = strtoll(start, &end, 10);
		if (end == start)
			return false;
	}
	*stat = (struct proc_stat){
		.parent = (int)fields[FIELD_PARENT],
		.own_ns = (fields[FIELD_UTIME] + fields[FIELD_STIME]) * tick_ns,
		.reaped_ns = (fields[FIELD_CUTIME] + fields[FIELD_CSTIME]) * tick_ns,
		.threads = fields[FIELD_THREADS],
		.started = (uint64_t)fields[FIELD_STARTED],
	};
	return true;
}

bool proc_stat(int dir, struct proc_stat *stat)
{
	char text[TEXT_BYTES];
	return proc_read_text(dir, "stat", text, sizeof text) &&
	       proc_parse_stat(text, sysconf(_SC_CLK_TCK), stat);
}

uint64_t proc_started(int pid)
{
	struct proc_stat stat = { 0 };
	int dir = proc_open(pid);
	if (dir < 0)
		return 0;
	bool have = proc_stat(dir, &stat);
	close(dir);
	return have ? stat.started : 0;
}

bool proc_cpu(int pid, int64_t *cpu_ns)
{
	clockid_t clock;
	struct timespec time;
	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time))
		return false;
	*cpu_ns = (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
	return true;
}

int64_t proc_thread_cpu(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

bool proc_resident(int dir, int64_t *bytes)
{
	char text[256], *end;
	if (!proc_read_text(dir, "statm", text, sizeof text))
		return false;
	strtoll(text, &end, 10);
	*bytes = strtoll(end, NULL, 10) * sysconf(_SC_PAGESIZE);
	return true;
}

/* Before Linux 6.2 the folder has no size, and what is in it can be counted by its owner alone. */
static bool count_entries(int dir, int64_t *count)
{
	int fd = openat(dir, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	if (!entries) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	*count = 0;
	for (struct dirent *entry; (entry = readdir(entries));)
		*count += entry->d_name[0] != '.';
	closedir(entries);
	return true;
}

bool proc_descriptors(int dir, int64_t *count)
{
	struct stat status;
	if (fstatat(dir, "fd", &status, 0))
		return false;
	*count = status.st_size;
	return *count > 0 || count_entries(dir, count);
}

/* The number behind a word and ":" at the start of a line, or -1. */
static int64_t number_behind(const char *text, const char *word)
{
	size_t length = strlen(word);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, word, length) == 0 && line[length] == ':')
			return strtoll(line + length + 1, NULL, 10);
	}
	return -1;
}

static DIR *open_tasks(int dir)
{
	int fd = openat(dir, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *tasks = fd < 0 ? NULL : fdopendir(fd);
	if (!tasks && fd >= 0)
		close(fd);
	return tasks;
}

bool proc_switches(int dir, int64_t *voluntary, int64_t *involuntary)
{
	char name[300], text[TEXT_BYTES];
	DIR *tasks = open_tasks(dir);
	if (!tasks)
		return false;
	for (struct dirent *entry; (entry = readdir(tasks));) {
		snprintf(name, sizeof name, "%s/status", entry->d_name);
		if (entry->d_name[0] == '.' ||
			!proc_read_text(dirfd(tasks), name, text, sizeof text))
			continue;
		int64_t asked = number_behind(text, "voluntary_ctxt_switches");
		int64_t forced = number_behind(text, "nonvoluntary_ctxt_switches");
		*voluntary += asked > 0 ? asked : 0;
		*involuntary += forced > 0 ? forced : 0;
	}
	closedir(tasks);
	return true;
}

bool proc_parts(int dir, int64_t *pss_bytes, int64_t *anonymous_bytes)
{
	char text[TEXT_BYTES];
	if (!proc_read_text(dir, "smaps_rollup", text, sizeof text))
		return false;
	int64_t pss = number_behind(text, "Pss"), anonymous = number_behind(text, "Anonymous");
	if (pss < 0 || anonymous < 0)
		return false;
	*pss_bytes = pss * KIB;
	*anonymous_bytes = anonymous * KIB;
	return true;
}

/* "TCP: inuse 3 orphan 0 tw 0 alloc 5 mem 2": pages. */
static int64_t pages_of(const char *text, const char *protocol)
{
	const char *line = strstr(text, protocol);
	const char *end = line ? strchrnul(line + 1, '\n') : NULL;
	const char *mem = line ? strstr(line, " mem ") : NULL;
	return mem && mem < end ? strtoll(mem + strlen(" mem "), NULL, 10) : -1;
}

bool proc_parse_sockets(const char *text, long page_bytes, int64_t *bytes)
{
	int64_t tcp = pages_of(text, "\nTCP:"), udp = pages_of(text, "\nUDP:");
	if (tcp < 0)
		return false;
	*bytes = (tcp + (udp > 0 ? udp : 0)) * page_bytes;
	return true;
}

bool proc_sockets(int dir, int64_t *bytes)
{
	char text[TEXT_BYTES];
	return proc_read_text(dir, "net/sockstat", text, sizeof text) &&
	       proc_parse_sockets(text, sysconf(_SC_PAGESIZE), bytes);
}

static bool children_of_task(
	int tasks, const char *task, void (*each)(void *self, int pid), void *self)
{
	char name[300], text[TEXT_BYTES];
	snprintf(name, sizeof name, "%s/children", task);
	int fd = openat(tasks, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno != ENOENT || faccessat(tasks, task, F_OK, 0) != 0;
	size_t kept = 0;
	for (ssize_t n; (n = read(fd, text + kept, sizeof text - 1 - kept)) > 0;) {
		char *at = text, *space;
		text[kept + (size_t)n] = '\0';
		for (; (space = strchr(at, ' ')); at = space + 1)
			each(self, (int)strtol(at, NULL, 10));
		kept = strlen(at);
		memmove(text, at, kept + 1);
	}
	close(fd);
	return true;
}

bool proc_children(int dir, void (*each)(void *self, int pid), void *self)
{
	DIR *tasks = open_tasks(dir);
	bool told = true;
	if (!tasks)
		return true;
	for (struct dirent *entry; told && (entry = readdir(tasks));)
		if (entry->d_name[0] != '.')
			told = children_of_task(dirfd(tasks), entry->d_name, each, self);
	closedir(tasks);
	return told;
}

uint64_t proc_last_made(void)
{
	char text[256];
	if (!proc_read_text(AT_FDCWD, "/proc/loadavg", text, sizeof text))
		return 0;
	const char *last = strrchr(text, ' ');
	return last ? strtoull(last + 1, NULL, 10) : 0;
}
