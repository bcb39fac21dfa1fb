/*
 * Annotations of GitHub Actions: workflow commands on standard output, which the runner turns into notes beside the
 * lines of the case file. It shows ten errors a step, so a case has one for each line that broke and not for each cell.
 */
#include <stdlib.h>
#include <string.h>

#include "report/escape.h"
#include "report/report.h"
#include "report/text.h"

enum { PLACES_MOST = 8 };

static void command(const char *name, const struct place *place, FILE *out)
{
	fprintf(out, "::%s ", name);
	if (place && place->file && place->file[0]) {
		fputs("file=", out);
		escape_property(out, place->file);
		if (place->line)
			fprintf(out, ",line=%d,col=%d", place->line, place->col);
		fputc(',', out);
	}
	fputs("title=", out);
}

static void finding(const struct case_result *one, const struct finding *f, FILE *out)
{
	const char *details = f->details && f->details[0] ? f->details : f->cell;
	struct text text;
	command("error", &f->place, out);
	escape_property(out, one->id);
	fputs("::", out);
	text_open(&text);
	text_finding_line(f, text.out);
	fputc('\n', text.out);
	escape_line(text.out, f->request);
	if (details && details[0]) {
		fputs("   ", text.out);
		escape_line(text.out, details);
	}
	if (f->again) {
		fputs("\nagain   ", text.out);
		escape_line(text.out, f->again);
	}
	text_close(&text);
	escape_message(out, text.bytes);
	fputc('\n', out);
	free(text.bytes);
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->col == b->col &&
	       !strcmp(a->file ? a->file : "", b->file ? b->file : "");
}

static void findings(const struct case_result *one, FILE *out)
{
	const struct finding *said[PLACES_MOST];
	size_t count = 0;
	for (size_t i = 0; i < one->finding_count && count < PLACES_MOST; i++) {
		size_t at = 0;
		while (at < count && !same_place(&said[at]->place, &one->findings[i].place))
			at++;
		if (at < count)
			continue;
		said[count++] = &one->findings[i];
		finding(one, &one->findings[i], out);
	}
}

/* file stands in where the problem has no place of its own. */
static void problem(const char *title, const char *file, const struct problem *one, FILE *out)
{
	struct place place = one->place.file ? one->place : (struct place){ .file = file };
	command("error", &place, out);
	escape_property(out, title);
	fprintf(out, "::%s: ", problem_word(one->kind));
	escape_message(out, one->text);
	fputc('\n', out);
}

static void skip(const struct case_result *one, FILE *out)
{
	struct place place = { .file = one->file };
	command("notice", &place, out);
	fputs("skipped ", out);
	escape_property(out, one->id);
	fputs("::", out);
	escape_message(out, one->skip_reason);
	fputc('\n', out);
}

static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	for (size_t i = 0; i < result->problem_count; i++)
		problem("onus", NULL, &result->problems[i], out);
	for (size_t i = 0; i < result->case_count; i++) {
		const struct case_result *one = &result->cases[i];
		for (size_t k = 0; k < one->problem_count; k++)
			problem(one->id, one->file, &one->problems[k], out);
		findings(one, out);
		if (one->outcome == OUTCOME_SKIPPED)
			skip(one, out);
	}
	command("notice", NULL, out);
	fputs("onus::", out);
	text_totals(result, out);
	fputc('\n', out);
}

const struct report report_github = {
	.name = "github",
	.help = "annotations of GitHub Actions beside the lines of the case files",
	.end = end,
};
