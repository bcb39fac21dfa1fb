/* For people: what was driven, how long it took, what was counted, what spoils it, and how the thresholds were kept. */
#include <string.h>

#include "base/visible.h"
#include "cli/console_parts.h"
#include "cli/load_report.h"

enum { LABEL_COLUMNS = 30, CELL_BYTES = 32, CELL_COLUMNS = 11 };

struct printing {
	const struct load_found *found;
	bool color;
	FILE *out;
};

static void label(const struct printing *p, const char *text)
{
	visible_column(p->out, text, LABEL_COLUMNS);
}

static void cell(const struct printing *p, struct quantity quantity)
{
	char text[CELL_BYTES];
	quantity_print(quantity, text, sizeof text);
	fprintf(p->out, "%*s", CELL_COLUMNS, text);
}

static void head(const struct printing *p)
{
	const struct load_found *found = p->found;
	fprintf(p->out, "onus %s · libcurl %s · seed 0x%llx\n", found->version, found->libcurl,
		(unsigned long long)found->seed);
	visible_line(p->out, found->job->url);
	fprintf(p->out, " · %s · %zu thread%s\n", found->job->shape,
		found->job->arms[0].plan.threads, found->job->arms[0].plan.threads == 1 ? "" : "s");
	if (found->null.driven) {
		char floor[CELL_BYTES];
		quantity_print((struct quantity){ UNIT_NS, (double)found->null.floor_ns }, floor,
			sizeof floor);
		fprintf(p->out, "null server · ceiling %.0f requests/s · floor %s\n",
			found->null.ceiling_per_s, floor);
	} else if (found->null.problem) {
		fprintf(p->out, "null server · not driven: %s\n", found->null.problem);
	}
}

static void times(const struct printing *p, const struct load_arm_found *one)
{
	static const char *const heads[] = { "count", "min", "p50", "p90", "p99", "p99.9", "max" };
	label(p, "");
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		fprintf(p->out, "%*s", CELL_COLUMNS, heads[i]);
	fputc('\n', p->out);
	for (int i = 0; i < LOAD_HIST_COUNT; i++) {
		char text[64];
		struct spread spread = hist_spread(one->result->hists[i]);
		const int64_t values[] = { spread.min_ns, spread.p50_ns, spread.p90_ns,
			spread.p99_ns, spread.p999_ns, spread.max_ns };
		if (!spread.count)
			continue;
		load_found_label(one, (enum load_hist)i, text, sizeof text);
		label(p, text);
		fprintf(p->out, "%*zu", CELL_COLUMNS, spread.count);
		for (size_t k = 0; k < sizeof values / sizeof *values; k++)
			cell(p, (struct quantity){ UNIT_NS, (double)values[k] });
		fputc('\n', p->out);
	}
}

static void sum_line(const struct printing *p, const char *name, const struct load_counts *counts)
{
	fprintf(p->out, "%-13s%llu sent = %llu answered + %llu failed + %llu unanswered%s\n", name,
		(unsigned long long)counts->sent, (unsigned long long)counts->answered,
		(unsigned long long)load_counts_failed(counts),
		(unsigned long long)counts->unanswered,
		load_counts_add_up(counts) ? "" : "   which does not add up");
}

static void statuses(const struct printing *p, const struct load_counts *counts)
{
	bool any = false;
	fprintf(p->out, "%-13s", "statuses");
	for (size_t i = 1; i <= 6; i++) {
		size_t class = i % 6;
		if (!counts->statuses[class])
			continue;
		fprintf(p->out, "%s", any ? " · " : "");
		fprintf(p->out, class ? "%zuxx" : "other", class);
		fprintf(p->out, " %llu", (unsigned long long)counts->statuses[class]);
		any = true;
	}
	fputs(any ? "\n" : "none\n", p->out);
}

static void failures(const struct printing *p, const struct load_counts *counts)
{
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++) {
		const struct load_failure_kind *kind = load_failure_at(i);
		if (!counts->failed[i])
			continue;
		fprintf(p->out, "  ");
		console_colored(CONSOLE_RED, kind->code, p->color, p->out);
		fprintf(p->out, "         %-16s%10llu   %s\n", kind->name,
			(unsigned long long)counts->failed[i], kind->help);
	}
	if (counts->undecodable)
		fprintf(p->out, "%-13s%llu answers that do not decode\n", "undecodable",
			(unsigned long long)counts->undecodable);
}

static void bytes(const struct printing *p, const struct load_arm_found *one)
{
	const struct load_counts *m = &one->result->measured;
	char wire[CELL_BYTES], each[CELL_BYTES], decoded[CELL_BYTES];
	if (!m->answered)
		return;
	double answered = (double)m->answered;
	quantity_print((struct quantity){ UNIT_BYTES, (double)m->wire_bytes }, wire, sizeof wire);
	quantity_print((struct quantity){ UNIT_BYTES, (double)m->wire_bytes / answered }, each,
		sizeof each);
	fprintf(p->out, "%-13s%s on the wire, %s an answer", "bytes", wire, each);
	if (one->arm->plan.decode) {
		quantity_print((struct quantity){ UNIT_BYTES, (double)m->decoded_bytes / answered },
			decoded, sizeof decoded);
		fprintf(p->out, ", %s decoded", decoded);
	}
	fputs("\n", p->out);
	fprintf(p->out, "%-13s%s%s · %.4g%% of the answers have one\n", "codings",
		one->arm->asks_for ? "asked for " : "none asked for",
		one->arm->asks_for ? one->arm->asks_for : "", 100 * (double)m->coded / answered);
}

