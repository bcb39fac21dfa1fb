/*
 * A job summary in GitHub's Markdown, which GitLab renders too. Failures stand open, passed cases folded. Their text is
 * in <pre>, an HTML block of its own up to </pre>, so that it is escaped as HTML and not as Markdown.
 */
#include <stdlib.h>

#include "report/escape.h"
#include "report/report.h"
#include "report/text.h"

/* GitHub drops a summary of more than 1 MiB as a whole. */
enum { FINDINGS_MOST = 10, DETAILS_MOST = 50 };

static const char *const words[] = {
	[OUTCOME_PASSED] = "ok",
	[OUTCOME_FAILED] = "**FAIL**",
	[OUTCOME_SKIPPED] = "skip",
	[OUTCOME_ERROR] = "**ERROR**",
};

static void row(const struct case_result *one, FILE *out)
{
	fprintf(out, "| %s | ", words[one->outcome]);
	escape_markdown(out, one->id);
	if (one->outcome == OUTCOME_SKIPPED) {
		fputs(": ", out);
		escape_markdown(out, one->skip_reason);
	}
	fprintf(out, " | %zu | %zu | ", one->cells, one->checks);
	text_duration(one->duration_ns, 0, out);
	fputs(" |\n", out);
}

static void table(const struct run_result *result, bool passed, FILE *out)
{
	fputs("\n| | case | cells | checks | time |\n| --- | --- | --: | --: | --: |\n", out);
	for (size_t i = 0; i < result->case_count; i++) {
		if ((result->cases[i].outcome == OUTCOME_PASSED) == passed)
			row(&result->cases[i], out);
	}
}

static void details(const struct case_result *one, FILE *out)
{
	struct text text;
	struct text_wish wish = { .indent = "", .most = FINDINGS_MOST, .output = true };
	text_open(&text);
	fputs(one->id, text.out);
	fputs(": ", text.out);
	text_case_line(one, text.out);
	text_close(&text);
	fputs("\n<details open><summary>", out);
	escape_xml(out, text.bytes);
	fputs("</summary>\n\n<pre>\n", out);
	free(text.bytes);
	text_open(&text);
	text_case(one, &wish, text.out);
	text_close(&text);
	escape_xml(out, text.bytes);
	fputs("</pre>\n\n</details>\n", out);
	free(text.bytes);
}

static void failures(const struct run_result *result, FILE *out)
{
	size_t count = 0;
	for (size_t i = 0; i < result->case_count; i++) {
		enum outcome outcome = result->cases[i].outcome;
		if (outcome != OUTCOME_FAILED && outcome != OUTCOME_ERROR)
			continue;
		if (++count <= DETAILS_MOST)
			details(&result->cases[i], out);
	}
	if (count > DETAILS_MOST)
		fprintf(out, "\nand %zu more that failed\n", count - DETAILS_MOST);
}

static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	struct totals totals = result_totals(result);
	fputs("### onus: ", out);
	text_totals(result, out);
	fputs("\n", out);
	for (size_t i = 0; i < result->problem_count; i++) {
		fprintf(out, "\n**ERROR** %s: ", problem_word(result->problems[i].kind));
		escape_markdown(out, result->problems[i].text);
		fputc('\n', out);
	}
	if (totals.passed < result->case_count)
		table(result, false, out);
	failures(result, out);
	if (totals.passed) {
		fprintf(out, "\n<details><summary>%zu passed</summary>\n", totals.passed);
		table(result, true, out);
		fputs("\n</details>\n", out);
	}
}

const struct report report_markdown = {
	.name = "markdown",
	.help = "a job summary for GitHub ($GITHUB_STEP_SUMMARY) and GitLab",
	.file = "summary.md",
	.end = end,
};
