/* Text format 0.0.4 of Prometheus: every number by the name that thresholds have for it, times in seconds, shares as ratios. */
#include <string.h>

#include "cli/hold_report.h"
#include "cli/prometheus_parts.h"

static void value(const struct hold_found *found, const char *name, const char *labels,
	double value, FILE *out)
{
	fprintf(out, "onus_hold_%s{url=\"", name);
	prometheus_label(found->job->load->url, out);
	fprintf(out, "\"%s} ", labels);
	prometheus_number(value, out);
	fputc('\n', out);
}

static void number(const struct hold_found *found, const struct hold_number *row,
	const struct measure *one, FILE *out)
{
	static const struct {
		const char *ending;
		double scale;
	} units[] = { [UNIT_COUNT] = { "", 1 },
		[UNIT_NS] = { "_seconds", 1e-9 },
		[UNIT_BYTES] = { "_bytes", 1 },
		[UNIT_PER_S] = { "_per_second", 1 },
		[UNIT_PERCENT] = { "_ratio", 0.01 } };
	char name[64];
	snprintf(name, sizeof name, "%s", row->name);
	for (char *dot; (dot = strchr(name, '.'));)
		*dot = '_';
	/* What is called bytes already has its unit. */
	if (strcmp(row->name, "streams.bytes") != 0)
		strncat(name, units[row->unit].ending, sizeof name - strlen(name) - 1);
	fprintf(out, "# HELP onus_hold_%s %s\n# TYPE onus_hold_%s gauge\n", name, row->help, name);
	value(found, name, "", one->quantity.value * units[row->unit].scale, out);
}

static void failures(const struct hold_found *found, FILE *out)
{
	const struct hold_counts *c = &found->counts;
	char labels[64];
	fputs("# HELP onus_hold_failed_total Streams that are not open, by why.\n"
	      "# TYPE onus_hold_failed_total counter\n",
		out);
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++) {
		snprintf(labels, sizeof labels, ",result=\"%s\"", load_failure_at(i)->name);
		value(found, "failed_total", labels, (double)c->failed[i], out);
	}
	value(found, "failed_total", ",result=\"refused_by_status\"", (double)c->refused, out);
	value(found, "failed_total", ",result=\"ended\"", (double)c->ended, out);
}

void hold_prometheus_print(const struct hold_found *found, bool color, FILE *out)
{
	const struct hold_number *row;
	(void)color;
	for (size_t i = 0; (row = hold_number_at(i)); i++) {
		const struct measure *one = measures_find(&found->numbers, row->name);
		if (one)
			number(found, row, one, out);
	}
	failures(found, out);
	fputs("# HELP onus_hold_exit_status How onus ended.\n# TYPE onus_hold_exit_status gauge\n",
		out);
	fprintf(out, "onus_hold_exit_status %d\n", found->exit);
}
