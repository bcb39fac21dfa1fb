/*
 * program: arguments and environment of a process, packed into a memory file so that they may be of any size.
 */
#ifndef SUT_PROGRAM_H
#define SUT_PROGRAM_H

#include <stdint.h>

#include "base/err.h"
#include "base/slice.h"

struct process_spec;

struct program {
	char *bytes;
	char **argv, **env; /* ended by NULL, pointing into bytes */
	char *listen_pid;   /* the room for the number in LISTEN_PID=, or NULL */
};

/*
 * Packs spec's argv and env into a new memory file *fd, and tells how many strings there are. Where spec hands over a
 * listening socket, LISTEN_FDS and LISTEN_PID are added, `notify` (may be NULL) as NOTIFY_SOCKET; what env says of
 * these is left out. RC_ENVIRONMENT.
 */
enum rc program_write(const struct process_spec *spec, const char *notify, int *fd,
	uint32_t *arguments, uint32_t *variables, struct err *err) MUST_USE;

/* The other way. RC_INVALID where the file does not hold that many strings. */
enum rc program_read(
	int fd, uint32_t arguments, uint32_t variables, struct program *program) MUST_USE;
void program_release(struct program *program);

/* Before exec, in the process itself: tells it that the listening socket is meant for it (sd_listen_fds(3)). */
void program_set_listen_pid(struct program *program);

/* A read-only memory file of these bytes: standard input. RC_ENVIRONMENT. */
enum rc program_input(struct slice bytes, int *fd, struct err *err) MUST_USE;

#endif
