#include "sut/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sut/host.h"
#include "sut/message.h"
#include "sut/program.h"

/* For what takes no longer than a few milliseconds unless the machine is in trouble, such as a kill to take effect. */
#define PATIENCE_NS (10 * NS_PER_S)
/* For a keeper that was killed to be gone. */
#define LAST_NS NS_PER_S

enum rc crew_open(struct crew *crew, const struct sut_host *host, struct err *err)
{
	*crew = (struct crew){ .control = -1, .interrupt = host->interrupt };
	enum rc rc = host_keeper(host, &crew->control, err);
	crew->over = rc != RC_OK;
	return rc;
}

void crew_release(struct crew *crew)
{
	crew_end(crew);
	for (size_t i = 0; i < crew->count; i++) {
		free(crew->children[i].name);
		output_close(&crew->children[i].out);
		output_close(&crew->children[i].err);
	}
	free(crew->children);
	if (crew->control >= 0)
		close(crew->control);
	*crew = (struct crew){ .control = -1, .over = true };
}

int64_t crew_deadline(int64_t within_ns)
{
	int64_t now_ns = clock_now_ns();
	return within_ns < CLOCK_NEVER - now_ns ? now_ns + within_ns : CLOCK_NEVER;
}

static void end_child(struct child *child, int status, int64_t at_ns)
{
	child->ended = true;
	child->status = status;
	child->ended_ns = at_ns;
}

/* The keeper's end is the end of its processes: they are killed with it (PR_SET_PDEATHSIG). */
static void lose_keeper(struct crew *crew)
{
	close(crew->control);
	crew->control = -1;
	crew->over = true;
	for (size_t i = 0; i < crew->count; i++)
		if (!crew->children[i].ended)
			end_child(&crew->children[i], SIGKILL, clock_now_ns());
}

static void take_copied(struct child *child, const struct note *note)
{
	child->out.copied = note->out;
	child->err.copied = note->err;
}

static void apply(struct crew *crew, const struct note *note)
{
	struct child *child = note->index < crew->count ? &crew->children[note->index] : NULL;
	if (note->kind == NOTE_ENDED)
		crew->over = true;
	else if (child && note->kind == NOTE_MOVED)
		child->pid = note->pid;
	else if (child && note->kind == NOTE_SETTLED)
		child->settled = true;
	else if (child && note->kind == NOTE_EXITED) {
		end_child(child, note->status, note->at_ns);
		child->usage = note->usage;
		child->memory = note->memory;
		take_copied(child, note);
	} else if (child && note->kind == NOTE_COPIED) {
		take_copied(child, note);
	}
}

static bool take_note(struct crew *crew, struct note *note)
{
	if (crew->control < 0)
		return false;
	enum rc rc = message_receive(crew->control, note, sizeof *note, NULL, 0, false);
	if (rc == RC_OK) {
		apply(crew, note);
		return true;
	}
	if (rc != RC_TIMEOUT)
		lose_keeper(crew);
	return false;
}

static void wait_for(const struct crew *crew, const struct pollfd *other, int64_t until_ns)
{
	struct pollfd polled[] = { { .fd = crew->control, .events = POLLIN },
		{ .fd = crew->stopping ? -1 : crew->interrupt, .events = POLLIN }, { .fd = -1 } };
	/* Nobody is left who could say something. */
	if (crew->control < 0)
		return;
	if (other)
		polled[2] = *other;
	int64_t left = until_ns == CLOCK_NEVER ? CLOCK_NEVER : until_ns - clock_now_ns();
	if (left <= 0)
		return;
	struct timespec limit = { .tv_sec = left / NS_PER_S, .tv_nsec = left % NS_PER_S };
	ppoll(polled, 3, until_ns == CLOCK_NEVER ? NULL : &limit, NULL);
}

void crew_wait(struct crew *crew, const struct pollfd *other, int64_t until_ns)
{
	struct note note;
	bool heard = false;
	while (take_note(crew, &note))
		heard = true;
	if (heard)
		return;
	wait_for(crew, other, until_ns);
	while (take_note(crew, &note))
		continue;
}

bool crew_interrupted(const struct crew *crew)
{
	struct pollfd polled = { .fd = crew->interrupt, .events = POLLIN };
	return !crew->stopping && poll(&polled, 1, 0) > 0;
}

