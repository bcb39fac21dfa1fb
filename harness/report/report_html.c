/*
 * A page for people: what broke and how to run it again, what was measured as charts and tables, what was skipped, and
 * every case. It loads nothing from elsewhere and needs no script, so that it can be kept and sent.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/page.h"
#include "report/report.h"
#include "report/text.h"

enum { FINDINGS_MOST = 100 };

static const struct {
	const char *word, *class;
} looks[] = {
	[OUTCOME_PASSED] = { "passed", "ok" },
	[OUTCOME_FAILED] = { "failed", "bad" },
	[OUTCOME_SKIPPED] = { "skipped", "warn" },
	[OUTCOME_ERROR] = { "error", "error" },
};

/* Two sections and more lead to a case: each place has a name of its own. */
enum anchor { ANCHOR_BROKEN, ANCHOR_MEASURED };

static bool is_broken(const struct case_result *one)
{
	return one->outcome == OUTCOME_FAILED || one->outcome == OUTCOME_ERROR;
}

static bool is_measured(const struct case_result *one)
{
	return one->figure_count || one->chart_count;
}

static bool is_skipped(const struct case_result *one)
{
	return one->outcome == OUTCOME_SKIPPED;
}

static void page_word(enum outcome outcome, FILE *out)
{
	fprintf(out, "<span class=\"word %s\">%s</span>", looks[outcome].class,
		looks[outcome].word);
}

/* What a function prints, as a fact. */
static void fact_duration(const char *name, int64_t ns, FILE *out)
{
	struct text text;
	text_open(&text);
	text_duration(ns, 0, text.out);
	text_close(&text);
	page_fact(name, text.bytes, out);
	free(text.bytes);
}

static void fact_place(const struct place *place, FILE *out)
{
	struct text text;
	text_open(&text);
	text_place(place, text.out);
	text_close(&text);
	page_fact_code("place", text.bytes, out);
	free(text.bytes);
}

static void counts(const struct run_result *result, FILE *out)
{
	struct totals t = result_totals(result);
	const size_t numbers[] = { [OUTCOME_PASSED] = t.passed,
		[OUTCOME_FAILED] = t.failed,
		[OUTCOME_SKIPPED] = t.skipped,
		[OUTCOME_ERROR] = t.errors };
	fputs("<ul class=\"sum\">\n", out);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i])
			fprintf(out, "<li class=\"%s\"><b>%zu</b>%s</li>\n", looks[i].class,
				numbers[i], looks[i].word);
	if (result->planned > result->case_count)
		fprintf(out, "<li class=\"warn\"><b>%zu</b>not run</li>\n",
			result->planned - result->case_count);
	fprintf(out,
		"<li><b>%zu</b>cells</li>\n<li><b>%zu</b>checks</li>\n<li><b>%zu</b>requests</li>\n</ul>\n",
		t.cells, t.checks, t.requests);
}

static void head(const struct run_result *result, FILE *out)
{
	struct text text;
	char number[24];
	text_open(&text);
	fputs("onus: ", text.out);
	text_totals(result, text.out);
	text_close(&text);
	page_begin(text.bytes, out);
	page_text(result_exit(result) ? "h1 class=\"bad\"" : "h1 class=\"ok\"", text.bytes, out);
	free(text.bytes);
	counts(result, out);
	page_facts_begin(out);
	page_fact("fault", result->fault, out);
	page_fact("started", result->started, out);
	fact_duration("took", result->duration_ns, out);
	page_fact_code("command", result->command, out);
	snprintf(number, sizeof number, "0x%" PRIx64, result->seed);
	page_fact_code("seed", number, out);
	snprintf(number, sizeof number, "%d", result_exit(result));
	page_fact("exit status", number, out);
	page_fact("onus", result->version, out);
	page_fact("libraries", result->libraries ? result->libraries : result->libcurl, out);
	page_fact_code("run directory", result->run_dir, out);
	page_facts_end(out);
}

