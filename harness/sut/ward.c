#include "sut/ward.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sut/spawn.h"

/* daemon(3) forks once, careful programs twice. */
enum { MOVES_MAX = 3 };

/* Where its memory is capped: a new group, and the file through which the process enters it. */
static bool enclose(struct ward *ward, uint64_t bytes, int *group, struct note *note)
{
	*group = -1;
	if (!bytes)
		return true;
	bool made = cap_open(&ward->cap, bytes);
	if (made)
		*group = cap_procs(&ward->cap);
	note->error = errno;
	ward->full = cap_watch(&ward->cap);
	note->cap = ward->cap;
	note->step = STEP_CAP;
	return made && *group >= 0;
}

static void execute(struct ward *ward, const struct command *command, const int *fds, int out,
	int err, struct note *note)
{
	struct program program;
	struct spawn spawn = {
		.program = &program,
		.in = fds[START_IN],
		.out = out,
		.err = err,
		.cwd = fds[START_CWD],
		.listen = &fds[START_LISTEN],
		.listens = command->listens,
	};
	if (!enclose(ward, command->memory_max_bytes, &spawn.group, note))
		return;
	note->step = STEP_PREPARE;
	note->error = EINVAL;
	if (program_read(fds[START_PROGRAM], command->arguments, command->variables, &program) ==
		RC_OK)
		ward->pid = spawn_process(&spawn, &note->step, &note->error);
	program_release(&program);
	if (spawn.group >= 0)
		close(spawn.group);
}

void ward_start(struct ward *ward, const struct command *command, const int *fds, struct note *note)
{
	*ward = (struct ward){ .pid = -1, .full = -1 };
	ward->settled_ns = command->may_daemonise ? CLOCK_NEVER : 0;
	note->step = STEP_PREPARE;
	note->at_ns = clock_now_ns();
	int out = copy_open(&ward->out, fds[START_OUT]);
	note->error = errno;
	int err = copy_open(&ward->err, fds[START_ERR]);
	if (out >= 0 && err >= 0)
		execute(ward, command, fds, out, err, note);
	if (out >= 0)
		close(out);
	if (err >= 0)
		close(err);
	note->kind = ward->pid < 0 ? NOTE_REFUSED : NOTE_STARTED;
	note->pid = ward->pid;
	note->keeper = getpid();
	if (ward->pid < 0) {
		ward_end(ward);
		ward->pid = 0;
	}
}

void ward_full(struct ward *ward)
{
	if (cap_was_full(&ward->cap, ward->full) && ward->pid > 0)
		kill(ward->pid, SIGKILL);
}

void ward_end(struct ward *ward)
{
	if (ward->full >= 0)
		close(ward->full);
	ward->full = -1;
	cap_close(&ward->cap);
}

/*
 * A daemon's first process exits with 0 and leaves a child, which by then is the keeper's. Once the daemon answers the
 * child has a session of its own, so a mere left-over worker is not mistaken for one.
 */
static pid_t daemon_of(const struct ward *ward, const struct pids *known)
{
	pid_t found = 0;
	struct pids children = { 0 };
	if (ward->moves >= MOVES_MAX || clock_now_ns() >= ward->settled_ns)
		return 0;
	bool answers = ward->settled_ns != CLOCK_NEVER;
	pid_t session = getsid(0);
	descend_list(&children, known);
	for (size_t i = 0; i < children.count && !found; i++)
		if (!answers || getsid(children.list[i]) != session)
			found = children.list[i];
	pids_release(&children);
	return found;
}

void ward_copied(const struct ward *ward, struct note *note)
{
	copy_tell(&ward->out, &note->out);
	copy_tell(&ward->err, &note->err);
}

void ward_reap(struct ward *ward, const struct pids *known, struct note *note)
{
	while (wait4(ward->pid, &note->status, 0, &note->usage) < 0 && errno == EINTR)
		continue;
	note->at_ns = clock_now_ns();
	cap_read(&ward->cap, &note->memory);
	ward->pid = WIFEXITED(note->status) && WEXITSTATUS(note->status) == 0
			    ? daemon_of(ward, known)
			    : 0;
	copy_step(&ward->out);
	copy_step(&ward->err);
	ward_copied(ward, note);
	ward->moves++;
	note->kind = ward->pid ? NOTE_MOVED : NOTE_EXITED;
	note->pid = ward->pid;
}
