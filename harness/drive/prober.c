#include "drive/prober.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PRIORITY = -10, SLACK_NS = 1, DESCRIPTORS_SHARE = 4 };

/* One on its way. */
struct open_probe {
	struct transfer *transfer;
	size_t sample;
};

struct prober {
	struct prober_options options;
	struct engine *engine;
	struct client *client;
	pthread_t thread;
	bool running;
	atomic_bool stop;
	atomic_size_t answered;
	/* Of the thread alone while it runs. */
	struct prober_result result;
	size_t room;
	struct open_probe open[PROBER_OPEN_MAX];
	size_t open_count, open_max;
	int64_t next_ns;
	struct exchange *first, *odd;
};

static bool is_odd(const struct prober *p, const struct exchange *exchange)
{
	return exchange->failure != FAILURE_NONE || exchange->status != p->first->status;
}

static void keep(struct prober *p, struct exchange *exchange)
{
	bool first = !p->first;
	if (first)
		p->first = exchange;
	bool odd = is_odd(p, exchange);
	if (!first && odd && !p->odd)
		p->odd = exchange;
	else if (!first)
		exchange_free(exchange);
}

/* An answer of any status is an answer; what failed stays unanswered. */
static void collect(struct prober *p, const struct open_probe *probe)
{
	struct exchange *exchange = transfer_take(probe->transfer);
	struct probe_sample *sample = &p->result.samples[probe->sample];
	sample->sent_ns = exchange->timing.start_ns;
	if (exchange->failure == FAILURE_NONE) {
		sample->end_ns = exchange->timing.end_ns;
		atomic_fetch_add(&p->answered, 1);
	}
	keep(p, exchange);
}

static void collect_done(struct prober *p)
{
	size_t kept = 0;
	for (size_t i = 0; i < p->open_count; i++) {
		if (transfer_done(p->open[i].transfer))
			collect(p, &p->open[i]);
		else
			p->open[kept++] = p->open[i];
	}
	p->open_count = kept;
}

static void send_due(struct prober *p, int64_t now_ns)
{
	struct prober_result *r = &p->result;
	if (r->count == p->room) {
		p->room = p->room ? 2 * p->room : 1024;
		r->samples = mem_grow(r->samples, p->room, sizeof *r->samples);
	}
	r->samples[r->count] = (struct probe_sample){
		.due_ns = p->next_ns, .sent_ns = now_ns, .end_ns = CLOCK_NEVER
	};
	p->open[p->open_count++] =
		(struct open_probe){ client_start(p->client, p->options.request), r->count };
	r->count++;
}

static bool may_send(struct prober *p)
{
	p->result.full = p->result.full || p->result.count == PROBER_SAMPLES_MAX;
	return p->open_count < p->open_max && p->result.count < PROBER_SAMPLES_MAX;
}

/*
 * Those that are due by now, each at most once. What the bound let pass is not made up for; it is passed over at one go,
 * since a schedule may be finer than the clock.
 */
static void send_all_due(struct prober *p)
{
	int64_t now_ns = clock_now_ns();
	for (; p->next_ns <= now_ns && may_send(p); now_ns = clock_now_ns()) {
		send_due(p, now_ns);
		p->next_ns += p->options.every_ns;
	}
	if (p->next_ns <= now_ns)
		p->next_ns +=
			((now_ns - p->next_ns) / p->options.every_ns + 1) * p->options.every_ns;
}

/* Connections must leave descriptors for the requests that the probes are beside. */
static size_t open_max(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
		limit.rlim_cur / DESCRIPTORS_SHARE > PROBER_OPEN_MAX)
		return PROBER_OPEN_MAX;
	return limit.rlim_cur < DESCRIPTORS_SHARE ? 1
						  : (size_t)(limit.rlim_cur / DESCRIPTORS_SHARE);
}

static bool should_stop(void *self)
{
	struct prober *p = self;
	collect_done(p);
	return atomic_load(&p->stop);
}

static bool all_done(void *self)
{
	struct prober *p = self;
	collect_done(p);
	return p->open_count == 0;
}

/* To be on time beside busy neighbours. Nothing depends on it: who may not have it is told by its lag. */
static void hurry(void)
{
	const struct sched_param first = { .sched_priority = 1 };
	prctl(PR_SET_TIMERSLACK, SLACK_NS);
	if (pthread_setschedparam(pthread_self(), SCHED_RR, &first) != 0)
		setpriority(PRIO_PROCESS, (id_t)gettid(), PRIORITY);
}

static void *run(void *self)
{
	struct prober *p = self;
	enum rc rc = RC_TIMEOUT;
	hurry();
	p->next_ns = clock_now_ns();
	while (rc == RC_TIMEOUT) {
		send_all_due(p);
		rc = engine_run(p->engine, should_stop, p, p->next_ns);
	}
	/* Each has its own end; where a signal came, taking them gives them up. */
	if (rc == RC_OK)
		(void)!engine_run(p->engine, all_done, p, CLOCK_NEVER);
	for (size_t i = 0; i < p->open_count; i++)
		collect(p, &p->open[i]);
	p->open_count = 0;
	return NULL;
}

enum rc prober_start(const struct prober_options *options, struct prober **prober, struct err *err)
{
	struct prober *p = mem_alloc(1, sizeof *p);
	enum rc rc = RC_OK;
	p->options = *options;
	p->open_max = open_max();
	p->engine = engine_new();
	if (!p->engine)
		rc = err_errno(err, RC_ENVIRONMENT, "", "epoll");
	if (rc == RC_OK && options->stop_fd >= 0)
		rc = engine_interrupt(p->engine, options->stop_fd, err);
	if (rc == RC_OK)
		p->client = client_new(p->engine, options->address);
	if (rc == RC_OK && pthread_create(&p->thread, NULL, run, p) != 0)
		rc = err_set(err, RC_ENVIRONMENT, "", "no thread can be started");
	p->running = rc == RC_OK;
	if (rc == RC_OK)
		*prober = p;
	else
		prober_free(p);
	return rc;
}

size_t prober_answered(const struct prober *prober)
{
	return atomic_load(&prober->answered);
}

const struct prober_result *prober_stop(struct prober *prober)
{
	if (prober->running) {
		atomic_store(&prober->stop, true);
		pthread_join(prober->thread, NULL);
		prober->running = false;
		silence_sort(prober->result.samples, prober->result.count);
		prober->result.first = prober->first;
		prober->result.odd = prober->odd;
	}
	return &prober->result;
}

void prober_free(struct prober *prober)
{
	if (!prober)
		return;
	if (prober->running)
		prober_stop(prober);
	if (prober->first)
		exchange_free(prober->first);
	if (prober->odd)
		exchange_free(prober->odd);
	if (prober->client)
		client_free(prober->client);
	engine_free(prober->engine);
	free(prober->result.samples);
	free(prober);
}
