/*
 * TAP version 13 (Perl's prove refuses a 14), with diagnostics as YAML blocks. The plan comes last since a run may be
 * stopped. What is wrong with the run as a whole is a test point of its own: no reader counts a comment.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/text.h"

/* A `#` would start a directive, and a backslash escapes it. */
static void description(const char *text, FILE *out)
{
	struct text line;
	text_open(&line);
	escape_line(line.out, text);
	text_close(&line);
	for (const char *at = line.bytes; *at; at++) {
		if (*at == '#' || *at == '\\')
			fputc('\\', out);
		fputc(*at, out);
	}
	free(line.bytes);
}

static void pair(const char *key, const char *value, FILE *out)
{
	fputs(key, out);
	escape_json(out, value);
	fputc('\n', out);
}

static void place(const char *key, const struct place *at, FILE *out)
{
	struct text text;
	text_open(&text);
	text_place(at, text.out);
	text_close(&text);
	pair(key, text.bytes, out);
	free(text.bytes);
}

static void findings(const struct case_result *one, FILE *out)
{
	if (one->finding_count)
		fputs("  findings:\n", out);
	for (size_t i = 0; i < one->finding_count; i++) {
		const struct finding *f = &one->findings[i];
		place("    - at: ", &f->place, out);
		pair("      request: ", f->request, out);
		pair("      details: ", f->details, out);
		pair("      cell: ", f->cell, out);
		pair("      what: ", f->what, out);
		pair("      expected: ", f->expected, out);
		pair("      found: ", f->found, out);
		if (f->exchange)
			pair("      exchange: ", f->exchange, out);
		pair("      again: ", f->again, out);
	}
}

static void problems(const struct problem *list, size_t count, FILE *out)
{
	if (count)
		fputs("  problems:\n", out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "    - kind: %s\n", problem_word(list[i].kind));
		if (list[i].place.file)
			place("      at: ", &list[i].place, out);
		pair("      text: ", list[i].text, out);
	}
}

static void begin(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	fputs("TAP version 13\n# ", out);
	text_header(result, out);
	fputc('\n', out);
}

static void on_case(const struct run_result *result, const struct case_result *one,
	const struct report_style *style, FILE *out)
{
	(void)style;
	bool ok = one->outcome == OUTCOME_PASSED || one->outcome == OUTCOME_SKIPPED;
	size_t number = (size_t)(one - result->cases) + 1;
	fprintf(out, "%s %zu - ", ok ? "ok" : "not ok", number);
	description(one->id, out);
	if (one->outcome == OUTCOME_SKIPPED) {
		fputs(" # SKIP ", out);
		description(one->skip_reason, out);
	}
	fputc('\n', out);
	if (!ok) {
		fprintf(out, "  ---\n  severity: %s\n",
			one->outcome == OUTCOME_ERROR ? "error" : "fail");
		fprintf(out, "  duration_ms: %" PRId64 "\n", one->duration_ns / NS_PER_MS);
		problems(one->problems, one->problem_count, out);
		findings(one, out);
		if (one->output)
			pair("  output: ", one->output, out);
		fputs("  ...\n", out);
	}
	fflush(out);
}

static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	for (size_t i = 0; i < result->problem_count; i++) {
		fprintf(out, "not ok %zu - the run\n  ---\n  severity: error\n",
			result->case_count + i + 1);
		problems(&result->problems[i], 1, out);
		fputs("  ...\n", out);
	}
	fprintf(out, "1..%zu\n# ", result->case_count + result->problem_count);
	text_totals(result, out);
	fputc('\n', out);
}

const struct report report_tap = {
	.name = "tap",
	.help = "the Test Anything Protocol, version 13, with YAML diagnostics",
	.begin = begin,
	.on_case = on_case,
	.end = end,
};