static void problem(const struct problem *one, FILE *out)
{
	fprintf(out, "<div class=\"box %s\">\n",
		one->kind == PROBLEM_INVALID ? "invalid" : "problem");
	page_text("h4", problem_word(one->kind), out);
	page_text("code", one->text, out);
	if (one->place.file) {
		page_facts_begin(out);
		fact_place(&one->place, out);
		page_facts_end(out);
	}
	fputs("</div>\n", out);
}

static void finding(const struct finding *one, FILE *out)
{
	fputs("<div class=\"box\">\n", out);
	page_text("h4", one->what, out);
	page_facts_begin(out);
	page_fact_code("expected", one->expected, out);
	page_fact_code("found", one->found, out);
	page_fact_code("request", one->request, out);
	page_fact_code("details", one->details, out);
	page_fact_code("cell", one->cell, out);
	fact_place(&one->place, out);
	page_fact_code("exchange", one->exchange, out);
	page_fact_code("again", one->again, out);
	page_facts_end(out);
	fputs("</div>\n", out);
}

static void case_head(const struct case_result *one, size_t index, enum anchor anchor, FILE *out)
{
	fprintf(out, "<h3 id=\"%s%zu\">", anchor == ANCHOR_BROKEN ? "b" : "m", index);
	page_word(one->outcome, out);
	fputs(" ", out);
	escape_xml(out, one->id);
	fputs("</h3>\n", out);
	if (one->title)
		page_text("p", one->title, out);
}

static void broken(const struct case_result *one, size_t index, FILE *out)
{
	fputs("<article>\n", out);
	case_head(one, index, ANCHOR_BROKEN, out);
	if (one->why)
		page_text("p class=\"muted\"", one->why, out);
	for (size_t i = 0; i < one->problem_count; i++)
		problem(&one->problems[i], out);
	for (size_t i = 0; i < one->finding_count && i < FINDINGS_MOST; i++)
		finding(&one->findings[i], out);
	if (one->finding_count > FINDINGS_MOST)
		fprintf(out, "<p class=\"more\">and %zu more</p>\n",
			one->finding_count - FINDINGS_MOST);
	if (one->output && one->output[0]) {
		fputs("<details>\n<summary>The last lines of the server's output</summary>\n", out);
		page_text("code class=\"output\" tabindex=\"0\"", one->output, out);
		fputs("</details>\n", out);
	}
	if (is_measured(one))
		fprintf(out, "<p><a href=\"#m%zu\">What was measured</a></p>\n", index);
	fputs("</article>\n", out);
}

static bool same_step(const struct figure *a, const struct figure *b)
{
	return !strcmp(a->step, b->step) && !strcmp(a->cell, b->cell);
}

/* Figures of one step and cell, from the first on; how many there are. */
static size_t figures(const struct figure *first, size_t count, FILE *out)
{
	static const char *const heads[] = { "quantity", "#value", "note" };
	struct text caption;
	size_t i = 0;
	text_open(&caption);
	fprintf(caption.out, "%s%s%s", first->step, first->cell[0] ? " · " : "", first->cell);
	text_close(&caption);
	fputs("<div class=\"figures\">\n", out);
	page_table_begin(caption.bytes, heads, sizeof heads / sizeof *heads, out);
	free(caption.bytes);
	for (; i < count && same_step(first, &first[i]); i++) {
		struct text value;
		text_open(&value);
		text_figure(&first[i], value.out);
		text_close(&value);
		page_row_begin(out);
		page_cell(first[i].name, out);
		page_number(value.bytes, out);
		free(value.bytes);
		page_cell(first[i].note, out);
		page_row_end(out);
	}
	page_table_end(out);
	fputs("</div>\n", out);
	return i;
}

/* Charts of one step stand together below its pointer. */
static void charts(const struct case_result *one, size_t index, FILE *out)
{
	for (size_t i = 0; i < one->chart_count; i++) {
		const struct chart *chart = &one->charts[i], *before = i ? chart - 1 : NULL;
		char id[64];
		if (!before || strcmp(before->step, chart->step) != 0 ||
			strcmp(before->cell, chart->cell) != 0) {
			fputs("<p class=\"muted\">", out);
			escape_xml(out, chart->step);
			fputs(chart->cell[0] ? " · " : "", out);
			escape_xml(out, chart->cell);
			fputs("</p>\n", out);
		}
		snprintf(id, sizeof id, "c%zux%zu", index, i);
		page_chart(chart, id, out);
	}
}

