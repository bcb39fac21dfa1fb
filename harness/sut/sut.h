/*
 * sut: starts the system under test and what stands beside it, waits until it is ready, and ends all of it.
 *
 * Nothing is ever left running. sut_init() forks a small process before any thread starts. For each start it forks a
 * keeper: parent of the processes and child subreaper of all that descend from them. The keeper copies their output to
 * files (capped), tells how they ended, and at end of file on its socket (onus stopped, crashed or was killed) kills
 * all descendants, daemonised ones too. Everything that onus executes, `exec` and `refuses` included, goes this way.
 *
 *	struct sut_host *host;
 *	sut_init(&host, &err);
 *	struct sut *sut;
 *	if (sut_start(host, specs, count, &sut, &err) == RC_OK)
 *		...
 *	sut_stop(sut, &end);
 */
#ifndef SUT_SUT_H
#define SUT_SUT_H

#include "base/arena.h"
#include "base/clock.h"
#include "model/process.h"

struct cap_usage;
struct rusage;
struct sut_host;
struct sut;

enum {
	SUT_OUTPUT_MAX_BYTES = 16 * 1024 * 1024
}; /* of each of stdout and stderr; the rest is counted and dropped */

enum { SUT_LISTEN_MAX = 4 };
enum { SUT_UNIX_PATH_MAX = 107 }; /* unix(7): sun_path, ended by NUL */

enum ready_kind { READY_NONE, READY_PORT, READY_REQUEST, READY_OUTPUT, READY_NOTIFY };

struct ready {
	enum ready_kind kind;
	const char *
		target; /* READY_REQUEST: GET it until any 2xx; onus's own small client, HTTP/1.1 */
	const char *pattern; /* READY_OUTPUT: PCRE2 over stdout and stderr, per line */
	int64_t within_ns;
};

struct process_spec {
	const char *name; /* "sut", a service's or a profile's name: for messages */
	const char *const *
		argv; /* ended by NULL; argv[0] is looked up in onus's PATH unless it has a slash */
	const char *const *env; /* "NAME=VALUE", the whole environment, ended by NULL */
	const char *cwd;        /* NULL: onus's */
	const char *out_path,
		*err_path; /* appended to; one file for both counts as out; NULL: in memory */
	/*
	 * Listening sockets, handed over as fd 3 and up with LISTEN_FDS, LISTEN_PID and, where they have names,
	 * LISTEN_FDNAMES (sd_listen_fds(3)). They stay the caller's.
	 */
	const int *listen_fds;
	const char *const *listen_names; /* as many as listen_fds, or NULL */
	size_t listen_count;             /* 0: none; at most SUT_LISTEN_MAX */
	/* Where READY_PORT and READY_REQUEST ask: a port of 127.0.0.1, or a Unix socket. */
	int port;
	const char *unix_path; /* or NULL; at most SUT_UNIX_PATH_MAX bytes */
	bool proxy_line;       /* it wants a line of PROXY protocol v1 in front of a request */
	struct ready ready;
	int stop_signal;        /* 0: SIGKILL at once */
	int64_t stop_within_ns; /* then SIGKILL, which is told */
	/* What it and all that descends from it may use: a cgroup of its own, see cap.h. 0: no cap. */
	uint64_t memory_max_bytes;
};

/* Forks; call before any thread exists. What runs under it may be used by any thread. RC_ENVIRONMENT. */
enum rc sut_init(struct sut_host **host, struct err *err) MUST_USE;
/*
 * Once `fd` is readable sut_start() and sut_run() no longer wait, but end what they have started and say RC_ENVIRONMENT.
 * It stays the caller's and is never read; -1: none. Call it before any thread exists.
 */
void sut_interrupt(struct sut_host *host, int fd);
/* Kills what was not stopped, and returns once it is gone. */
void sut_close(struct sut_host *host);

/* 127.0.0.1:0, listening; the port in *port. The caller closes it after the start. */
enum rc sut_listen(int *fd, int *port, struct err *err) MUST_USE;
/*
 * A port that was free a moment ago, picked at random by the kernel. Somebody else may be faster than the SUT, which
 * *taken of sut_start() tells.
 */
enum rc sut_free_port(int *port, struct err *err) MUST_USE;

/*
 * Starts the processes in order, each once the one before is ready, all under one keeper. On failure all are ended;
 * RC_ENVIRONMENT, err tells which, why, and the last lines of its output; *taken (may be NULL) tells that its output
 * or exit hints at a port already in use, so that the caller picks another one and tries again.
 * The output of a start that failed is still in the files. A process that exits with 0 before it is ready and leaves a
 * child counts as gone on in the background: then the child is the process. RC_USAGE for a pattern that does not compile.
 */
enum rc sut_start(struct sut_host *host, const struct process_spec *specs, size_t count,
	struct sut **sut, bool *taken, struct err *err) MUST_USE;

/* Whether all of it is still alive; else *end (may be NULL) tells how the first one that ended did, and *name which. */
bool sut_alive(struct sut *sut, struct process_end *end, const char **name, struct arena *arena);
/* Process id of the last process (the SUT); that of the daemon, where it went on as one. */
int sut_pid(const struct sut *sut);
/* What it has used, with the children it waited for, once sut_alive() said that it ended; else NULL. */
const struct rusage *sut_usage(const struct sut *sut);

/* Of its memory cap: now, or what was true when it ended. False where it has none. */
bool sut_memory(const struct sut *sut, struct cap_usage *usage);

/*
 * Ends the processes in reverse order by their stop signals, then kills whatever descends from them. *end tells how the
 * last process (the SUT) ended: a signal other than the stop signal, a sanitizer's report, or timed_out where it had to
 * be killed are for the caller to judge. sut may be NULL.
 */
void sut_stop(struct sut *sut, struct process_end *end, struct arena *arena);

/*
 * Runs one program to its end: `exec`, `refuses` (spec->ready tells when it counts as started: then end->answered is
 * set and it is stopped), a suite's `build`, the list of faults. RC_ENVIRONMENT where it cannot be executed. It is over
 * when the program itself ends; what it left running is killed. When within_ns is over it is stopped as sut_stop() does.
 * in (ptr may be NULL) is its standard input, else /dev/null.
 */
enum rc sut_run(struct sut_host *host, const struct process_spec *spec, struct slice in,
	int64_t within_ns, struct process_end *end, struct arena *arena, struct err *err) MUST_USE;

#endif