static void generator(const struct printing *p, const struct load_arm_found *one)
{
	const struct load_result *r = one->result;
	fprintf(p->out, "%-13s%llu opened, %llu ended by the server\n", "connections",
		(unsigned long long)r->connections_opened,
		(unsigned long long)r->connections_ended_by_server);
	if (one->arm->plan.model == LOAD_OPEN)
		fprintf(p->out,
			"%-13s%llu at most; %llu requests waited for the bound, %llu were never sent\n",
			"in flight", (unsigned long long)r->in_flight_max,
			(unsigned long long)r->bound_hits, (unsigned long long)r->unsent);
	fprintf(p->out, "%-13s", "generator");
	for (size_t i = 0; i < r->thread_count; i++) {
		const struct load_cpu *cpu = &r->threads[i];
		double share = cpu->measured_ns > 0 ? 100 * (double)cpu->measured_cpu_ns /
							      (double)cpu->measured_ns
						    : 0;
		fprintf(p->out, "%s%.0f%%", i ? ", " : "", share);
	}
	fprintf(p->out, " of a core (each thread) · %.3g s measured\n",
		(double)r->measured_ns / (double)NS_PER_S);
}

/* What it cost the SUT, where that was sampled. */
static void cost(const struct printing *p, const struct load_arm_found *one)
{
	const struct measures *sut = one->result->sut;
	if (!sut)
		return;
	fprintf(p->out, "%-13s", "SUT");
	for (size_t i = 0; i < sut->count; i++) {
		char text[CELL_BYTES];
		quantity_print(sut->list[i].quantity, text, sizeof text);
		fprintf(p->out, "%s%s %s", i ? " · " : "", sut->list[i].name + strlen("sut."),
			text);
	}
	fputs(sut->count ? "\n" : "too short to be sampled\n", p->out);
}

static void arm(const struct printing *p, const struct load_arm_found *one)
{
	const struct load_result *result = one->result;
	fputc('\n', p->out);
	if (p->found->job->arm_count > 1)
		fprintf(p->out, "== Accept-Encoding: %s\n",
			one->arm->asks_for ? one->arm->asks_for : "(none)");
	times(p, one);
	fputc('\n', p->out);
	sum_line(p, "requests", &result->all);
	sum_line(p, "measured", &result->measured);
	fprintf(p->out, "%-13s%.5g requests/s\n", "rate", load_rate(result));
	statuses(p, &result->all);
	failures(p, &result->all);
	bytes(p, one);
	generator(p, one);
	cost(p, one);
	for (size_t i = 0; i < one->reasons.count; i++) {
		const struct load_reason *reason = &one->reasons.list[i];
		console_colored(
			CONSOLE_YELLOW, reason->spoils ? "invalid" : "warning", p->color, p->out);
		fprintf(p->out, "      ");
		visible_line(p->out, reason->text);
		fputc('\n', p->out);
	}
}

/* The second arm against the first, where both have the number. */
static void side_by_side(const struct printing *p)
{
	struct load_row rows[LOAD_ROWS_MAX];
	const struct load_found *found = p->found;
	size_t count = load_found_rows(found, rows, LOAD_ROWS_MAX);
	if (found->arm_count < 2)
		return;
	fprintf(p->out, "\n%-16s%14s%14s%14s\n", "", found->arms[0].arm->name,
		found->arms[1].arm->name, "difference");
	for (size_t i = 0; i < count; i++) {
		struct quantity q[LOAD_ARMS_MAX];
		bool there[LOAD_ARMS_MAX];
		fprintf(p->out, "%-16s", rows[i].name);
		for (size_t k = 0; k < LOAD_ARMS_MAX; k++) {
			char text[CELL_BYTES] = "-";
			const struct load_arm_found *one = &found->arms[k];
			there[k] = load_number_take(
				&rows[i].number, one->result, one->arm->plan.decode, &q[k]);
			if (there[k])
				quantity_print(q[k], text, sizeof text);
			fprintf(p->out, "%14s", text);
		}
		if (there[0] && there[1] && q[0].value > 0 && q[0].unit != UNIT_PERCENT)
			fprintf(p->out, "%+13.1f%%", 100 * (q[1].value / q[0].value - 1));
		fputc('\n', p->out);
	}
	if (!found->apart)
		return;
	console_colored(CONSOLE_YELLOW, "invalid", p->color, p->out);
	fprintf(p->out, "      %s\n", found->apart);
}

static void thresholds(const struct printing *p)
{
	const struct load_found *found = p->found;
	if (found->job->threshold_count)
		fputc('\n', p->out);
	for (size_t i = 0; i < found->arm_count; i++) {
		for (size_t k = 0; k < found->job->threshold_count; k++) {
			const struct load_verdict *verdict = &found->arms[i].verdicts[k];
			char text[CELL_BYTES];
			quantity_print(verdict->found, text, sizeof text);
			console_verdict(
				&(struct console_verdict){ .verdict = verdict,
					.arm = found->job->arm_count > 1 ? found->arms[i].arm->name
									 : NULL,
					.threshold = found->job->thresholds[k].text,
					.found = text },
				p->color, p->out);
		}
	}
}

static void print(const struct load_found *found, bool color, FILE *out)
{
	struct printing p = { .found = found, .color = color, .out = out };
	head(&p);
	for (size_t i = 0; i < found->arm_count; i++)
		arm(&p, &found->arms[i]);
	side_by_side(&p);
	thresholds(&p);
	if (found->partial) {
		console_colored(CONSOLE_RED, "partial", color, out);
		fputs("      it was interrupted: this is what was found until then\n", out);
	}
}

const struct load_report load_console = {
	.name = "console",
	.help = "tables for people (the default)",
	.print = print,
	.print_hold = hold_console_print,
};
