/*
 * message: what onus and a keeper say to each other over a SOCK_SEQPACKET pair: fixed structs, whole or not at all.
 *
 * onus sends commands, the keeper sends notes. Both come from one binary, so there is no version and no byte order.
 * Processes are known by their index: the order in which they were started under this keeper.
 */
#ifndef SUT_MESSAGE_H
#define SUT_MESSAGE_H

#include <stdint.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/slice.h"
#include "sut/cap.h"
#include "sut/copy.h"
#include "sut/sut.h"

enum command_kind {
	COMMAND_START, /* a new process, the next index; brings the descriptors of enum start_fd */
	COMMAND_READY, /* it answers; answered by NOTE_SETTLED */
	COMMAND_SIGNAL,
	COMMAND_END, /* kill whatever is left, copy the rest of the output, say NOTE_ENDED and exit */
};

/* What comes with COMMAND_START, in this order; the last ones only where `listens`. */
enum start_fd {
	START_PROGRAM, /* see program.h */
	START_IN,
	START_OUT,
	START_ERR,
	START_CWD,
	START_LISTEN,
	START_FDS = START_LISTEN + SUT_LISTEN_MAX
};

struct command {
	enum command_kind kind;
	uint32_t index;
	int signal;
	uint32_t listens;   /* how many descriptors from START_LISTEN on */
	bool may_daemonise; /* exit status 0 with a child left means that the child is the process */
	uint32_t arguments, variables;
	uint64_t memory_max_bytes; /* 0: no cap */
};

enum note_kind {
	NOTE_STARTED,
	NOTE_REFUSED, /* it could not be executed: `error` at `step` */
	NOTE_MOVED,   /* it went on as a daemon: `pid` */
	NOTE_SETTLED, /* whatever happened until it was ready has been said now */
	NOTE_EXITED,  /* with what was copied until then */
	NOTE_COPIED,  /* just before NOTE_ENDED: what was copied in all */
	NOTE_ENDED, /* the answer to COMMAND_END: nothing is left, and all output is in the files */
};

enum start_step { STEP_PREPARE, STEP_CAP, STEP_DIRECTORY, STEP_EXECUTE };

struct note {
	enum note_kind kind;
	uint32_t index;
	int pid, keeper; /* keeper: with NOTE_STARTED, its own process id */
	enum start_step step;
	int error;
	int status; /* as waitpid(2) gives it */
	int64_t at_ns;
	struct rusage usage;
	struct copied out, err;
	struct cap cap; /* with NOTE_STARTED; with NOTE_REFUSED at STEP_CAP as cap_open() */
	struct cap_usage memory; /* with NOTE_EXITED and NOTE_MOVED, where it has a cap */
};

/* Blocks while the other side does not read. RC_CLOSED where it is gone, RC_ENVIRONMENT for anything else. */
enum rc message_send(int socket, struct slice bytes, const int *fds, size_t count) MUST_USE;

/*
 * One message of exactly `size` bytes and at most `max` descriptors (closed on exec; the rest of fds is -1). With
 * wait false RC_TIMEOUT where none is there. RC_CLOSED at the end; RC_INVALID for any other size.
 */
enum rc message_receive(
	int socket, void *bytes, size_t size, int *fds, size_t max, bool wait) MUST_USE;

#endif
