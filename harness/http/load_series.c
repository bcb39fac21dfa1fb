#include "http/load_series.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct second {
	struct load_part part;
	struct hist *latencies; /* NULL before the first value */
	size_t parts, whole_parts;
};

struct load_series {
	pthread_mutex_t lock;
	int fd;
	size_t threads, gone;
	int64_t *next_s; /* by thread: which second it gives next; of one that is gone, no more */
	bool *left;      /* by thread */
	struct second *seconds;
	size_t count, room, taken;
};

struct load_series *load_series_new(size_t threads)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0)
		return NULL;
	struct load_series *series = mem_alloc(1, sizeof *series);
	pthread_mutex_init(&series->lock, NULL);
	series->fd = fd;
	series->threads = threads;
	series->next_s = mem_alloc(threads, sizeof *series->next_s);
	series->left = mem_alloc(threads, sizeof *series->left);
	return series;
}

void load_series_free(struct load_series *series)
{
	if (!series)
		return;
	for (size_t i = 0; i < series->count; i++)
		hist_free(series->seconds[i].latencies);
	free(series->seconds);
	free(series->left);
	free(series->next_s);
	close(series->fd);
	pthread_mutex_destroy(&series->lock);
	free(series);
}

static void wake(const struct load_series *series)
{
	const uint64_t one = 1;
	ssize_t n = write(series->fd, &one, sizeof one);
	if (n < 0 && errno != EAGAIN)
		BUG("write to an eventfd: errno %d", errno);
}

static struct second *second_at(struct load_series *series, size_t at)
{
	if (at >= series->room) {
		size_t room = at + 64;
		series->seconds = mem_grow(series->seconds, room, sizeof *series->seconds);
		memset(series->seconds + series->room, 0,
			(room - series->room) * sizeof *series->seconds);
		series->room = room;
	}
	if (at >= series->count)
		series->count = at + 1;
	return &series->seconds[at];
}

static void add(struct load_part *into, const struct load_part *part)
{
	into->sent += part->sent;
	into->answered += part->answered;
	into->failed += part->failed;
	into->wire_bytes += part->wire_bytes;
	into->connections += part->connections;
	into->connections_opened += part->connections_opened;
	into->in_flight += part->in_flight;
	into->first_byte_sum_ns += part->first_byte_sum_ns;
	into->first_byte_count += part->first_byte_count;
}

void load_series_add(struct load_series *series, size_t thread, int64_t at_s,
	const struct load_part *part, const struct hist *latencies)
{
	pthread_mutex_lock(&series->lock);
	if (at_s != series->next_s[thread])
		BUG("second %lld of thread %zu, expected %lld", (long long)at_s, thread,
			(long long)series->next_s[thread]);
	series->next_s[thread]++;
	struct second *second = second_at(series, (size_t)at_s);
	add(&second->part, part);
	second->parts++;
	second->whole_parts += part->whole;
	if (latencies && hist_count(latencies)) {
		if (!second->latencies)
			second->latencies = hist_new();
		hist_add(second->latencies, latencies);
	}
	pthread_mutex_unlock(&series->lock);
	wake(series);
}

void load_series_leave(struct load_series *series, size_t thread)
{
	pthread_mutex_lock(&series->lock);
	series->left[thread] = true;
	series->gone++;
	pthread_mutex_unlock(&series->lock);
	wake(series);
}

int load_series_fd(const struct load_series *series)
{
	return series->fd;
}

bool load_series_over(struct load_series *series)
{
	uint64_t unused;
	/* Before the look: who leaves behind it makes the descriptor readable again. */
	ssize_t n = read(series->fd, &unused, sizeof unused);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		BUG("read of an eventfd: errno %d", errno);
	pthread_mutex_lock(&series->lock);
	bool over = series->gone == series->threads;
	pthread_mutex_unlock(&series->lock);
	return over;
}

/* Nobody will add to it any more. */
static bool complete(const struct load_series *series, size_t at)
{
	size_t parts = series->seconds[at].parts;
	for (size_t i = 0; i < series->threads; i++)
		parts += series->left[i] && series->next_s[i] <= (int64_t)at;
	return parts == series->threads;
}

static void give(struct second *from, int64_t at_s, struct load_second *second)
{
	const struct load_part *part = &from->part;
	*second = (struct load_second){ .at_s = at_s,
		.sent = part->sent,
		.answered = part->answered,
		.failed = part->failed,
		.wire_bytes = part->wire_bytes,
		.connections = part->connections,
		.connections_opened = part->connections_opened,
		.in_flight = part->in_flight };
	if (part->first_byte_count)
		second->first_byte_mean_ns =
			part->first_byte_sum_ns / (int64_t)part->first_byte_count;
	if (!from->latencies)
		return;
	second->p50_ns = hist_quantile(from->latencies, 0.5);
	second->p99_ns = hist_quantile(from->latencies, 0.99);
	hist_free(from->latencies);
	from->latencies = NULL;
}

bool load_series_take(struct load_series *series, struct load_second *second)
{
	pthread_mutex_lock(&series->lock);
	bool found = series->taken < series->count && complete(series, series->taken);
	if (found) {
		struct second *from = &series->seconds[series->taken];
		give(from, (int64_t)series->taken, second);
		second->measured = from->whole_parts == series->threads;
		series->taken++;
	}
	pthread_mutex_unlock(&series->lock);
	return found;
}
