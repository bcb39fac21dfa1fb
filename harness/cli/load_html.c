/* A page for people: how the thresholds were kept, latency and rate as charts, and all that was counted as tables. */
#include <stdlib.h>
#include <string.h>

#include "cli/hold_report.h"
#include "cli/html_parts.h"
#include "cli/load_report.h"
#include "measure/load_charts.h"
#include "report/page.h"
#include "report/text.h"

enum { CELL_BYTES = 64 };

static const char *arm_title(const struct load_found *found, const struct load_arm_found *one)
{
	if (found->job->arm_count < 2)
		return "Load";
	return one->arm->asks_for
		       ? arena_print(found->job->arena, "Accept-Encoding: %s", one->arm->asks_for)
		       : "Accept-Encoding: (none)";
}

static void head(const struct load_found *found, FILE *out)
{
	char text[CELL_BYTES];
	html_title(found->job->url, found->exit,
		found->job->threshold_count ? "every threshold held" : "measured",
		found->job->arena, out);
	page_facts_begin(out);
	page_fact("load", found->job->shape, out);
	page_fact("started", found->started, out);
	page_fact_code("command", found->command, out);
	snprintf(text, sizeof text, "0x%llx", (unsigned long long)found->seed);
	page_fact_code("seed", text, out);
	snprintf(text, sizeof text, "%d", found->exit);
	page_fact("exit status", text, out);
	page_fact("onus", found->version, out);
	page_fact("libraries", found->libraries, out);
	if (found->null.driven) {
		html_fact_quantity("null server's ceiling",
			(struct quantity){ UNIT_PER_S, found->null.ceiling_per_s }, out);
		html_fact_quantity("null server's floor",
			(struct quantity){ UNIT_NS, (double)found->null.floor_ns }, out);
	}
	page_fact("null server", found->null.problem, out);
	page_facts_end(out);
	html_note("problem", "environment", found->problem, out);
	if (found->partial)
		html_note("note", "partial",
			"It was interrupted: this is what was found until then.", out);
}

static void thresholds(const struct load_found *found, FILE *out)
{
	static const char *const one[] = { "verdict", "threshold", "#found" };
	static const char *const two[] = { "verdict", "arm", "threshold", "#found" };
	bool both = found->job->arm_count > 1;
	if (!found->job->threshold_count)
		return;
	page_text("h2", "Verdicts", out);
	page_table_begin("Thresholds", both ? two : one, both ? 4 : 3, out);
	for (size_t i = 0; i < found->arm_count; i++)
		for (size_t k = 0; k < found->job->threshold_count; k++)
			html_verdict(&found->arms[i].verdicts[k],
				both ? found->arms[i].arm->name : NULL,
				found->job->thresholds[k].text, out);
	page_table_end(out);
}

static void charts(const struct load_found *found, FILE *out)
{
	struct arena *arena = found->job->arena;
	struct load_charted list[LOAD_ARMS_MAX] = { 0 };
	bool both = found->job->arm_count > 1;
	for (size_t i = 0; i < found->arm_count; i++) {
		const struct load_arm_found *one = &found->arms[i];
		list[i] = (struct load_charted){ both ? one->arm->name : "", &one->arm->plan,
			one->result, one->samples };
	}
	struct chart *latency = load_charts_latency(list, found->arm_count, arena);
	struct chart *times[LOAD_ARMS_MAX] = { NULL };
	for (size_t i = 0; i < found->arm_count; i++)
		times[i] = load_charts_time(&list[i], arena);
	if (latency || times[0] || times[1])
		page_text("h2", "Charts", out);
	if (latency)
		page_chart(latency, "latency", out);
	for (size_t i = 0; i < found->arm_count; i++)
		if (times[i])
			page_chart(times[i], i ? "time1" : "time0", out);
}

static void time_table(const struct load_arm_found *one, FILE *out)
{
	static const char *const heads[] = { "time", "#count", "#min", "#mean", "#p50", "#p90",
		"#p99", "#p99.9", "#max" };
	page_table_begin("Times of the requests that were measured", heads,
		sizeof heads / sizeof *heads, out);
	for (int i = 0; i < LOAD_HIST_COUNT; i++) {
		char text[CELL_BYTES];
		const struct hist *hist = one->result->hists[i];
		struct spread spread = hist_spread(hist);
		const double values[] = { (double)spread.min_ns, hist_mean(hist),
			(double)spread.p50_ns, (double)spread.p90_ns, (double)spread.p99_ns,
			(double)spread.p999_ns, (double)spread.max_ns };
		if (!spread.count)
			continue;
		load_found_label(one, (enum load_hist)i, text, sizeof text);
		page_row_begin(out);
		page_cell(text, out);
		html_count(spread.count, out);
		for (size_t k = 0; k < sizeof values / sizeof *values; k++)
			html_quantity((struct quantity){ UNIT_NS, values[k] }, out);
		page_row_end(out);
	}
	page_table_end(out);
}

static void count_row(const char *name, uint64_t all, uint64_t measured, FILE *out)
{
	page_row_begin(out);
	page_cell(name, out);
	html_count(all, out);
	html_count(measured, out);
	page_row_end(out);
}

