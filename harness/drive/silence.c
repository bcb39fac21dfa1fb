#include "drive/silence.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"

static int by_end(const void *a, const void *b)
{
	const struct probe_sample *left = a, *right = b;
	return (left->end_ns > right->end_ns) - (left->end_ns < right->end_ns);
}

void silence_sort(struct probe_sample *samples, size_t count)
{
	qsort(samples, count, sizeof *samples, by_end);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* How late onus was at most with a probe that was due in the time. */
static int64_t own_lag(
	const struct probe_sample *samples, size_t count, int64_t from_ns, int64_t to_ns)
{
	int64_t lag_ns = 0;
	for (size_t i = 0; i < count; i++)
		if (samples[i].due_ns >= from_ns && samples[i].due_ns <= to_ns)
			lag_ns = later(lag_ns, samples[i].sent_ns - samples[i].due_ns);
	return lag_ns;
}

/* When the first of those that end no earlier than sample i was sent. */
static int64_t first_sent(const struct probe_sample *samples, size_t count, size_t i)
{
	int64_t first_ns = CLOCK_NEVER;
	for (; i < count; i++)
		first_ns = earlier(first_ns, samples[i].sent_ns);
	return first_ns;
}

int64_t silence_longest(
	const struct probe_sample *samples, size_t count, int64_t from_ns, int64_t to_ns)
{
	int64_t longest_ns = 0, before_ns = from_ns;
	for (size_t i = 0; i < count && before_ns < to_ns; i++) {
		int64_t end_ns = earlier(samples[i].end_ns, to_ns);
		/* Looking for who was sent first costs more than to see that it could not matter. */
		if (end_ns - before_ns > longest_ns) {
			int64_t start_ns = later(before_ns, first_sent(samples, count, i));
			int64_t lag_ns = own_lag(samples, count, start_ns, end_ns);
			longest_ns = later(longest_ns, end_ns - start_ns - lag_ns);
		}
		before_ns = later(before_ns, end_ns);
	}
	return longest_ns;
}

/* What one request shows. */
struct shown {
	double share_percent;
	int64_t request_ns, silent_ns;
};

static int by_share(const void *a, const void *b)
{
	const struct shown *left = a, *right = b;
	return (left->share_percent > right->share_percent) -
	       (left->share_percent < right->share_percent);
}

static struct shown look_at(
	const struct probe_sample *samples, size_t count, const struct busy *request)
{
	struct shown shown = { .request_ns = request->to_ns - request->from_ns,
		.silent_ns = silence_longest(samples, count, request->from_ns, request->to_ns) };
	if (shown.silent_ns >= SILENCE_LEAST_MS * NS_PER_MS && shown.request_ns > 0)
		shown.share_percent = 100.0 * (double)shown.silent_ns / (double)shown.request_ns;
	return shown;
}

/* Of the requests of one label the middle one counts, of an even number the lesser of the two. */
static void judge_label(const struct probe_sample *samples, size_t count,
	const struct busy *requests, const char *label, struct silence *worst)
{
	struct shown *all;
	size_t n = 0;
	for (const struct busy *b = requests; b; b = b->next)
		n += strcmp(b->label, label) == 0;
	all = mem_alloc(n, sizeof *all);
	n = 0;
	for (const struct busy *b = requests; b; b = b->next) {
		if (strcmp(b->label, label) != 0)
			continue;
		all[n] = look_at(samples, count, b);
		worst->longest_ns = later(worst->longest_ns, all[n++].silent_ns);
	}
	qsort(all, n, sizeof *all, by_share);
	const struct shown *middle = &all[(n - 1) / 2];
	if (middle->share_percent > worst->share_percent) {
		worst->share_percent = middle->share_percent;
		worst->label = label;
		worst->request_ns = middle->request_ns;
		worst->silent_ns = middle->silent_ns;
	}
	free(all);
}

static bool seen_before(const struct busy *requests, const struct busy *one)
{
	for (; requests != one; requests = requests->next)
		if (strcmp(requests->label, one->label) == 0)
			return true;
	return false;
}

struct silence silence_of(
	const struct probe_sample *samples, size_t count, const struct busy *requests)
{
	struct silence worst = { 0 };
	for (const struct busy *b = requests; b; b = b->next)
		if (!seen_before(requests, b))
			judge_label(samples, count, requests, b->label, &worst);
	return worst;
}
