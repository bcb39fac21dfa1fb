#include "report/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "report/escape.h"

void text_open(struct text *text)
{
	*text = (struct text){ 0 };
	text->out = open_memstream(&text->bytes, &text->size);
	if (!text->out)
		BUG("no memory for a stream");
}

void text_close(struct text *text)
{
	if (fclose(text->out) != 0 || !text->bytes)
		BUG("no memory for a stream");
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

void text_header(const struct run_result *result, FILE *out)
{
	size_t cases = result->planned > result->case_count ? result->planned : result->case_count;
	fputs("onus ", out);
	escape_line(out, result->version);
	fputs(" · libcurl ", out);
	escape_line(out, result->libcurl);
	fprintf(out, " · seed 0x%" PRIx64 " · %zu case%s", result->seed, cases, plural(cases));
	if (result->fault) {
		fputs(" · fault ", out);
		escape_line(out, result->fault);
	}
}

void text_totals(const struct run_result *result, FILE *out)
{
	struct totals totals = result_totals(result);
	int64_t tenths = (result->duration_ns + NS_PER_S / 20) / (NS_PER_S / 10);
	fprintf(out, "%zu passed", totals.passed);
	if (totals.failed)
		fprintf(out, " · %zu failed", totals.failed);
	if (totals.errors)
		fprintf(out, " · %zu error%s", totals.errors, plural(totals.errors));
	if (totals.skipped)
		fprintf(out, " · %zu skipped", totals.skipped);
	if (result->planned > result->case_count)
		fprintf(out, " · %zu not run", result->planned - result->case_count);
	fprintf(out, " · %zu check%s · %" PRId64 ".%" PRId64 " s", totals.checks,
		plural(totals.checks), tenths / 10, tenths % 10);
}

void text_duration(int64_t ns, int width, FILE *out)
{
	char number[32];
	int64_t ms = (ns + NS_PER_MS / 2) / NS_PER_MS;
	if (ms < 10000)
		snprintf(number, sizeof number, "%" PRId64 " ms", ms);
	else
		snprintf(number, sizeof number, "%" PRId64 ".%" PRId64 " s", ms / 1000,
			ms % 1000 / 100);
	fprintf(out, "%*s", width, number);
}

void text_place(const struct place *place, FILE *out)
{
	escape_line(out, place->file);
	if (place->line)
		fprintf(out, ":%d:%d", place->line, place->col);
}

void text_finding_line(const struct finding *finding, FILE *out)
{
	escape_line(out, finding->what);
	fputs(": expected ", out);
	escape_line(out, finding->expected);
	fputs(", found ", out);
	escape_line(out, finding->found);
}

void text_figure(const struct figure *figure, FILE *out)
{
	char text[64];
	struct quantity quantity;
	bool negative = figure->value[0] == '-';
	if (quantity_parse(figure->value + negative, &quantity, NULL) == RC_OK) {
		quantity_print(quantity, text, sizeof text);
		fprintf(out, "%s%s", negative ? "-" : "", text);
	} else {
		escape_line(out, figure->value);
	}
}

void text_problem_line(const struct problem *problem, FILE *out)
{
	fprintf(out, "%s: ", problem_word(problem->kind));
	escape_line(out, problem->text);
}

void text_case_line(const struct case_result *one, FILE *out)
{
	if (one->problem_count)
		text_problem_line(&one->problems[0], out);
	else if (one->finding_count)
		text_finding_line(&one->findings[0], out);
	else
		escape_line(out, one->skip_reason);
}

struct place text_case_place(const struct case_result *one)
{
	for (size_t i = 0; i < one->problem_count; i++) {
		if (one->problems[i].place.line)
			return one->problems[i].place;
	}
	if (one->finding_count)
		return one->findings[0].place;
	return (struct place){ .file = one->file };
}

static bool is_said(const char *text)
{
	return text && text[0];
}

/*
 * The bar before a line that is not ours keeps it from being read as one of ours, or as a command: GitHub takes `::error`
 * behind any white space.
 */
static const char bar[] = "| ";

/* A value of several lines goes on below its first one. */
static void labelled(const char *indent, const char *label, const char *value, FILE *out)
{
	int width = (int)strlen(label) + 3;
	struct text below;
	text_open(&below);
	fprintf(below.out, "%s%*s%s", indent, width - (int)strlen(bar), "", bar);
	text_close(&below);
	fprintf(out, "%s%s   ", indent, label);
	escape_block(out, value, below.bytes);
	fputc('\n', out);
	free(below.bytes);
}

static void finding_lines(const struct finding *finding, const char *indent, FILE *out)
{
	/* The details tell a request from its siblings; where there are none, the cell does. */
	const char *details = is_said(finding->details) ? finding->details : finding->cell;
	fputs(indent, out);
	text_place(&finding->place, out);
	fputs("   ", out);
	escape_line(out, finding->request);
	if (is_said(details)) {
		fputs("   ", out);
		escape_line(out, details);
	}
	fprintf(out, "\n%s", indent);
	escape_line(out, finding->what);
	fputc('\n', out);
	labelled(indent, "  expected", finding->expected, out);
	labelled(indent, "  found   ", finding->found, out);
	if (finding->exchange)
		labelled(indent, "exchange", finding->exchange, out);
	if (finding->again)
		labelled(indent, "again   ", finding->again, out);
}

/* Text of several lines, each behind a bar but for the first where it goes on with ours. */
static void barred(const char *text, const char *indent, bool from_first, FILE *out)
{
	struct text below;
	text_open(&below);
	fprintf(below.out, "%s%s", indent, bar);
	text_close(&below);
	if (from_first)
		fputs(below.bytes, out);
	escape_block(out, text, below.bytes);
	fputc('\n', out);
	free(below.bytes);
}

static void problem_lines(const struct problem *problem, const char *indent, FILE *out)
{
	fputs(indent, out);
	text_place(&problem->place, out);
	fprintf(out, "%s%s: ", is_said(problem->place.file) ? "   " : "",
		problem_word(problem->kind));
	barred(problem->text, indent, false, out);
}

static void output_lines(const char *output, const char *indent, FILE *out)
{
	char *lines = mem_text(output);
	for (size_t length = strlen(lines); length && lines[length - 1] == '\n'; length--)
		lines[length - 1] = '\0';
	fprintf(out, "%soutput\n", indent);
	barred(lines, indent, true, out);
	free(lines);
}

void text_case(const struct case_result *one, const struct text_wish *wish, FILE *out)
{
	size_t most = one->finding_count < wish->most ? one->finding_count : wish->most;
	for (size_t i = 0; i < one->problem_count; i++)
		problem_lines(&one->problems[i], wish->indent, out);
	for (size_t i = 0; i < most; i++)
		finding_lines(&one->findings[i], wish->indent, out);
	if (most < one->finding_count)
		fprintf(out, "%sand %zu more finding%s\n", wish->indent, one->finding_count - most,
			plural(one->finding_count - most));
	if (wish->output && is_said(one->output))
		output_lines(one->output, wish->indent, out);
}
