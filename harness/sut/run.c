#include "sut/sut.h"

#include <unistd.h>

#include "sut/crew.h"
#include "sut/program.h"
#include "sut/ready.h"

static bool ends_before(struct crew *crew, int64_t until_ns)
{
	while (!crew_ended(crew) && clock_now_ns() < until_ns)
		crew_wait(crew, NULL, until_ns);
	return crew_ended(crew);
}

/* Until it ends, or is ready where that is asked for, or its time is over. */
static void watch(struct crew *crew, struct ready_wait *wait, const struct process_spec *spec,
	int64_t until_ns, struct process_end *end, struct arena *arena)
{
	bool over = false;
	if (spec->ready.kind == READY_NONE) {
		over = !ends_before(crew, until_ns);
	} else {
		int64_t ready_ns = crew_deadline(spec->ready.within_ns);
		over = ready_until(wait, crew, 0, ready_ns < until_ns ? ready_ns : until_ns) ==
		       RC_TIMEOUT;
	}
	crew_stop(crew, 0);
	crew_end(crew);
	crew_tell(&crew->children[0], end, arena);
	end->timed_out = over;
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
		watch(&crew, wait, spec, until_ns, end, arena);
	crew_release(&crew);
out_in:
	if (how.in >= 0)
		close(how.in);
out_wait:
	ready_free(wait);
	return rc;
}
