/* A page for people: how the thresholds were kept, the server's memory over the streams it held, and each round. */
#include "cli/hold_report.h"
#include "cli/html_parts.h"
#include "measure/hold_chart.h"
#include "report/page.h"

static void head(const struct hold_found *found, FILE *out)
{
	const struct hold_job *job = found->job;
	struct arena *arena = job->load->arena;
	html_title(job->load->url, found->exit,
		job->threshold_count ? "every threshold held" : "held", arena, out);
	page_facts_begin(out);
	page_fact("streams",
		arena_print(arena, "%zu to hold, %zu more each round", job->up_to, job->add), out);
	page_fact("in the end", found->why, out);
	if (found->cap_limit_bytes)
		html_fact_quantity("the server's memory cap",
			(struct quantity){ UNIT_BYTES, (double)found->cap_limit_bytes }, out);
	page_fact("started", found->started, out);
	page_fact_code("command", found->command, out);
	page_fact_code("seed", arena_print(arena, "0x%llx", (unsigned long long)found->seed), out);
	page_fact("exit status", arena_print(arena, "%d", found->exit), out);
	page_fact("onus", found->version, out);
	page_fact("libcurl", found->libcurl, out);
	page_facts_end(out);
	html_note("problem", "environment", found->problem, out);
}

static void thresholds(const struct hold_found *found, FILE *out)
{
	static const char *const heads[] = { "verdict", "threshold", "#found" };
	const struct hold_job *job = found->job;
	if (!job->threshold_count)
		return;
	page_text("h2", "Verdicts", out);
	page_table_begin("Thresholds", heads, sizeof heads / sizeof *heads, out);
	for (size_t i = 0; i < job->threshold_count; i++)
		html_verdict(&found->verdicts[i], NULL, job->thresholds[i].text, out);
	page_table_end(out);
}

/* Of the rounds in which somebody looked at the server's memory. */
static void curve(const struct hold_found *found, FILE *out)
{
	struct chart *chart = hold_chart_new(found->job->load->arena);
	bool any = false;
	for (size_t i = 0; i < found->point_count; i++) {
		const struct hold_point *point = &found->points[i];
		bool capped = point->cap_bytes != COST_ABSENT;
		if (!point->round || point->sut_bytes == COST_ABSENT)
			continue;
		hold_chart_add(chart, (double)point->counts.open, (double)point->sut_bytes,
			capped ? (double)point->cap_bytes : 0);
		any = true;
	}
	hold_chart_end(chart, (double)found->counts.opened, (double)found->cap_limit_bytes,
		found->end == HOLD_KILLED);
	if (any)
		page_chart(chart, "hold", out);
}

static void numbers(const struct hold_found *found, FILE *out)
{
	static const char *const heads[] = { "number", "#found", "what it is" };
	const struct hold_number *row;
	page_table_begin("What it came to", heads, sizeof heads / sizeof *heads, out);
	for (size_t i = 0; (row = hold_number_at(i)); i++) {
		const struct measure *one = measures_find(&found->numbers, row->name);
		if (!one)
			continue;
		page_row_begin(out);
		page_cell(row->name, out);
		html_quantity(one->quantity, out);
		page_cell(row->help, out);
		page_row_end(out);
	}
	page_table_end(out);
}

static void bytes_or_none(int64_t bytes, FILE *out)
{
	if (bytes == COST_ABSENT)
		page_number("–", out);
	else
		html_quantity((struct quantity){ UNIT_BYTES, (double)bytes }, out);
}

/* Rounds alone: the seconds behind the last are in the other reports. */
static void rounds(const struct hold_found *found, FILE *out)
{
	static const char *const heads[] = { "#round", "#time", "#opened", "#open", "#heard",
		"#onus", "#server", "#of its cap", "#of which kernel" };
	page_table_begin("Rounds", heads, sizeof heads / sizeof *heads, out);
	for (size_t i = 0; i < found->point_count; i++) {
		const struct hold_point *point = &found->points[i];
		if (!point->round)
			continue;
		page_row_begin(out);
		html_count(point->round, out);
		html_quantity((struct quantity){ UNIT_NS, (double)point->at_ns }, out);
		html_count(point->counts.opened, out);
		html_count(point->counts.open, out);
		html_count(point->counts.heard, out);
		bytes_or_none(point->own_bytes, out);
		bytes_or_none(point->sut_bytes, out);
		bytes_or_none(point->cap_bytes, out);
		bytes_or_none(point->kernel_bytes, out);
		page_row_end(out);
	}
	page_table_end(out);
}

void hold_html_print(const struct hold_found *found, bool color, FILE *out)
{
	(void)color;
	head(found, out);
	thresholds(found, out);
	curve(found, out);
	page_text("h2", "Numbers", out);
	numbers(found, out);
	rounds(found, out);
	page_end(out);
}
