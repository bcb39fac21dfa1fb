#include "model/cost.h"

#include <stdlib.h>

/* The first and the last tenth have three rows each at least, so that a median is one. */
enum { TENTHS = 10, GROWTH_ROWS = 3 * TENTHS };

void cost_init(struct cost *cost, size_t room)
{
	*cost = (struct cost){
		.rows = mem_alloc(room, sizeof *cost->rows), .room = room, .each = 1
	};
}

void cost_release(struct cost *cost)
{
	free(cost->rows);
	*cost = (struct cost){ 0 };
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t known(int64_t later, int64_t earlier)
{
	return later == COST_ABSENT ? earlier : later;
}

static void merge(struct cost_row *into, const struct cost_row *later)
{
	*into = (struct cost_row){
		.at_ns = later->at_ns,
		.cpu_ns = later->cpu_ns,
		.memory_bytes = most(into->memory_bytes, later->memory_bytes),
		.descriptors = most(into->descriptors, later->descriptors),
		.threads = most(into->threads, later->threads),
		.processes = most(into->processes, later->processes),
		.voluntary = known(later->voluntary, into->voluntary),
		.involuntary = known(later->involuntary, into->involuntary),
		.pss_bytes = most(into->pss_bytes, later->pss_bytes),
		.anonymous_bytes = most(into->anonymous_bytes, later->anonymous_bytes),
		.socket_bytes = most(into->socket_bytes, later->socket_bytes),
	};
}

static void halve(struct cost *cost)
{
	for (size_t i = 0; i < cost->count / 2; i++) {
		struct cost_row row = cost->rows[2 * i];
		merge(&row, &cost->rows[2 * i + 1]);
		cost->rows[i] = row;
	}
	cost->count /= 2;
	cost->each *= 2;
}

void cost_add(struct cost *cost, const struct cost_row *row)
{
	if (cost->pending && cost->pending < cost->each) {
		merge(&cost->rows[cost->count - 1], row);
		cost->pending++;
		return;
	}
	if (cost->count == cost->room)
		halve(cost);
	cost->rows[cost->count++] = *row;
	cost->pending = 1;
}

static int compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

static int64_t median_memory(const struct cost_row *rows, size_t count)
{
	int64_t *values = mem_alloc(count, sizeof *values);
	for (size_t i = 0; i < count; i++)
		values[i] = rows[i].memory_bytes;
	qsort(values, count, sizeof *values, compare);
	int64_t median =
		count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
	free(values);
	return median;
}

/* What a counter that is taken each second only has gone up by: from the first row that has it to the last. */
static int64_t risen(
	const struct cost_row *rows, size_t count, int64_t (*of)(const struct cost_row *))
{
	size_t first = 0, last = count;
	while (first < count && of(&rows[first]) == COST_ABSENT)
		first++;
	while (last > first && of(&rows[last - 1]) == COST_ABSENT)
		last--;
	return last > first + 1 ? most(of(&rows[last - 1]) - of(&rows[first]), 0) : COST_ABSENT;
}

static int64_t voluntary_of(const struct cost_row *row)
{
	return row->voluntary;
}

static int64_t involuntary_of(const struct cost_row *row)
{
	return row->involuntary;
}

bool cost_sum(const struct cost *cost, int64_t from_ns, int64_t to_ns, struct cost_sum *sum)
{
	size_t first = 0, end = cost->count;
	while (first < end && cost->rows[first].at_ns < from_ns)
		first++;
	while (end > first && cost->rows[end - 1].at_ns > to_ns)
		end--;
	if (end - first < 2)
		return false;
	const struct cost_row *rows = &cost->rows[first];
	size_t count = end - first;
	struct cost_row top = rows[0];
	for (size_t i = 1; i < count; i++)
		merge(&top, &rows[i]);
	int64_t took_ns = rows[count - 1].at_ns - rows[0].at_ns;
	int64_t cpu_ns = rows[count - 1].cpu_ns - rows[0].cpu_ns;
	*sum = (struct cost_sum){
		.rows = count,
		.from_ns = rows[0].at_ns,
		.to_ns = rows[count - 1].at_ns,
		.cpu_ns = cpu_ns,
		.cpu_percent = took_ns > 0 ? 100.0 * (double)cpu_ns / (double)took_ns : 0,
		.memory_bytes = top.memory_bytes,
		.descriptors = top.descriptors,
		.threads = top.threads,
		.processes = top.processes,
		.pss_bytes = top.pss_bytes,
		.anonymous_bytes = top.anonymous_bytes,
		.socket_bytes = top.socket_bytes,
		.voluntary = risen(rows, count, voluntary_of),
		.involuntary = risen(rows, count, involuntary_of),
		.grows = count >= GROWTH_ROWS,
	};
	if (sum->grows)
		sum->memory_growth_bytes =
			median_memory(rows + count - count / TENTHS, count / TENTHS) -
			median_memory(rows, count / TENTHS);
	return true;
}

static void add(struct measures *measures, const char *name, enum unit unit, double value)
{
	measures_add(measures, name, (struct quantity){ unit, value }, NULL);
}

static void add_known(struct measures *measures, const char *name, enum unit unit, int64_t value)
{
	if (value != COST_ABSENT)
		add(measures, name, unit, (double)value);
}

void cost_measures(const struct cost_sum *sum, struct measures *measures)
{
	add(measures, "sut.cpu", UNIT_PERCENT, sum->cpu_percent);
	add(measures, "sut.cpu_total", UNIT_NS, (double)sum->cpu_ns);
	add_known(measures, "sut.memory", UNIT_BYTES, sum->memory_bytes);
	if (sum->grows)
		add(measures, "sut.memory_growth", UNIT_BYTES, (double)sum->memory_growth_bytes);
	add_known(measures, "sut.descriptors", UNIT_COUNT, sum->descriptors);
	add_known(measures, "sut.threads", UNIT_COUNT, sum->threads);
	add_known(measures, "sut.pss", UNIT_BYTES, sum->pss_bytes);
	add_known(measures, "sut.anonymous", UNIT_BYTES, sum->anonymous_bytes);
	add_known(measures, "sut.sockets", UNIT_BYTES, sum->socket_bytes);
	add_known(measures, "sut.switches", UNIT_COUNT, sum->voluntary);
	add_known(measures, "sut.preempted", UNIT_COUNT, sum->involuntary);
}

/* The rows lie beside the edges of what was measured: so the share of a core is what is divided. */
void cost_add_each(struct measures *measures, int64_t length_ns, uint64_t answered)
{
	const struct measure *cpu = measures_find(measures, "sut.cpu");
	if (cpu && answered)
		add(measures, "sut.cpu_per_request", UNIT_NS,
			cpu->quantity.value / 100 * (double)length_ns / (double)answered);
}
