/*
 * Text format 0.0.4 of Prometheus, for a node exporter's textfile collector or a push gateway: base units (seconds,
 * bytes, ratios), counters that end in _total, all samples of a family together below its HELP and TYPE.
 */

#include "cli/load_report.h"
#include "cli/prometheus_parts.h"

struct exposition {
	const struct load_found *found;
	FILE *out;
	const char *name, *type, *help; /* of the family, until its first sample; or NULL */
};

/* Nothing is printed of a family without samples. */
static void family(struct exposition *s, const char *name, const char *type, const char *help)
{
	s->name = name;
	s->type = type;
	s->help = help;
}

static void begin(struct exposition *s)
{
	if (s->name)
		fprintf(s->out, "# HELP onus_load_%s %s\n# TYPE onus_load_%s %s\n", s->name,
			s->help, s->name, s->type);
	s->name = NULL;
}

/* labels: `,kind="x"`, or "". */
static void value(
	struct exposition *s, const char *name, size_t arm, const char *labels, double value)
{
	begin(s);
	fprintf(s->out, "onus_load_%s{url=\"", name);
	prometheus_label(s->found->job->url, s->out);
	fputs("\",arm=\"", s->out);
	prometheus_label(s->found->arms[arm].arm->name, s->out);
	fprintf(s->out, "\"%s} ", labels);
	prometheus_number(value, s->out);
	fputc('\n', s->out);
}

static void requests(struct exposition *s)
{
	char labels[64];
	family(s, "requests_total", "counter", "Requests of the whole run, by how they ended.");
	for (size_t i = 0; i < s->found->arm_count; i++) {
		const struct load_counts *all = &s->found->arms[i].result->all;
		value(s, "requests_total", i, ",result=\"answered\"", (double)all->answered);
		value(s, "requests_total", i, ",result=\"unanswered\"", (double)all->unanswered);
		for (size_t k = 0; k < LOAD_FAILURE_COUNT; k++) {
			snprintf(labels, sizeof labels, ",result=\"%s\"", load_failure_at(k)->name);
			value(s, "requests_total", i, labels, (double)all->failed[k]);
		}
	}
	family(s, "answers_total", "counter", "Answers of the whole run, by class of status.");
	for (size_t i = 0; i < s->found->arm_count; i++) {
		for (size_t k = 0; k < 6; k++) {
			snprintf(labels, sizeof labels,
				k ? ",status=\"%zuxx\"" : ",status=\"other\"", k);
			value(s, "answers_total", i, labels,
				(double)s->found->arms[i].result->all.statuses[k]);
		}
	}
}

static double wire_bytes(const struct load_result *result)
{
	return (double)result->all.wire_bytes;
}

static double connections(const struct load_result *result)
{
	return (double)result->connections_opened;
}

static void counters(struct exposition *s)
{
	static const struct {
		const char *name, *help;
		double (*of)(const struct load_result *result);
	} rows[] = {
		{ "wire_bytes_total", "Bytes of answers on the wire, of the whole run.",
			wire_bytes },
		{ "connections_opened_total", "Connections opened in the whole run.", connections },
	};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		family(s, rows[r].name, "counter", rows[r].help);
		for (size_t i = 0; i < s->found->arm_count; i++)
			value(s, rows[r].name, i, "", rows[r].of(s->found->arms[i].result));
	}
}

/* A summary has no minimum and maximum: quantiles 0 and 1 are. */
static void times_of(struct exposition *s, size_t arm, enum load_hist which)
{
	static const double quantiles[] = { 0, 0.5, 0.9, 0.99, 0.999, 1 };
	const struct hist *hist = s->found->arms[arm].result->hists[which];
	char labels[96];
	double count = (double)hist_count(hist);
	if (!hist_count(hist))
		return;
	for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
		snprintf(labels, sizeof labels, ",kind=\"%s\",quantile=\"%g\"",
			load_hist_name(which), quantiles[i]);
		value(s, "duration_seconds", arm, labels,
			(double)hist_quantile(hist, quantiles[i]) / (double)NS_PER_S);
	}
	snprintf(labels, sizeof labels, ",kind=\"%s\"", load_hist_name(which));
	value(s, "duration_seconds_sum", arm, labels, hist_mean(hist) * count / (double)NS_PER_S);
	value(s, "duration_seconds_count", arm, labels, count);
}

static void times(struct exposition *s)
{
	family(s, "duration_seconds", "summary",
		"Durations of requests and their parts, measured.");
	for (size_t i = 0; i < s->found->arm_count; i++)
		for (int k = 0; k < LOAD_HIST_COUNT; k++)
			times_of(s, i, (enum load_hist)k);
}

static void numbers(struct exposition *s)
{
	static const struct {
		const char *number, *name, *help;
		double scale;
	} rows[] = {
		{ "rate", "answers_per_second", "Answers a second while it was measured.", 1 },
		{ "errors", "errors", "Failed requests and answers of 4xx and 5xx, measured.", 1 },
		{ "bytes.wire", "answer_wire_bytes", "Bytes of an answer on the wire, mean.", 1 },
		{ "coded_share", "coded_ratio", "Share of answers with a content coding.", 0.01 },
		{ "sut.cpu", "sut_cpu_ratio", "The SUT's share of one core, measured.", 0.01 },
		{ "sut.cpu_per_request", "sut_cpu_per_request_seconds", "CPU time of the SUT.",
			1e-9 },
		{ "sut.memory", "sut_resident_memory_bytes", "Resident memory of the SUT, at most.",
			1 },
		{ "sut.memory_growth", "sut_resident_memory_growth_bytes",
			"Of the last tenth to the first.", 1 },
		{ "sut.descriptors", "sut_open_descriptors", "Open in the SUT, at most.", 1 },
		{ "sut.threads", "sut_threads", "Of the SUT, at most.", 1 },
	};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		struct load_number taken;
		struct quantity quantity;
		if (load_number_parse(rows[r].number, &taken, NULL) != RC_OK)
			BUG("no number %s", rows[r].number);
		family(s, rows[r].name, "gauge", rows[r].help);
		for (size_t i = 0; i < s->found->arm_count; i++) {
			if (load_number_take(&taken, s->found->arms[i].result, false, &quantity))
				value(s, rows[r].name, i, "", rows[r].scale * quantity.value);
		}
	}
}

static void print(const struct load_found *found, bool color, FILE *out)
{
	struct exposition s = { .found = found, .out = out };
	(void)color;
	requests(&s);
	counters(&s);
	times(&s);
	numbers(&s);
	family(&s, "exit_status", "gauge", "How onus ended.");
	begin(&s);
	fprintf(out, "onus_load_exit_status %d\n", found->exit);
}

const struct load_report load_prometheus = {
	.name = "prometheus",
	.help = "counts, quantiles, rate and what the server used in the text format of Prometheus",
	.print = print,
	.print_hold = hold_prometheus_print,
};
