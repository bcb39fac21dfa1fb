#include "drive/wait.h"

#include "drive/busy.h"

void wait_aside(struct case_run *c)
{
	if (c->turn)
		pthread_mutex_unlock(c->turn);
}

void wait_back(struct case_run *c)
{
	if (c->turn)
		pthread_mutex_lock(c->turn);
}

enum rc wait_until(struct case_run *c, bool (*done)(void *self), void *self, int64_t deadline_ns)
{
	wait_aside(c);
	enum rc rc = engine_run(c->engine, done, self, deadline_ns);
	wait_back(c);
	return rc;
}

static bool never(void *self)
{
	(void)self;
	return false;
}

enum rc wait_pause(struct case_run *c, int64_t until_ns)
{
	return wait_until(c, never, NULL, until_ns);
}

static bool is_done(void *self)
{
	return transfer_done(self);
}

struct exchange *wait_exchange(
	struct case_run *c, struct client *client, const struct request *request)
{
	struct transfer *transfer = client_start(client, request);
	/* Where a signal came, transfer_take gives it up. */
	(void)!wait_until(c, is_done, transfer, CLOCK_NEVER);
	struct exchange *exchange = transfer_take(transfer);
	if (c->busy)
		busy_add(c->busy, exchange, NULL);
	return exchange;
}
