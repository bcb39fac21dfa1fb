#include "sut/sample.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "sut/tree.h"

/* Which part of the time may go by in what is taken at each step, and in what is taken each second. */
enum { QUICK_SHARE = 300, SLOW_SHARE = 500 };
#define SLOW_EVERY_NS NS_PER_S

static const struct cost_row nothing = {
	.memory_bytes = COST_ABSENT,
	.descriptors = COST_ABSENT,
	.threads = COST_ABSENT,
	.voluntary = COST_ABSENT,
	.involuntary = COST_ABSENT,
	.pss_bytes = COST_ABSENT,
	.anonymous_bytes = COST_ABSENT,
	.socket_bytes = COST_ABSENT,
};

struct sample {
	pthread_mutex_t lock; /* of all below but the thread */
	pthread_cond_t stopped;
	bool stop, running, alive;
	pthread_t thread;
	int64_t every_ns, slow_ns; /* slow_ns: when what is taken each second is due */
	int64_t quick_ns;          /* the CPU that a step takes */
	int64_t began_ns, own_ns;
	struct tree tree;
	struct cost cost;
	struct cost_row last;
};

static void add(int64_t *sum, int64_t value)
{
	*sum = *sum == COST_ABSENT ? value : *sum + value;
}

static void take_quick(const struct member *member, struct cost_row *row)
{
	int64_t value;
	if (proc_resident(member->dir, &value))
		add(&row->memory_bytes, value);
	if (proc_descriptors(member->dir, &value))
		add(&row->descriptors, value);
	add(&row->threads, member->stat.threads);
}

static void take_slow(const struct member *member, struct cost_row *row)
{
	int64_t pss, anonymous, voluntary = 0, involuntary = 0;
	if (proc_parts(member->dir, &pss, &anonymous)) {
		add(&row->pss_bytes, pss);
		add(&row->anonymous_bytes, anonymous);
	}
	if (proc_switches(member->dir, &voluntary, &involuntary)) {
		add(&row->voluntary, voluntary);
		add(&row->involuntary, involuntary);
	}
}

static void take_slow_of_all(struct sample *s, struct cost_row *row)
{
	int64_t from_ns = proc_thread_cpu();
	for (size_t i = 0; i < s->tree.count; i++)
		take_slow(&s->tree.members[i], row);
	if (s->tree.count && !proc_sockets(s->tree.members[0].dir, &row->socket_bytes))
		row->socket_bytes = COST_ABSENT;
	int64_t pause_ns = SLOW_SHARE * (proc_thread_cpu() - from_ns);
	s->slow_ns = row->at_ns + (pause_ns > SLOW_EVERY_NS ? pause_ns : SLOW_EVERY_NS);
}

static void keep(int64_t *value, int64_t before)
{
	if (*value == COST_ABSENT)
		*value = before;
}

/* For who asks between two seconds: as it was last time. */
static void keep_slow(struct cost_row *row, const struct cost_row *before)
{
	keep(&row->voluntary, before->voluntary);
	keep(&row->involuntary, before->involuntary);
	keep(&row->pss_bytes, before->pss_bytes);
	keep(&row->anonymous_bytes, before->anonymous_bytes);
	keep(&row->socket_bytes, before->socket_bytes);
}

/* The lock is held. Once nothing is left of the SUT there are no more rows: what it used last stands. */
static void take(struct sample *s, bool slow)
{
	int64_t now_ns = clock_now_ns(), from_ns = proc_thread_cpu();
	struct cost_row row = nothing;
	if (!s->alive)
		return;
	row.at_ns = now_ns;
	s->alive = tree_look(&s->tree, now_ns, slow);
	row.cpu_ns = s->tree.cpu_ns;
	row.processes = (int64_t)s->tree.count;
	for (size_t i = 0; i < s->tree.count; i++)
		take_quick(&s->tree.members[i], &row);
	s->quick_ns = proc_thread_cpu() - from_ns;
	if (s->alive && (slow || now_ns >= s->slow_ns))
		take_slow_of_all(s, &row);
	cost_add(&s->cost, &row);
	keep_slow(&row, &s->last);
	s->last = row;
}

