#include "sut/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sut/settle.h"
#include "sut/ward.h"

enum { POLL_CONTROL, POLL_SIGNALS, POLL_WARDS };
/* Of each ward from POLL_WARDS on. */
enum { WARD_OUT, WARD_ERR, WARD_FULL, WARD_POLLED };

/* A daemon may answer a moment before its first process has exited. */
#define SETTLE_NS NS_PER_S

struct keeper {
	int signals;
	struct ward *wards;
	size_t count;
	struct pids known; /* the processes of the wards that have not ended */
	struct pollfd *polled;
};

static void tell(const struct note *note)
{
	/* When onus is gone, the end of file on this very socket says so; there is nobody to tell. */
	enum rc rc = message_send(SETTLE_SOCKET, slice_from(note, sizeof *note), NULL, 0);
	(void)rc;
}

static void start(struct keeper *keeper, const struct command *command, int *fds)
{
	struct note note = { .index = (uint32_t)keeper->count };
	keeper->wards = mem_grow(keeper->wards, keeper->count + 1, sizeof *keeper->wards);
	keeper->polled = mem_grow(keeper->polled, POLL_WARDS + WARD_POLLED * (keeper->count + 1),
		sizeof *keeper->polled);
	struct ward *ward = &keeper->wards[keeper->count++];
	ward_start(ward, command, fds, &note);
	fds[START_OUT] = fds[START_ERR] = -1;
	if (ward->pid)
		pids_add(&keeper->known, ward->pid);
	tell(&note);
}

static struct ward *ward_of(const struct keeper *keeper, pid_t pid)
{
	for (size_t i = 0; i < keeper->count; i++)
		if (keeper->wards[i].pid == pid)
			return &keeper->wards[i];
	return NULL;
}

static void reap(struct keeper *keeper)
{
	struct signalfd_siginfo signals[8];
	while (read(keeper->signals, signals, sizeof signals) > 0)
		continue;
	for (;;) {
		siginfo_t ended = { 0 };
		if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) || !ended.si_pid)
			return;
		struct ward *ward = ward_of(keeper, ended.si_pid);
		if (!ward) {
			waitpid(ended.si_pid, NULL, 0);
			continue;
		}
		struct note note = { .index = (uint32_t)(ward - keeper->wards) };
		ward_reap(ward, &keeper->known, &note);
		pids_remove(&keeper->known, ended.si_pid);
		if (ward->pid)
			pids_add(&keeper->known, ward->pid);
		tell(&note);
	}
}

static void settle(struct keeper *keeper, struct ward *ward)
{
	struct note note = { .kind = NOTE_SETTLED, .index = (uint32_t)(ward - keeper->wards) };
	reap(keeper);
	if (ward->settled_ns == CLOCK_NEVER)
		ward->settled_ns = clock_now_ns() + SETTLE_NS;
	tell(&note);
}

/* False: it is time to end. */
static bool obey(struct keeper *keeper, const struct command *command, int *fds)
{
	struct ward *ward = command->index < keeper->count ? &keeper->wards[command->index] : NULL;
	switch (command->kind) {
	case COMMAND_START: start(keeper, command, fds); return true;
	case COMMAND_READY:
		if (ward)
			settle(keeper, ward);
		return true;
	case COMMAND_SIGNAL:
		if (ward && ward->pid) {
			ward->settled_ns = 0;
			kill(ward->pid, command->signal);
		}
		return true;
	case COMMAND_END: return false;
	}
	return false;
}

static bool take_command(struct keeper *keeper)
{
	struct command command;
	int fds[START_FDS];
	enum rc rc =
		message_receive(SETTLE_SOCKET, &command, sizeof command, fds, START_FDS, false);
	bool stay = rc == RC_TIMEOUT || (rc == RC_OK && obey(keeper, &command, fds));
	for (size_t i = 0; i < START_FDS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	return stay;
}

static size_t prepare(struct keeper *keeper)
{
	size_t n = POLL_WARDS;
	keeper->polled[POLL_CONTROL] = (struct pollfd){ .fd = SETTLE_SOCKET, .events = POLLIN };
	keeper->polled[POLL_SIGNALS] = (struct pollfd){ .fd = keeper->signals, .events = POLLIN };
	for (size_t i = 0; i < keeper->count; i++) {
		const struct ward *ward = &keeper->wards[i];
		keeper->polled[n++] = (struct pollfd){ .fd = ward->out.pipe, .events = POLLIN };
		keeper->polled[n++] = (struct pollfd){ .fd = ward->err.pipe, .events = POLLIN };
		keeper->polled[n++] = (struct pollfd){ .fd = ward->full, .events = POLLIN };
	}
	return n;
}

static void serve(struct keeper *keeper, size_t polled)
{
	for (size_t i = POLL_WARDS; i < polled; i += WARD_POLLED) {
		struct ward *ward = &keeper->wards[(i - POLL_WARDS) / WARD_POLLED];
		if (keeper->polled[i + WARD_OUT].revents)
			copy_step(&ward->out);
		if (keeper->polled[i + WARD_ERR].revents)
			copy_step(&ward->err);
		if (keeper->polled[i + WARD_FULL].revents)
			ward_full(ward);
	}
}

static _Noreturn void end(struct keeper *keeper)
{
	struct note note = { .kind = NOTE_ENDED };
	descend_kill(NULL);
	for (size_t i = 0; i < keeper->count; i++) {
		struct note copied = { .kind = NOTE_COPIED, .index = (uint32_t)i };
		copy_close(&keeper->wards[i].out);
		copy_close(&keeper->wards[i].err);
		ward_copied(&keeper->wards[i], &copied);
		ward_end(&keeper->wards[i]);
		tell(&copied);
	}
	free(keeper->wards);
	free(keeper->polled);
	pids_release(&keeper->known);
	tell(&note);
	_exit(0);
}

void keeper_run(int control)
{
	struct keeper keeper = { .signals = settle_process("onus-keeper", control) };
	keeper.polled = mem_alloc(POLL_WARDS, sizeof *keeper.polled);
	for (;;) {
		size_t polled = prepare(&keeper);
		if (poll(keeper.polled, polled, -1) < 0 && errno != EINTR)
			BUG("poll: errno %d", errno);
		/* First, so that what a daemon says is in the file only after it is known as one. */
		if (keeper.polled[POLL_SIGNALS].revents)
			reap(&keeper);
		serve(&keeper, polled);
		if (keeper.polled[POLL_CONTROL].revents && !take_command(&keeper))
			end(&keeper);
	}
}
