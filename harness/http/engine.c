#include "http/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { BATCH = 64 };
#define LOOK_NS (100 * NS_PER_MS)

struct engine {
	int epoll_fd;
	struct timer *timers;
	struct watch interrupt;
	bool interrupted;
	bool coarse; /* the kernel waits in milliseconds only */
	/* What epoll_wait reported last and is not yet handled: a watch that ends is taken out of it. */
	struct epoll_event batch[BATCH];
	int count, at;
};

struct engine *engine_new(void)
{
	int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_fd < 0)
		return NULL;
	struct engine *engine = mem_alloc(1, sizeof *engine);
	engine->epoll_fd = epoll_fd;
	return engine;
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	close(engine->epoll_fd);
	free(engine);
}

void engine_watch(struct engine *engine, struct watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };
	int op = watch->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
	if (watch->events == events)
		return;
	if (epoll_ctl(engine->epoll_fd, op, watch->fd, &event) == 0)
		watch->events = events;
}

void engine_unwatch(struct engine *engine, struct watch *watch)
{
	if (watch->events)
		epoll_ctl(engine->epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
	watch->events = 0;
	for (int i = engine->at; i < engine->count; i++)
		if (engine->batch[i].data.ptr == watch)
			engine->batch[i].data.ptr = NULL;
}

void engine_set_timer(struct engine *engine, struct timer *timer, int64_t due_ns)
{
	engine_stop_timer(timer);
	timer->due_ns = due_ns;
	timer->link = &engine->timers;
	timer->next = engine->timers;
	if (timer->next)
		timer->next->link = &timer->next;
	engine->timers = timer;
}

void engine_stop_timer(struct timer *timer)
{
	if (!timer->link)
		return;
	*timer->link = timer->next;
	if (timer->next)
		timer->next->link = timer->link;
	timer->link = NULL;
	timer->next = NULL;
}

static void on_interrupt(void *self, uint32_t events)
{
	struct engine *engine = self;
	(void)events;
	engine->interrupted = true;
}

enum rc engine_interrupt(struct engine *engine, int fd, struct err *err)
{
	engine->interrupt = (struct watch){ .fd = fd, .ready = on_interrupt, .self = engine };
	engine_watch(engine, &engine->interrupt, EPOLLIN);
	if (!engine->interrupt.events)
		return err_errno(err, RC_ENVIRONMENT, "", "epoll_ctl");
	return RC_OK;
}

static struct timer *first_timer(const struct engine *engine)
{
	struct timer *first = engine->timers;
	for (struct timer *t = first; t; t = t->next)
		if (t->due_ns < first->due_ns)
			first = t;
	return first;
}

/* A timer that is set again is due later than now_ns, so that descriptors have their turn first. */
static void fire_timers(struct engine *engine, int64_t now_ns)
{
	for (;;) {
		struct timer *timer = first_timer(engine);
		if (!timer || timer->due_ns > now_ns)
			return;
		engine_stop_timer(timer);
		timer->fire(timer->self);
	}
}

/* To the microsecond where the kernel can (Linux 5.11), since schedules are kept by it. */
static int wait_for_events(struct engine *engine, int64_t now_ns, int64_t deadline_ns)
{
	int64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
	const struct timespec left = { left_ns / NS_PER_S, left_ns % NS_PER_S };
	if (!engine->coarse) {
		int count = epoll_pwait2(engine->epoll_fd, engine->batch, BATCH, &left, NULL);
		if (count >= 0 || (errno != ENOSYS && errno != EPERM))
			return count;
		engine->coarse = true;
	}
	return epoll_wait(
		engine->epoll_fd, engine->batch, BATCH, clock_poll_ms(now_ns, deadline_ns));
}

static void turn(struct engine *engine, int64_t deadline_ns)
{
	const struct timer *timer = first_timer(engine);
	int64_t now_ns = clock_now_ns();
	if (timer && timer->due_ns < deadline_ns)
		deadline_ns = timer->due_ns;
	/* What done() looks at may change without an event here, as by a signal that another thread took. */
	if (deadline_ns > now_ns + LOOK_NS)
		deadline_ns = now_ns + LOOK_NS;
	engine->at = 0;
	engine->count = wait_for_events(engine, now_ns, deadline_ns);
	if (engine->count < 0 && errno != EINTR)
		BUG("epoll_wait: errno %d", errno);
	while (engine->at < engine->count) {
		struct epoll_event event = engine->batch[engine->at++];
		struct watch *watch = event.data.ptr;
		if (watch)
			watch->ready(watch->self, event.events);
	}
	fire_timers(engine, clock_now_ns());
}

enum rc engine_run(struct engine *engine, bool (*done)(void *self), void *self, int64_t deadline_ns)
{
	while (!done(self)) {
		if (engine->interrupted)
			return RC_CLOSED;
		if (deadline_ns != CLOCK_NEVER && clock_now_ns() >= deadline_ns)
			return RC_TIMEOUT;
		turn(engine, deadline_ns);
	}
	return RC_OK;
}