const struct child *crew_ended(const struct crew *crew)
{
	const struct child *first = NULL;
	for (size_t i = 0; i < crew->count; i++) {
		const struct child *child = &crew->children[i];
		if (child->ended && (!first || child->ended_ns < first->ended_ns))
			first = child;
	}
	return first;
}

static void command(struct crew *crew, struct command order)
{
	if (crew->control >= 0 &&
		message_send(crew->control, slice_from(&order, sizeof order), NULL, 0) != RC_OK)
		lose_keeper(crew);
}

static enum rc open_files(
	struct child *child, const struct process_spec *spec, int *fds, struct err *err)
{
	bool one = spec->err_path && spec->out_path && strcmp(spec->err_path, spec->out_path) == 0;
	enum rc rc = output_open(&child->out, spec->out_path, err);
	if (rc == RC_OK && !one)
		rc = output_open(&child->err, spec->err_path, err);
	if (rc != RC_OK)
		return rc;
	fds[START_OUT] = child->out.fd;
	fds[START_ERR] = one ? child->out.fd : child->err.fd;
	fds[START_CWD] = open(spec->cwd ? spec->cwd : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fds[START_CWD] < 0)
		return err_errno(err, RC_ENVIRONMENT, spec->name, "working directory %s",
			spec->cwd ? spec->cwd : ".");
	return RC_OK;
}

static enum rc open_input(const struct crew_start *how, int *fds, struct err *err)
{
	fds[START_IN] = how->in >= 0 ? fcntl(how->in, F_DUPFD_CLOEXEC, 0)
				     : open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fds[START_IN] >= 0 ? RC_OK : err_errno(err, RC_ENVIRONMENT, "/dev/null", "open");
}

static enum rc refuse(const struct note *note, const struct process_spec *spec, struct err *err)
{
	errno = note->error;
	char why[1024];
	switch (note->step) {
	case STEP_PREPARE: return err_errno(err, RC_ENVIRONMENT, spec->name, "cannot be started");
	case STEP_CAP:
		cap_why(&note->cap, note->error, why, sizeof why);
		return err_set(
			err, RC_ENVIRONMENT, spec->name, "its memory cannot be capped: %s", why);
	case STEP_DIRECTORY:
		return err_errno(err, RC_ENVIRONMENT, spec->name, "working directory %s",
			spec->cwd ? spec->cwd : ".");
	case STEP_EXECUTE: break;
	}
	return err_errno(err, RC_ENVIRONMENT, spec->name, "%s cannot be executed", spec->argv[0]);
}

/* The answer to COMMAND_START; other notes may come before it. */
static enum rc hear_started(
	struct crew *crew, const struct process_spec *spec, struct child *child, struct err *err)
{
	struct note note;
	int64_t until_ns = crew_deadline(PATIENCE_NS);
	while (crew->control >= 0 && clock_now_ns() < until_ns) {
		if (!take_note(crew, &note)) {
			wait_for(crew, NULL, until_ns);
			continue;
		}
		if (note.index != crew->count)
			continue;
		crew->keeper = note.keeper;
		child->pid = note.pid;
		child->started_ns = note.at_ns;
		child->cap = note.cap;
		return note.kind == NOTE_REFUSED ? refuse(&note, spec, err) : RC_OK;
	}
	return err_set(err, RC_ENVIRONMENT, spec->name,
		"its keeper process ended or does not answer, so it was not started");
}

static enum rc ask(struct crew *crew, const struct process_spec *spec, const struct crew_start *how,
	struct child *child, int *fds, struct err *err)
{
	struct command start = { .kind = COMMAND_START,
		.may_daemonise = how->may_daemonise,
		.memory_max_bytes = spec->memory_max_bytes };
	enum rc rc = open_files(child, spec, fds, err);
	if (rc == RC_OK)
		rc = open_input(how, fds, err);
	if (rc == RC_OK)
		rc = program_write(spec, how->notify, &fds[START_PROGRAM], &start.arguments,
			&start.variables, err);
	if (rc != RC_OK)
		return rc;
	if (spec->listen_count > SUT_LISTEN_MAX)
		BUG("%zu listening sockets for %s", spec->listen_count, spec->name);
	start.listens = (uint32_t)spec->listen_count;
	for (size_t i = 0; i < spec->listen_count; i++)
		fds[START_LISTEN + i] = spec->listen_fds[i];
	size_t count = START_LISTEN + spec->listen_count;
	if (message_send(crew->control, slice_from(&start, sizeof start), fds, count) != RC_OK)
		return err_errno(err, RC_ENVIRONMENT, spec->name, "its keeper process is gone");
	return hear_started(crew, spec, child, err);
}

