/* For people: how many streams were held, what each costs, how it ended, and how the thresholds were kept. */
#include "base/visible.h"
#include "cli/console_parts.h"
#include "cli/hold_report.h"

enum { LABEL_COLUMNS = 22, CELL_BYTES = 32, KIB = 1024, MIB = KIB * KIB };

static void head(const struct hold_found *found, FILE *out)
{
	const struct hold_job *job = found->job;
	fprintf(out, "onus %s · libcurl %s · seed 0x%llx\n", found->version, found->libcurl,
		(unsigned long long)found->seed);
	visible_line(out, job->load->url);
	fprintf(out, " · %zu streams to hold, %zu more each round", job->up_to, job->add);
	if (found->cap_limit_bytes)
		fprintf(out, " · the SUT's memory cap is %.1f MiB",
			(double)found->cap_limit_bytes / (double)MIB);
	fputs("\n\n", out);
}

/* Sizes of one stream are told in KiB, as everybody does. */
static void value(struct quantity quantity, char *text, size_t size)
{
	if (quantity.unit == UNIT_BYTES && quantity.value > -MIB && quantity.value < MIB)
		snprintf(text, size, "%.1f KiB", quantity.value / KIB);
	else if (quantity.unit == UNIT_BYTES)
		snprintf(text, size, "%.1f MiB", quantity.value / MIB);
	else
		quantity_print(quantity, text, size);
}

static void numbers(const struct hold_found *found, FILE *out)
{
	char text[CELL_BYTES];
	const struct hold_number *row;
	for (size_t i = 0; (row = hold_number_at(i)); i++) {
		const struct measure *found_one = measures_find(&found->numbers, row->name);
		if (!found_one)
			continue;
		value(found_one->quantity, text, sizeof text);
		visible_column(out, row->name, LABEL_COLUMNS);
		fprintf(out, "%12s   %s\n", text, row->help);
	}
}

static void failures(const struct hold_counts *c, bool color, FILE *out)
{
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++) {
		const struct load_failure_kind *kind = load_failure_at(i);
		if (!c->failed[i])
			continue;
		fputs("  ", out);
		console_colored(CONSOLE_RED, kind->code, color, out);
		fprintf(out, "         %-16s%10llu   %s\n", kind->name,
			(unsigned long long)c->failed[i], kind->help);
	}
	if (c->refused)
		fprintf(out, "  --         %-16s%10zu   answers of status %d%s\n", "refused",
			c->refused, c->refused_status, c->refused > 1 ? " and others" : "");
	if (c->ended)
		fprintf(out, "  --         %-16s%10zu   the server ended the stream, whole\n",
			"ended", c->ended);
}

static void thresholds(const struct hold_found *found, bool color, FILE *out)
{
	if (found->job->threshold_count)
		fputc('\n', out);
	for (size_t i = 0; i < found->job->threshold_count; i++) {
		char text[CELL_BYTES];
		value(found->verdicts[i].found, text, sizeof text);
		console_verdict(&(struct console_verdict){ .verdict = &found->verdicts[i],
					.threshold = found->job->thresholds[i].text,
					.found = text },
			color, out);
	}
}

void hold_console_print(const struct hold_found *found, bool color, FILE *out)
{
	head(found, out);
	numbers(found, out);
	failures(&found->counts, color, out);
	fprintf(out, "\nin the end: ");
	visible_line(out, found->why);
	fputc('\n', out);
	thresholds(found, color, out);
}