/* What did not occur is left out, but for the sum that has to add up. */
static void counts(const struct load_result *result, FILE *out)
{
	static const char *const heads[] = { "requests", "#whole run", "#measured" };
	const struct load_counts *all = &result->all, *m = &result->measured;
	page_table_begin(
		"Sent = answered + failed + unanswered", heads, sizeof heads / sizeof *heads, out);
	count_row("sent", all->sent, m->sent, out);
	count_row("answered", all->answered, m->answered, out);
	count_row("failed", load_counts_failed(all), load_counts_failed(m), out);
	count_row("unanswered", all->unanswered, m->unanswered, out);
	for (size_t i = 1; i <= 6; i++) {
		char name[CELL_BYTES] = "answered, another status";
		if (i < 6)
			snprintf(name, sizeof name, "answered, %zuxx", i);
		if (all->statuses[i % 6])
			count_row(name, all->statuses[i % 6], m->statuses[i % 6], out);
	}
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++) {
		char name[CELL_BYTES];
		snprintf(name, sizeof name, "failed, %s", load_failure_at(i)->name);
		if (all->failed[i])
			count_row(name, all->failed[i], m->failed[i], out);
	}
	if (all->undecodable)
		count_row("undecodable", all->undecodable, m->undecodable, out);
	page_table_end(out);
}

static void fact_threads(const struct load_result *result, FILE *out)
{
	struct text text;
	text_open(&text);
	for (size_t i = 0; i < result->thread_count; i++) {
		const struct load_cpu *cpu = &result->threads[i];
		fprintf(text.out, "%s%.0f%%", i ? ", " : "",
			cpu->measured_ns > 0
				? 100 * (double)cpu->measured_cpu_ns / (double)cpu->measured_ns
				: 0);
	}
	fputs(" of a core (each thread)", text.out);
	text_close(&text);
	page_fact("generator", text.bytes, out);
	free(text.bytes);
}

static void facts(const struct load_arm_found *one, FILE *out)
{
	const struct load_result *r = one->result;
	const struct load_counts *m = &r->measured;
	page_facts_begin(out);
	html_fact_quantity(
		"measured for", (struct quantity){ UNIT_NS, (double)r->measured_ns }, out);
	html_fact_quantity("rate", (struct quantity){ UNIT_PER_S, load_rate(r) }, out);
	if (m->answered) {
		double answered = (double)m->answered;
		html_fact_quantity("bytes of an answer, on the wire",
			(struct quantity){ UNIT_BYTES, (double)m->wire_bytes / answered }, out);
		if (one->arm->plan.decode)
			html_fact_quantity("decoded",
				(struct quantity){
					UNIT_BYTES, (double)m->decoded_bytes / answered },
				out);
		page_fact(
			"coding asked for", one->arm->asks_for ? one->arm->asks_for : "none", out);
		html_fact_quantity("answers that have one",
			(struct quantity){ UNIT_PERCENT, 100 * (double)m->coded / answered }, out);
	}
	html_fact_count("connections opened", r->connections_opened, out);
	html_fact_count("ended by the server", r->connections_ended_by_server, out);
	if (one->arm->plan.model == LOAD_OPEN) {
		html_fact_count("in flight at most", r->in_flight_max, out);
		html_fact_count("waited for that bound", r->bound_hits, out);
		html_fact_count("never sent", r->unsent, out);
	}
	fact_threads(r, out);
	page_facts_end(out);
}

/* What the SUT came to while it was measured, where somebody sampled it. */
static void cost(const struct load_arm_found *one, FILE *out)
{
	const struct measures *sut = one->result->sut;
	if (!sut || !sut->count)
		return;
	page_text("h4", "What it cost the server", out);
	page_facts_begin(out);
	for (size_t i = 0; i < sut->count; i++)
		html_fact_quantity(sut->list[i].name, sut->list[i].quantity, out);
	page_facts_end(out);
}

static void arm(const struct load_found *found, const struct load_arm_found *one, FILE *out)
{
	page_text("h3", arm_title(found, one), out);
	for (size_t i = 0; i < one->reasons.count; i++) {
		const struct load_reason *reason = &one->reasons.list[i];
		html_note("note", reason->spoils ? "invalid" : "warning", reason->text, out);
	}
	facts(one, out);
	time_table(one, out);
	counts(one->result, out);
	cost(one, out);
}

static void difference(const struct quantity *q, const bool *there, FILE *out)
{
	char text[CELL_BYTES] = "–";
	if (there[0] && there[1] && q[0].value > 0 && q[0].unit != UNIT_PERCENT)
		snprintf(text, sizeof text, "%+.1f%%", 100 * (q[1].value / q[0].value - 1));
	page_number(text, out);
}

/* The second arm against the first. */
static void side_by_side(const struct load_found *found, FILE *out)
{
	static const char *const heads[] = { "number", "#none", "#gzip", "#difference" };
	struct load_row rows[LOAD_ROWS_MAX];
	if (found->arm_count < 2)
		return;
	size_t count = load_found_rows(found, rows, LOAD_ROWS_MAX);
	page_table_begin("Side by side", heads, sizeof heads / sizeof *heads, out);
	for (size_t i = 0; i < count; i++) {
		struct quantity q[LOAD_ARMS_MAX];
		bool there[LOAD_ARMS_MAX];
		page_row_begin(out);
		page_cell(rows[i].name, out);
		for (size_t k = 0; k < LOAD_ARMS_MAX; k++) {
			const struct load_arm_found *one = &found->arms[k];
			there[k] = load_number_take(
				&rows[i].number, one->result, one->arm->plan.decode, &q[k]);
			if (there[k])
				html_quantity(q[k], out);
			else
				page_number("–", out);
		}
		difference(q, there, out);
		page_row_end(out);
	}
	page_table_end(out);
	html_note("note", "invalid", found->apart, out);
}

static void print(const struct load_found *found, bool color, FILE *out)
{
	(void)color;
	head(found, out);
	thresholds(found, out);
	charts(found, out);
	page_text("h2", "Numbers", out);
	side_by_side(found, out);
	for (size_t i = 0; i < found->arm_count; i++)
		arm(found, &found->arms[i], out);
	page_end(out);
}

const struct load_report load_html = {
	.name = "html",
	.help = "a page with verdicts, charts and tables, in one file that loads nothing",
	.print = print,
	.print_hold = hold_html_print,
};
