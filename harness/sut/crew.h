/*
 * crew: the processes of one start, as onus sees them through the socket of their keeper. What the keeper is, and what
 * it promises, is in keeper.h; this is the other end.
 */
#ifndef SUT_CREW_H
#define SUT_CREW_H

#include <poll.h>
#include <sys/resource.h>

#include "sut/cap.h"
#include "sut/output.h"
#include "sut/sut.h"

struct child {
	char *name;
	int pid;
	bool ready, settled, ended;
	int status; /* as waitpid(2) gives it */
	int64_t started_ns, ended_ns;
	struct rusage usage;
	uint64_t memory_max_bytes;
	struct cap cap;          /* its version is CAP_NONE where it has none */
	struct cap_usage memory; /* of the cap, once it ended */
	int stop_signal;
	int64_t stop_within_ns;
	struct output out, err; /* err is closed where both go to one file */
};

struct crew {
	int control;         /* -1 once the keeper is gone */
	bool over;           /* nothing of it is left */
	bool stopping;       /* an interrupt no longer counts */
	int interrupt;       /* see sut_interrupt(); -1: none */
	int keeper;          /* its process id, once a process was started */
	int64_t patience_ns; /* when whatever does not end is given up; 0 before that counts */
	struct child *children;
	size_t count;
};

/* How a process is started, apart from what its spec says. */
struct crew_start {
	int in;             /* its standard input, or -1: /dev/null; stays the caller's */
	bool may_daemonise; /* see message.h */
	const char *notify; /* for NOTIFY_SOCKET, or NULL */
};

/* A new keeper without processes. RC_ENVIRONMENT. */
enum rc crew_open(struct crew *crew, const struct sut_host *host, struct err *err) MUST_USE;
/* Ends all of it where it is not over, and frees. */
void crew_release(struct crew *crew);

/* Executes one more process: the last of crew->children. RC_ENVIRONMENT, also where it cannot be executed. */
enum rc crew_add(struct crew *crew, const struct process_spec *spec, const struct crew_start *how,
	struct err *err) MUST_USE;

/*
 * Takes in what the keeper has said. Where it has said nothing, waits until it does, is gone, an interrupt comes, or
 * something happens on `other` (may be NULL), but not past until_ns.
 */
void crew_wait(struct crew *crew, const struct pollfd *other, int64_t until_ns);

/* The clock's time when `within_ns` from now is over. */
int64_t crew_deadline(int64_t within_ns);

/* An interrupt has come, and it is not being stopped yet. */
bool crew_interrupted(const struct crew *crew);

/* The first that ended, or NULL. */
const struct child *crew_ended(const struct crew *crew);

/* It answers now. */
void crew_ready(struct crew *crew, size_t index);
/* Sends its stop signal, and SIGKILL when its time is over. True where it had to be killed. */
bool crew_stop(struct crew *crew, size_t index);
/*
 * Kills what is left, descendants too, and waits until all output is in the files. A keeper that does not answer is
 * killed itself, with what it had not copied yet.
 */
void crew_end(struct crew *crew);

/* How it ended, or that it runs. Output is complete only after crew_end(). */
void crew_tell(const struct child *child, struct process_end *end, struct arena *arena);
/* "exited with status 3", "was killed by signal 11 (Segmentation fault)", "still runs", appended to text. */
void crew_describe(const struct child *child, char *text, size_t size);

#endif
