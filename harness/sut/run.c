#include "sut/sut.h"

#include <unistd.h>

#include "sut/crew.h"
#include "sut/program.h"
#include "sut/ready.h"

/* As ready_until(), but nothing makes it ready. */
static enum rc ended_until(struct crew *crew, int64_t until_ns)
{
	while (!crew_ended(crew)) {
		if (crew_interrupted(crew))
			return RC_ENVIRONMENT;
		if (clock_now_ns() >= until_ns)
			return RC_TIMEOUT;
		crew_wait(crew, NULL, until_ns);
	}
	return RC_CLOSED;
}

/* Until it ends, or is ready where that is asked for, or its time is over. RC_ENVIRONMENT: an interrupt came first. */
static enum rc watch(struct crew *crew, struct ready_wait *wait, const struct process_spec *spec,
	int64_t until_ns, struct process_end *end, struct arena *arena, struct err *err)
{
	int64_t ready_ns = crew_deadline(spec->ready.within_ns);
	enum rc rc =
		spec->ready.kind == READY_NONE
			? ended_until(crew, until_ns)
			: ready_until(wait, crew, 0, ready_ns < until_ns ? ready_ns : until_ns);
	crew_stop(crew, 0);
	crew_end(crew);
	crew_tell(&crew->children[0], end, arena);
	end->timed_out = rc == RC_TIMEOUT;
	if (rc == RC_ENVIRONMENT)
		return err_set(err, rc, spec->name, "interrupted before it ended");
	return RC_OK;
}

enum rc sut_run(struct sut_host *host, const struct process_spec *spec, struct slice in,
	int64_t within_ns, struct process_end *end, struct arena *arena, struct err *err)
{
	struct crew crew;
	struct ready_wait *wait = NULL;
	struct crew_start how = { .in = -1 };
	int64_t until_ns = crew_deadline(within_ns);
	enum rc rc = ready_begin(spec, &wait, err);
	if (rc != RC_OK)
		return rc;
	if (in.ptr)
		rc = program_input(in, &how.in, err);
	if (rc != RC_OK)
		goto out_wait;
	how.notify = ready_notify(wait);
	rc = crew_open(&crew, host, err);
	if (rc != RC_OK)
		goto out_in;
	rc = crew_add(&crew, spec, &how, err);
	if (rc == RC_OK)
		rc = watch(&crew, wait, spec, until_ns, end, arena, err);
	crew_release(&crew);
out_in:
	if (how.in >= 0)
		close(how.in);
out_wait:
	ready_free(wait);
	return rc;
}