static struct timespec time_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

static void *run(void *self)
{
	struct sample *s = self;
	pthread_mutex_lock(&s->lock);
	for (int64_t due_ns = s->began_ns + s->every_ns; !s->stop;) {
		struct timespec due = time_of(due_ns);
		pthread_cond_timedwait(&s->stopped, &s->lock, &due);
		int64_t now_ns = clock_now_ns();
		if (s->stop || now_ns < due_ns)
			continue;
		take(s, false);
		/* Steps that were missed or are too dear are not made up for: the rows say when they were taken. */
		int64_t late_ns = now_ns - due_ns + QUICK_SHARE * s->quick_ns;
		due_ns += (late_ns / s->every_ns + 1) * s->every_ns;
	}
	pthread_mutex_unlock(&s->lock);
	s->own_ns = proc_thread_cpu();
	return NULL;
}

static void prepare(struct sample *s, int64_t every_ns)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&s->stopped, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&s->lock, NULL);
	cost_init(&s->cost, COST_ROWS);
	s->alive = true;
	s->last = nothing;
	s->every_ns = every_ns;
	s->began_ns = clock_now_ns();
	take(s, true);
}

/* Signals are the main thread's. */
static int start_thread(struct sample *s)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&s->thread, NULL, run, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static enum rc open_source(const struct sample_source *source, struct tree *tree, struct err *err)
{
	struct container container;
	if (!source->container && tree_open(tree, source->pid, NULL))
		return RC_OK;
	if (!source->container)
		return err_set(
			err, RC_ENVIRONMENT, "", "expected a process %d, found none", source->pid);
	enum rc rc = container_find("", source->container, &container, err);
	if (rc != RC_OK || tree_open(tree, 0, &container))
		return rc;
	return err_set(err, RC_ENVIRONMENT, "",
		"expected processes in %s, the cgroup of container %s, found none",
		container.folder, source->container);
}

enum rc sample_start(const struct sample_source *source, int64_t every_ns, struct sample **sample,
	struct err *err)
{
	*sample = NULL;
	if (!source->pid && !source->container)
		return RC_OK;
	struct sample *s = mem_alloc(1, sizeof *s);
	enum rc rc = open_source(source, &s->tree, err);
	if (rc != RC_OK) {
		free(s);
		return rc;
	}
	prepare(s, every_ns);
	int error = start_thread(s);
	s->running = error == 0;
	if (error) {
		sample_free(s);
		return err_set(err, RC_ENVIRONMENT, "", "thread: %s", strerror(error));
	}
	*sample = s;
	return RC_OK;
}

int64_t sample_mark(struct sample *sample)
{
	pthread_mutex_lock(&sample->lock);
	take(sample, true);
	int64_t at_ns = sample->last.at_ns;
	pthread_mutex_unlock(&sample->lock);
	return at_ns;
}

bool sample_last(struct sample *sample, struct cost_row *row)
{
	pthread_mutex_lock(&sample->lock);
	*row = sample->last;
	bool alive = sample->alive;
	pthread_mutex_unlock(&sample->lock);
	return alive;
}

void sample_stop(struct sample *sample)
{
	if (!sample || !sample->running)
		return;
	sample_mark(sample);
	pthread_mutex_lock(&sample->lock);
	sample->stop = true;
	pthread_cond_signal(&sample->stopped);
	pthread_mutex_unlock(&sample->lock);
	pthread_join(sample->thread, NULL);
	sample->running = false;
}

const struct cost *sample_cost(const struct sample *sample)
{
	return &sample->cost;
}

int64_t sample_own_ns(const struct sample *sample)
{
	return sample->own_ns;
}

void sample_free(struct sample *sample)
{
	if (!sample)
		return;
	sample_stop(sample);
	tree_close(&sample->tree);
	cost_release(&sample->cost);
	pthread_cond_destroy(&sample->stopped);
	pthread_mutex_destroy(&sample->lock);
	free(sample);
}
