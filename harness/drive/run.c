#include "drive/run.h"

#include <pthread.h>
#include <stdlib.h>

#include "drive/case_run.h"

struct pool {
	struct run *run;
	struct job *jobs;
	size_t count, next;
	bool failed;
	bool *through;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

static void skip(struct job *job, const char *reason)
{
	job->result = (struct case_result){ .id = job->one->id,
		.file = job->one->path,
		.title = job->one->title,
		.outcome = OUTCOME_SKIPPED,
		.skip_reason = reason };
}

static void work_on(struct pool *pool, struct job *job, bool failed)
{
	job->arena = arena_new();
	if (*pool->run->stop)
		skip(job, "interrupted");
	else if (failed && pool->run->fail_fast)
		skip(job, "--fail-fast: another case failed");
	else
		case_run(pool->run, job);
}

static void *worker(void *self)
{
	struct pool *pool = self;
	pthread_mutex_lock(&pool->mutex);
	while (pool->next < pool->count) {
		size_t index = pool->next++;
		bool failed = pool->failed;
		pthread_mutex_unlock(&pool->mutex);
		work_on(pool, &pool->jobs[index], failed);
		pthread_mutex_lock(&pool->mutex);
		enum outcome outcome = pool->jobs[index].result.outcome;
		pool->failed =
			pool->failed || outcome == OUTCOME_FAILED || outcome == OUTCOME_ERROR;
		pool->through[index] = true;
		pthread_cond_broadcast(&pool->changed);
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

static void hand_over(
	struct pool *pool, void (*done)(void *self, const struct job *job), void *self)
{
	for (size_t i = 0; i < pool->count; i++) {
		pthread_mutex_lock(&pool->mutex);
		while (!pool->through[i])
			pthread_cond_wait(&pool->changed, &pool->mutex);
		pthread_mutex_unlock(&pool->mutex);
		done(self, &pool->jobs[i]);
	}
}

void run_jobs(struct run *run, struct job *jobs, size_t count,
	void (*done)(void *self, const struct job *job), void *self)
{
	struct pool pool = {
		.run = run, .jobs = jobs, .count = count, .through = mem_alloc(count, sizeof(bool))
	};
	size_t workers = run->workers < count ? run->workers : count;
	pthread_t *threads = mem_alloc(workers, sizeof *threads);
	pthread_mutex_init(&pool.mutex, NULL);
	pthread_cond_init(&pool.changed, NULL);
	alone_init(&run->alone);
	size_t started = 0;
	while (started < workers && pthread_create(&threads[started], NULL, worker, &pool) == 0)
		started++;
	if (!started)
		worker(&pool);
	hand_over(&pool, done, self);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	alone_release(&run->alone);
	pthread_cond_destroy(&pool.changed);
	pthread_mutex_destroy(&pool.mutex);
	free(threads);
	free(pool.through);
}
