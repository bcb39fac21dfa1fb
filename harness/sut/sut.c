#include "sut/sut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sut/crew.h"
#include "sut/ready.h"

struct sut {
	struct crew crew;
};

/* What went wrong, while it still can be seen: before the processes are ended. */
static void describe(char *text, size_t size, const struct crew *crew,
	const struct ready_wait *wait, const struct process_spec *spec, enum rc rc)
{
	char awaited[512];
	const struct child *ended = crew_ended(crew);
	const struct child *child = &crew->children[crew->count - 1];
	ready_describe(wait, awaited, sizeof awaited);
	int64_t took_ns = clock_now_ns() - child->started_ns;
	if (rc == RC_TIMEOUT)
		snprintf(text, size, "not ready within %g s: expected %s; ",
			(double)spec->ready.within_ns / NS_PER_S, awaited);
	else
		snprintf(text, size, "ended after %.3g s, before it was ready: expected %s; ",
			(double)took_ns / NS_PER_S, awaited);
	if (ended && ended != child) {
		size_t used = strlen(text);
		snprintf(text + used, size - used, "%s, which it may need, is gone: ", ended->name);
		child = ended;
	}
	crew_describe(child, text, size);
}

static void add_output(char *text, size_t size, const struct child *child)
{
	output_last_lines(&child->err, text, size);
	output_last_lines(&child->out, text, size);
	if (child->out.copied.dropped || child->err.copied.dropped)
		snprintf(text + strlen(text), size - strlen(text), "\n  ");
	output_dropped(&child->err, "stderr", text, size);
	output_dropped(&child->out, child->err.copied.dropped ? "; stdout" : "stdout", text, size);
}

static enum rc start_one(
	struct sut *sut, const struct process_spec *spec, bool *hints, struct err *err)
{
	struct ready_wait *wait = NULL;
	struct crew *crew = &sut->crew;
	enum rc rc = ready_begin(spec, &wait, err);
	if (rc != RC_OK)
		return rc;
	struct crew_start how = { .in = -1, .may_daemonise = true, .notify = ready_notify(wait) };
	rc = crew_add(crew, spec, &how, err);
	if (rc != RC_OK)
		goto out_wait;
	rc = ready_until(wait, crew, crew->count - 1, crew_deadline(spec->ready.within_ns));
	if (rc == RC_OK)
		goto out_wait;
	if (rc == RC_ENVIRONMENT) {
		err_set(err, rc, spec->name, "interrupted before it was ready");
		goto out_wait;
	}
	char text[sizeof err->text];
	describe(text, sizeof text, crew, wait, spec, rc);
	crew_end(crew);
	const struct child *child = &crew->children[crew->count - 1];
	add_output(text, sizeof text, child);
	*hints = output_port_taken(&child->out) || output_port_taken(&child->err);
	rc = err_set(err, RC_ENVIRONMENT, spec->name, "%s", text);
out_wait:
	ready_free(wait);
	return rc;
}

enum rc sut_start(struct sut_host *host, const struct process_spec *specs, size_t count,
	struct sut **sut, bool *taken, struct err *err)
{
	bool hints = false;
	struct sut *new = mem_alloc(1, sizeof *new);
	if (!count)
		BUG("a start without a process");
	enum rc rc = crew_open(&new->crew, host, err);
	for (size_t i = 0; i < count && rc == RC_OK; i++)
		rc = start_one(new, &specs[i], &hints, err);
	if (taken)
		*taken = hints;
	if (rc == RC_OK) {
		*sut = new;
		return RC_OK;
	}
	crew_release(&new->crew);
	free(new);
	return rc;
}

bool sut_alive(struct sut *sut, struct process_end *end, const char **name, struct arena *arena)
{
	crew_wait(&sut->crew, NULL, 0);
	const struct child *ended = crew_ended(&sut->crew);
	if (!ended)
		return true;
	if (end)
		crew_tell(ended, end, arena);
	if (name)
		*name = arena_text(arena, ended->name);
	return false;
}

static const struct child *last(const struct sut *sut)
{
	return &sut->crew.children[sut->crew.count - 1];
}

int sut_pid(const struct sut *sut)
{
	return last(sut)->pid;
}

const struct rusage *sut_usage(const struct sut *sut)
{
	return last(sut)->ended ? &last(sut)->usage : NULL;
}

bool sut_memory(const struct sut *sut, struct cap_usage *usage)
{
	const struct child *child = last(sut);
	if (child->cap.version == CAP_NONE)
		return false;
	if (child->ended)
		*usage = child->memory;
	else
		cap_read(&child->cap, usage);
	return true;
}

void sut_stop(struct sut *sut, struct process_end *end, struct arena *arena)
{
	bool killed = false;
	if (!sut)
		return;
	for (size_t i = sut->crew.count; i-- > 0;) {
		bool had_to = crew_stop(&sut->crew, i);
		if (i == sut->crew.count - 1)
			killed = had_to;
	}
	crew_end(&sut->crew);
	if (end) {
		crew_tell(last(sut), end, arena);
		end->timed_out = killed;
	}
	crew_release(&sut->crew);
	free(sut);
}
