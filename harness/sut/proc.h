/*
 * proc: what /proc tells about one process (proc(5)), each call one short read.
 *
 * Most take a descriptor of /proc/PID, which stays with that process: once it is gone they say so, also when its number
 * is used again. False: it is gone, or the kernel does not tell (other users' processes, older kernels).
 */
#ifndef SUT_PROC_H
#define SUT_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proc_stat {
	int parent;
	int64_t own_ns; /* CPU of all its threads, of ended ones too; to a tick, as a rule 10 ms */
	int64_t reaped_ns; /* CPU of the children that it has waited for, and theirs; likewise */
	int64_t threads;
	uint64_t started; /* after boot, in ticks: with the process id it names one process */
};

/* -1 where there is none. The caller closes it. */
int proc_open(int pid);

/*
 * A file of the kernel's, as much as one read gives of it, at most size - 1 bytes, with a NUL behind; false, and an empty
 * text, where there is nothing. dir: what the name is relative to, as of openat(2).
 */
bool proc_read_text(int dir, const char *name, char *text, size_t size);

/* The text of /proc/PID/stat; a tick is 1/ticks_per_s of a second. */
bool proc_parse_stat(const char *text, long ticks_per_s, struct proc_stat *stat);
bool proc_stat(int dir, struct proc_stat *stat);
/* 0 where there is no such process. */
uint64_t proc_started(int pid);

/* CPU of all its threads, exact, by its CPU clock; any process may ask. */
bool proc_cpu(int pid, int64_t *cpu_ns);

/* Of the calling thread. */
int64_t proc_thread_cpu(void);

bool proc_resident(int dir, int64_t *bytes);
bool proc_descriptors(int dir, int64_t *count);
/* Of all threads that live, added to both. */
bool proc_switches(int dir, int64_t *voluntary, int64_t *involuntary);
/* Its share of what it uses together with others, and what of it is no file's; takes about 1 ms for 200 MiB. */
bool proc_parts(int dir, int64_t *pss_bytes, int64_t *anonymous_bytes);
/* What the kernel holds in the buffers of TCP and UDP sockets, on the whole machine, from the process's network. */
bool proc_sockets(int dir, int64_t *bytes);
bool proc_parse_sockets(const char *text, long page_bytes, int64_t *bytes);

/* Calls each(self, pid) for its children; false where the kernel has no list (CONFIG_PROC_CHILDREN). */
bool proc_children(int dir, void (*each)(void *self, int pid), void *self);

/* The number of the process or thread that was made last, here or in a container; 0 where the kernel does not tell. */
uint64_t proc_last_made(void);

#endif