enum rc crew_add(struct crew *crew, const struct process_spec *spec, const struct crew_start *how,
	struct err *err)
{
	int fds[START_FDS] = { -1, -1, -1, -1, -1, -1, -1, -1, -1 };
	struct child child = {
		.name = mem_text(spec->name),
		.stop_signal = spec->stop_signal,
		.stop_within_ns = spec->stop_within_ns,
		.memory_max_bytes = spec->memory_max_bytes,
		.out = { .fd = -1 },
		.err = { .fd = -1 },
	};
	enum rc rc = ask(crew, spec, how, &child, fds, err);
	if (fds[START_PROGRAM] >= 0)
		close(fds[START_PROGRAM]);
	if (fds[START_IN] >= 0)
		close(fds[START_IN]);
	if (fds[START_CWD] >= 0)
		close(fds[START_CWD]);
	if (rc != RC_OK) {
		output_close(&child.out);
		output_close(&child.err);
		free(child.name);
		return rc;
	}
	crew->children = mem_grow(crew->children, crew->count + 1, sizeof child);
	crew->children[crew->count++] = child;
	return RC_OK;
}

void crew_ready(struct crew *crew, size_t index)
{
	struct child *child = &crew->children[index];
	int64_t until_ns = crew_deadline(PATIENCE_NS);
	child->ready = true;
	command(crew, (struct command){ .kind = COMMAND_READY, .index = (uint32_t)index });
	while (!child->settled && !child->ended && clock_now_ns() < until_ns)
		crew_wait(crew, NULL, until_ns);
}

static bool ends_until(struct crew *crew, const struct child *child, int64_t until_ns)
{
	while (!child->ended && clock_now_ns() < until_ns)
		crew_wait(crew, NULL, until_ns);
	return child->ended;
}

/* What a keeper owns may have stopped it. While the socket has no end it is alive, so its number is not used again. */
static void signal_keeper(const struct crew *crew, int signal)
{
	if (crew->control >= 0 && crew->keeper > 0)
		kill(crew->keeper, signal);
}

/* From now on all is to end, by itself or not: one time for all of it. */
static int64_t patience_until(struct crew *crew)
{
	if (!crew->patience_ns)
		crew->patience_ns = crew_deadline(PATIENCE_NS);
	return crew->patience_ns;
}

static void order_end(struct crew *crew, struct command order)
{
	crew->stopping = true;
	command(crew, order);
	signal_keeper(crew, SIGCONT);
}

bool crew_stop(struct crew *crew, size_t index)
{
	const struct child *child = &crew->children[index];
	struct command order = { .kind = COMMAND_SIGNAL, .index = (uint32_t)index };
	struct note note;
	while (take_note(crew, &note))
		continue;
	if (child->ended)
		return false;
	order.signal = child->stop_signal;
	if (order.signal) {
		order_end(crew, order);
		if (ends_until(crew, child, crew_deadline(child->stop_within_ns)))
			return false;
	}
	order.signal = SIGKILL;
	order_end(crew, order);
	ends_until(crew, child, patience_until(crew));
	return true;
}

static void over_until(struct crew *crew, int64_t until_ns)
{
	while (!crew->over && clock_now_ns() < until_ns)
		crew_wait(crew, NULL, until_ns);
}

void crew_end(struct crew *crew)
{
	if (!crew->over)
		order_end(crew, (struct command){ .kind = COMMAND_END });
	over_until(crew, patience_until(crew));
	if (crew->over)
		return;
	/* Its processes are killed with it; the nursery sees to what these leave. */
	signal_keeper(crew, SIGKILL);
	over_until(crew, crew_deadline(LAST_NS));
}