static void measured(const struct case_result *one, size_t index, FILE *out)
{
	fputs("<article>\n", out);
	case_head(one, index, ANCHOR_MEASURED, out);
	charts(one, index, out);
	for (size_t i = 0; i < one->figure_count;)
		i += figures(&one->figures[i], one->figure_count - i, out);
	fputs("</article>\n", out);
}

static void skips(const struct run_result *result, FILE *out)
{
	static const char *const heads[] = { "case", "reason" };
	page_table_begin("Skipped, and why", heads, 2, out);
	for (size_t i = 0; i < result->case_count; i++) {
		if (!is_skipped(&result->cases[i]))
			continue;
		page_row_begin(out);
		fputs("<td class=\"id\">", out);
		escape_xml(out, result->cases[i].id);
		fputs("</td>", out);
		page_cell(result->cases[i].skip_reason, out);
		page_row_end(out);
	}
	page_table_end(out);
}

static void case_row(const struct case_result *one, size_t index, FILE *out)
{
	struct text took;
	text_open(&took);
	text_duration(one->duration_ns, 0, took.out);
	text_close(&took);
	fputs("<tr><td>", out);
	page_word(one->outcome, out);
	fputs("</td><td class=\"id\">", out);
	if (is_broken(one) || is_measured(one))
		fprintf(out, "<a href=\"#%s%zu\">", is_broken(one) ? "b" : "m", index);
	escape_xml(out, one->id);
	fputs(is_broken(one) || is_measured(one) ? "</a>" : "", out);
	if (one->title && one->title[0]) {
		fputs("<br><span class=\"muted\">", out);
		escape_xml(out, one->title);
		fputs("</span>", out);
	}
	fprintf(out, "</td><td class=\"number\">%zu</td><td class=\"number\">%zu</td>", one->cells,
		one->checks);
	page_number(took.bytes, out);
	page_row_end(out);
	free(took.bytes);
}

static void cases(const struct run_result *result, FILE *out)
{
	static const char *const heads[] = { "verdict", "case", "#cells", "#checks", "#time" };
	page_table_begin("In the order of the files", heads, sizeof heads / sizeof *heads, out);
	for (size_t i = 0; i < result->case_count; i++)
		case_row(&result->cases[i], i, out);
	page_table_end(out);
}

static bool has(const struct run_result *result, bool (*is)(const struct case_result *one))
{
	for (size_t i = 0; i < result->case_count; i++)
		if (is(&result->cases[i]))
			return true;
	return false;
}

/* A section for each case that is so; none where there is no such case. */
static void section(const struct run_result *result, const char *title,
	bool (*is)(const struct case_result *one),
	void (*print)(const struct case_result *one, size_t index, FILE *out), FILE *out)
{
	if (!has(result, is))
		return;
	page_text("h2", title, out);
	for (size_t i = 0; i < result->case_count; i++)
		if (is(&result->cases[i]))
			print(&result->cases[i], i, out);
}

static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	head(result, out);
	if (result->problem_count)
		page_text("h2", "The run as a whole", out);
	for (size_t i = 0; i < result->problem_count; i++)
		problem(&result->problems[i], out);
	section(result, "Broken", is_broken, broken, out);
	section(result, "Measured", is_measured, measured, out);
	if (has(result, is_skipped)) {
		page_text("h2", "Skipped", out);
		skips(result, out);
	}
	if (result->case_count) {
		page_text("h2", "All cases", out);
		cases(result, out);
	}
	page_end(out);
}

const struct report report_html = {
	.name = "html",
	.help = "a page with verdicts, charts and tables, in one file that loads nothing",
	.file = "report.html",
	.end = end,
};
