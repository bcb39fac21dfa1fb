/*
 * burner_testing: what the tests of sampling share: a process that uses something known when it is told to, and tells
 * when it has. For tests alone.
 */
#ifndef SUT_BURNER_TESTING_H
#define SUT_BURNER_TESTING_H

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "sut/memory_testing.h"
#include "sut/sample.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

#define MIB ((size_t)1024 * 1024)

/* A burner waits for `go`, does something known, says that it is done, and ends when `go` is closed. */
struct burner {
	pid_t pid;
	int go, done;
};

static inline bool await_byte(int fd)
{
	char byte;
	return read(fd, &byte, 1) == 1;
}

static inline void send_byte(int fd)
{
	ck_assert_int_eq(write(fd, "", 1), 1);
}

/* What a burner says of itself and the children that it has waited for, by getrusage(2). */
static int64_t *used_ns;

static inline int64_t usage_of(int who)
{
	struct rusage usage;
	getrusage(who, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * NS_PER_S +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * NS_PER_US;
}

static inline void burner_start(struct burner *burner, void (*burn)(int go, int done))
{
	int shared = memfd_create("used", MFD_CLOEXEC), go[2], done[2];
	ck_assert(shared >= 0 && ftruncate(shared, sizeof *used_ns) == 0);
	used_ns = mmap(NULL, sizeof *used_ns, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
	close(shared);
	ck_assert(pipe2(go, O_CLOEXEC) == 0 && pipe2(done, O_CLOEXEC) == 0);
	burner->pid = fork();
	if (burner->pid == 0) {
		close(go[1]);
		close(done[0]);
		send_byte(done[1]);
		if (await_byte(go[0]))
			burn(go[0], done[1]);
		*used_ns = usage_of(RUSAGE_SELF) + usage_of(RUSAGE_CHILDREN);
		send_byte(done[1]);
		await_byte(go[0]);
		_exit(0);
	}
	close(go[0]);
	close(done[1]);
	burner->go = go[1];
	burner->done = done[0];
	ck_assert(await_byte(burner->done));
}

static inline void burner_end(struct burner *burner)
{
	close(burner->go);
	ck_assert_int_eq(waitpid(burner->pid, NULL, 0), burner->pid);
	close(burner->done);
}

/* By its own CPU clock, so that it takes the same however busy the machine is. */
static inline void spin(int64_t cpu_ns)
{
	struct timespec used, start;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	while ((used.tv_sec - start.tv_sec) * NS_PER_S + used.tv_nsec - start.tv_nsec < cpu_ns);
}

static inline struct sample *start(const struct sample_source *source)
{
	struct err err = { 0 };
	struct sample *sample;
	ck_assert_msg(
		sample_start(source, SAMPLE_EVERY_NS, &sample, &err) == RC_OK, "%s", err.text);
	return sample;
}

/* Runs a burner from mark to mark. */
static inline void measure(void (*burn)(int go, int done), struct cost_sum *sum)
{
	struct burner burner;
	burner_start(&burner, burn);
	struct sample *sample = start(&(struct sample_source){ .pid = burner.pid });
	int64_t from_ns = sample_mark(sample);
	send_byte(burner.go);
	ck_assert(await_byte(burner.done));
	int64_t to_ns = sample_mark(sample);
	sample_stop(sample);
	ck_assert(cost_sum(sample_cost(sample), from_ns, to_ns, sum));
	sample_free(sample);
	burner_end(&burner);
}

#endif
