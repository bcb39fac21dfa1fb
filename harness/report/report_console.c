/* For people at a terminal: a line a case, and what is needed to act on a failure below its line. */
#include <string.h>

#include "report/escape.h"
#include "report/report.h"
#include "report/text.h"

enum {
	ID_LEAST = 32, /* columns of the id where all ids are shorter */
	ID_MOST = 60,  /* a longer one pushes its own line out, not all of them */
	FINDINGS_MOST = 10,
};

static const char indent[] = "        ";

/* SGR sequences of ECMA-48; also the words, which are part of the look. */
static const struct {
	const char *word, *color;
} looks[] = {
	[OUTCOME_PASSED] = { "ok", "\x1b[32m" },
	[OUTCOME_FAILED] = { "FAIL", "\x1b[1;31m" },
	[OUTCOME_SKIPPED] = { "skip", "\x1b[33m" },
	[OUTCOME_ERROR] = { "ERROR", "\x1b[1;35m" },
};

static void word(enum outcome outcome, int width, const struct report_style *style, FILE *out)
{
	fprintf(out, "  %s%s%s%*s", style->color ? looks[outcome].color : "", looks[outcome].word,
		style->color ? "\x1b[0m" : "", width - (int)strlen(looks[outcome].word), "");
}

static void spaces(size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++)
		fputc(' ', out);
}

static size_t id_columns(const struct run_result *result)
{
	size_t width = result->id_width;
	if (width > ID_MOST)
		width = ID_MOST;
	return width > ID_LEAST ? width : ID_LEAST;
}

static void begin(const struct run_result *result, const struct report_style *style, FILE *out)
{
	text_header(result, out);
	fputc('\n', out);
	if (!style->verbose)
		return;
	if (result->libraries) {
		fputs("  libraries   ", out);
		escape_line(out, result->libraries);
		fputc('\n', out);
	}
	if (result->command) {
		fputs("  command     ", out);
		escape_line(out, result->command);
		fputc('\n', out);
	}
	if (result->run_dir) {
		fputs("  run dir     ", out);
		escape_line(out, result->run_dir);
		fputc('\n', out);
	}
}

/* A SUT that died is told of by its own last words; otherwise they are noise. */
static bool wants_output(const struct case_result *one)
{
	for (size_t i = 0; i < one->finding_count; i++) {
		if (one->findings[i].request && !strcmp(one->findings[i].request, "SUT"))
			return true;
	}
	return one->outcome == OUTCOME_ERROR;
}

static void numbers(const struct case_result *one, FILE *out)
{
	fprintf(out, "%5zu %-5s%5zu %-6s", one->cells, one->cells == 1 ? "cell" : "cells",
		one->checks, one->checks == 1 ? "check" : "checks");
	text_duration(one->duration_ns, 9, out);
}

/* Which step it is of stands above the first of them. */
static void figure_line(const struct case_result *one, size_t index, FILE *out)
{
	const struct figure *figure = &one->figures[index], *before = index ? figure - 1 : NULL;
	if (!before || strcmp(before->step, figure->step) != 0 ||
		strcmp(before->cell, figure->cell) != 0) {
		fputs(indent, out);
		escape_line(out, figure->step);
		fputs(figure->cell[0] ? "   " : "", out);
		escape_line(out, figure->cell);
		fputc('\n', out);
	}
	fprintf(out, "%s  %-22s ", indent, figure->name);
	text_figure(figure, out);
	if (figure->note) {
		fputs("   ", out);
		escape_line(out, figure->note);
	}
	fputc('\n', out);
}

static void verbose_lines(const struct case_result *one, FILE *out)
{
	if (one->title && one->title[0]) {
		fputs(indent, out);
		escape_line(out, one->title);
		fputc('\n', out);
	}
	if (one->run_dir) {
		fprintf(out, "%s%-11s", indent, "run dir");
		escape_line(out, one->run_dir);
		fputc('\n', out);
	}
	for (size_t i = 0; i < one->figure_count; i++)
		figure_line(one, i, out);
}

static void on_case(const struct run_result *result, const struct case_result *one,
	const struct report_style *style, FILE *out)
{
	word(one->outcome, 6, style, out);
	size_t columns = escape_line(out, one->id);
	size_t wanted = id_columns(result);
	bool has_numbers = one->cells || one->checks; /* a case that never began has none */
	if (one->outcome == OUTCOME_SKIPPED || has_numbers)
		spaces(columns < wanted ? wanted - columns : 0, out);
	if (one->outcome == OUTCOME_SKIPPED) {
		fputs("    ", out);
		escape_line(out, one->skip_reason);
	} else if (has_numbers) {
		numbers(one, out);
	}
	fputc('\n', out);
	struct text_wish wish = {
		.indent = indent,
		.most = style->verbose ? SIZE_MAX : FINDINGS_MOST,
		.output = style->verbose || wants_output(one),
	};
	if (style->verbose)
		verbose_lines(one, out);
	text_case(one, &wish, out);
	fflush(out);
}

static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	for (size_t i = 0; i < result->problem_count; i++) {
		word(OUTCOME_ERROR, 6, style, out);
		text_problem_line(&result->problems[i], out);
		fputc('\n', out);
	}
	if (style->color)
		fputs(looks[result_exit(result) ? OUTCOME_FAILED : OUTCOME_PASSED].color, out);
	text_totals(result, out);
	fputs(style->color ? "\x1b[0m\n" : "\n", out);
}

const struct report report_console = {
	.name = "console",
	.help = "a line a case, and below a failure what was expected, what was found and how to run it again",
	.begin = begin,
	.on_case = on_case,
	.end = end,
};
