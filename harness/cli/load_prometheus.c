/* Text format 0.0.4 of Prometheus, for a node exporter's textfile collector or a push gateway. */
#include <string.h>

#include "cli/load_report.h"

struct sample {
	const struct load_found *found;
	FILE *out;
};

static void family(struct sample *s, const char *name, const char *type, const char *help)
{
	fprintf(s->out, "# HELP onus_load_%s %s\n# TYPE onus_load_%s %s\n", name, help, name, type);
}

/* labels: `,kind="x"`, or "". The exposition format wants backslash, quote and line feed escaped; \n can't occur. */
static void value(struct sample *s, const char *name, size_t arm, const char *labels, double value)
{
	fprintf(s->out, "onus_load_%s{url=\"", name);
	for (const char *at = s->found->job->url; *at; at++)
		fprintf(s->out, strchr("\"\\", *at) ? "\\%c" : "%c", *at);
	fprintf(s->out, "\",arm=\"%s\"%s} %.17g\n", s->found->arms[arm].arm->name, labels, value);
}

static void counts(struct sample *s)
{
	family(s, "requests_total", "counter", "Requests of the whole run, by how they ended.");
	for (size_t i = 0; i < s->found->arm_count; i++) {
		const struct load_counts *all = &s->found->arms[i].result->all;
		char labels[64];
		value(s, "requests_total", i, ",result=\"answered\"", (double)all->answered);
		value(s, "requests_total", i, ",result=\"unanswered\"", (double)all->unanswered);
		for (size_t k = 0; k < LOAD_FAILURE_COUNT; k++) {
			snprintf(labels, sizeof labels, ",result=\"%s\"", load_failure_at(k)->name);
			value(s, "requests_total", i, labels, (double)all->failed[k]);
		}
	}
	family(s, "answers_total", "counter", "Answers of the whole run, by class of status.");
	for (size_t i = 0; i < s->found->arm_count; i++) {
		char labels[64];
		for (size_t k = 0; k < 6; k++) {
			snprintf(labels, sizeof labels,
				k ? ",status=\"%zuxx\"" : ",status=\"other\"", k);
			value(s, "answers_total", i, labels,
				(double)s->found->arms[i].result->all.statuses[k]);
		}
	}
}

/* A summary has no minimum and maximum: quantiles 0 and 1 are. */
static void times_of(struct sample *s, size_t arm, enum load_hist which)
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
		value(s, "seconds", arm, labels,
			(double)hist_quantile(hist, quantiles[i]) / (double)NS_PER_S);
	}
	snprintf(labels, sizeof labels, ",kind=\"%s\"", load_hist_name(which));
	value(s, "seconds_sum", arm, labels, hist_mean(hist) * count / (double)NS_PER_S);
	value(s, "seconds_count", arm, labels, count);
}

static void numbers(struct sample *s)
{
	static const struct {
		const char *number, *name, *help;
		double scale;
	} rows[] = {
		{ "rate", "rate", "Answers a second while it was measured.", 1 },
		{ "errors", "errors", "Failed requests and answers of 4xx and 5xx, measured.", 1 },
		{ "bytes.wire", "wire_bytes", "Bytes of an answer on the wire, mean.", 1 },
		{ "coded_share", "coded_ratio", "Share of answers with a content coding.", 0.01 },
		{ "sut.cpu", "sut_cpu_ratio", "The SUT's share of one core, measured.", 0.01 },
		{ "sut.cpu_per_request", "sut_cpu_seconds_per_request", "CPU time of the SUT.",
			1e-9 },
		{ "sut.memory", "sut_memory_bytes", "Resident memory of the SUT, at most.", 1 },
		{ "sut.memory_growth", "sut_memory_growth_bytes", "Of the last tenth to the first.",
			1 },
		{ "sut.descriptors", "sut_descriptors", "Open in the SUT, at most.", 1 },
		{ "sut.threads", "sut_threads", "Of the SUT, at most.", 1 },
	};
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		struct load_number number;
		struct quantity quantity;
		if (load_number_parse(rows[r].number, &number, NULL) != RC_OK)
			BUG("no number %s", rows[r].number);
		bool begun = false;
		for (size_t i = 0; i < s->found->arm_count; i++) {
			if (!load_number_take(&number, s->found->arms[i].result, false, &quantity))
				continue;
			if (!begun)
				family(s, rows[r].name, "gauge", rows[r].help);
			begun = true;
			value(s, rows[r].name, i, "", rows[r].scale * quantity.value);
		}
	}
}

static void print(const struct load_found *found, bool color, FILE *out)
{
	struct sample s = { .found = found, .out = out };
	(void)color;
	counts(&s);
	family(&s, "seconds", "summary", "Durations of requests and their parts, measured.");
	for (size_t i = 0; i < found->arm_count; i++)
		for (int k = 0; k < LOAD_HIST_COUNT; k++)
			times_of(&s, i, (enum load_hist)k);
	numbers(&s);
	family(&s, "exit_status", "gauge", "How onus ended.");
	fprintf(out, "onus_load_exit_status %d\n", found->exit);
}

const struct load_report load_prometheus = {
	.name = "prometheus",
	.help = "counts, quantiles and rate in the text format of Prometheus",
	.print = print,
	.print_hold = hold_prometheus_print,
};
