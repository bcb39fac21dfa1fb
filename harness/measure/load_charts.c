#include "measure/load_charts.h"

#include <math.h>

/* Points for each halving of what lies above, as HdrHistogram's percentile iterator has them. */
enum { POINTS_A_HALVING = 5 };

/* Of a second, or of the time between two rows: a shorter part says nothing of a rate. */
#define PART_LEAST_S  0.25
#define ROWS_APART_NS (20 * NS_PER_MS)

static const struct chart_axis TIME = { "time since the start of the load", UNIT_NS, CHART_LINEAR };

static double to_ms(int64_t ns)
{
	int64_t ms = ns / NS_PER_MS;
	return (double)(ms * NS_PER_MS);
}

static void bound(struct chart *chart, struct chart_series *series)
{
	struct chart_point *kept;
	if (series->count <= LOAD_CHARTS_POINTS)
		return;
	kept = arena_alloc(chart->arena, LOAD_CHARTS_POINTS, sizeof *kept);
	series->count = chart_thin(series->points, series->count, kept, LOAD_CHARTS_POINTS);
	series->points = kept;
	series->room = LOAD_CHARTS_POINTS;
}

/* What lies above is halved until less than one value does: there the curve is at the maximum. */
static void add_curve(struct chart *chart, const char *name, const struct hist *hist)
{
	double count = (double)hist_count(hist);
	if (count <= 0)
		return;
	struct chart_series *series = chart_series(chart, &chart->panels[0], name);
	double above = 1;
	for (int i = 0; above > 1 / count; i++) {
		above = exp2(-(double)i / POINTS_A_HALVING);
		chart_point(
			chart, series, 100 * (1 - above), (double)hist_quantile(hist, 1 - above));
	}
	chart_point(chart, series, 100 * (1 - 1 / (2 * count)), (double)hist_max(hist));
}

static const char *named(struct arena *arena, const char *word, const struct load_charted *one)
{
	return one->name[0] ? arena_print(arena, "%s, %s", word, one->name) : word;
}

struct chart *load_charts_latency(
	const struct load_charted *list, size_t count, struct arena *arena)
{
	struct chart *chart = chart_new(arena, "Latency by percentile",
		"How many percent of the requests that were measured took at most how long. Both axes are "
		"logarithmic: to the right each nine more is as wide as the one before.");
	chart->x = (struct chart_axis){ "percentile of the requests", UNIT_PERCENT, CHART_PERCENT };
	chart_panel(chart, (struct chart_axis){ "time at most", UNIT_NS, CHART_LOG });
	for (size_t i = 0; i < count; i++) {
		struct hist *const *hists = list[i].result->hists;
		if (list[i].plan->model == LOAD_OPEN)
			add_curve(chart, named(arena, "response time", &list[i]),
				hists[LOAD_RESPONSE]);
		add_curve(chart, named(arena, "service time", &list[i]), hists[LOAD_SERVICE]);
		if (list[i].plan->model == LOAD_OPEN)
			add_curve(chart, named(arena, "send lag", &list[i]), hists[LOAD_SEND_LAG]);
	}
	return chart->panels[0].series_count ? chart : NULL;
}

/* How much of a second the run lasted for, and where that ends. */
static double part_s(const struct load_charted *one, const struct load_second *second)
{
	double left = (double)one->result->ran_ns / (double)NS_PER_S - (double)second->at_s;
	return fmin(1, left);
}

static double end_of(const struct load_charted *one, const struct load_second *second)
{
	return to_ms((int64_t)(((double)second->at_s + part_s(one, second)) * (double)NS_PER_S));
}

enum of_second { ANSWERED, FAILED, P50, P99 };

static double value_of(
	const struct load_charted *one, const struct load_second *second, enum of_second which)
{
	double part = part_s(one, second);
	double values[] = {
		[ANSWERED] = (double)second->answered / part,
		[FAILED] = (double)second->failed / part,
		[P50] = second->p50_ns > 0 ? (double)second->p50_ns : (double)NAN,
		[P99] = second->p99_ns > 0 ? (double)second->p99_ns : (double)NAN,
	};
	return which <= FAILED ? round(values[which] * 100) / 100 : values[which];
}

static void add_seconds(struct chart *chart, struct chart_panel *panel, const char *name,
	const struct load_charted *one, enum of_second which)
{
	struct chart_series *series = chart_series(chart, panel, name);
	for (size_t i = 0; i < one->result->second_count; i++) {
		const struct load_second *second = &one->result->seconds[i];
		if (part_s(one, second) >= PART_LEAST_S)
			chart_point(
				chart, series, end_of(one, second), value_of(one, second, which));
	}
	bound(chart, series);
}

static bool any_failed(const struct load_result *result)
{
	for (size_t i = 0; i < result->second_count; i++)
		if (result->seconds[i].failed)
			return true;
	return false;
}

static void add_load(struct chart *chart, const struct load_charted *one)
{
	bool open = one->plan->model == LOAD_OPEN;
	struct chart_panel *rate = chart_panel(
		chart, (struct chart_axis){ "requests a second", UNIT_PER_S, CHART_LINEAR });
	add_seconds(chart, rate, "answered", one, ANSWERED);
	if (any_failed(one->result))
		add_seconds(chart, rate, "failed", one, FAILED);
	struct chart_panel *latency = chart_panel(chart,
		(struct chart_axis){ open ? "response time" : "service time", UNIT_NS, CHART_LOG });
	add_seconds(chart, latency, "p50", one, P50);
	add_seconds(chart, latency, "p99", one, P99);
}

static bool is_before_end(const struct load_charted *one, const struct cost_row *row)
{
	return row->at_ns <= one->result->start_ns + one->result->ran_ns;
}

/* CPU of one core between two rows, in percent; rows side by side are taken together. */
static void add_cpu(
	struct chart *chart, struct chart_series *series, const struct load_charted *one)
{
	const struct cost *cost = one->cost;
	const struct cost_row *before = &cost->rows[0];
	for (size_t i = 1; i < cost->count && is_before_end(one, &cost->rows[i]); i++) {
		const struct cost_row *row = &cost->rows[i];
		int64_t took_ns = row->at_ns - before->at_ns;
		if (took_ns < ROWS_APART_NS)
			continue;
		double share = (double)(row->cpu_ns - before->cpu_ns) / (double)took_ns;
		if (row->at_ns > one->result->start_ns)
			chart_point(chart, series, to_ms(row->at_ns - one->result->start_ns),
				round(share * 10000) / 100);
		before = row;
	}
}

static void add_memory(
	struct chart *chart, struct chart_series *series, const struct load_charted *one)
{
	const struct cost *cost = one->cost;
	for (size_t i = 0; i < cost->count && is_before_end(one, &cost->rows[i]); i++) {
		const struct cost_row *row = &cost->rows[i];
		double bytes =
			row->memory_bytes == COST_ABSENT ? (double)NAN : (double)row->memory_bytes;
		if (row->at_ns >= one->result->start_ns)
			chart_point(
				chart, series, to_ms(row->at_ns - one->result->start_ns), bytes);
	}
}

static void add_cost(struct chart *chart, const struct load_charted *one)
{
	static const struct {
		struct chart_axis y;
		void (*add)(struct chart *chart, struct chart_series *series,
			const struct load_charted *one);
	} rows[] = {
		{ { "CPU of the SUT, 100% is a core", UNIT_PERCENT, CHART_LINEAR }, add_cpu },
		{ { "memory of the SUT, resident", UNIT_BYTES, CHART_LINEAR }, add_memory },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct chart_panel *panel = chart_panel(chart, rows[i].y);
		struct chart_series *series = chart_series(chart, panel, "all its processes");
		rows[i].add(chart, series, one);
		bound(chart, series);
	}
}

/* Where percentiles begin and end; not where that is where the run does. */
static void add_marks(struct chart *chart, const struct load_charted *one)
{
	int64_t from_ns = one->plan->warm_up_ns, to_ns = from_ns + one->result->measured_ns;
	if (one->result->measured_ns <= 0)
		return;
	if (from_ns > 0)
		chart_mark(chart, (double)from_ns, "measuring begins");
	if (one->result->ran_ns - to_ns > NS_PER_S / 4)
		chart_mark(chart, to_ms(to_ns), "measuring ends");
}

struct chart *load_charts_time(const struct load_charted *one, struct arena *arena)
{
	bool sampled = one->cost && one->cost->count > 1;
	if ((double)one->result->ran_ns < PART_LEAST_S * (double)NS_PER_S ||
		!one->result->second_count)
		return NULL;
	struct chart *chart = chart_new(arena, named(arena, "Rate and latency over time", one),
		sampled ? "Second by second how many requests were answered and how long they took, and "
			  "below, over the same time, the CPU and the memory of the server and all its "
			  "processes."
			: "Second by second how many requests were answered and how long they took.");
	chart->x = TIME;
	add_load(chart, one);
	if (sampled)
		add_cost(chart, one);
	add_marks(chart, one);
	return chart;
}
