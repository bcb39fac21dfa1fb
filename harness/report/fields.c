#include "report/fields.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "report/escape.h"

#define ROW(type, member, kind)                                                                    \
	{                                                                                          \
#member, kind, offsetof(struct type, member), 0, NULL                              \
	}
#define OBJECT(type, member, form)                                                                 \
	{                                                                                          \
#member, FIELD_OBJECT, offsetof(struct type, member), 0, form                      \
	}
#define LIST(type, member, number, form)                                                           \
	{                                                                                          \
#member, FIELD_LIST, offsetof(struct type, member), offsetof(struct type, number), \
			form                                                                       \
	}
#define END                                                                                        \
	{                                                                                          \
		NULL, FIELD_TEXT, 0, 0, NULL                                                       \
	}

static const struct field place_fields[] = {
	ROW(place, file, FIELD_TEXT_OR_NULL),
	ROW(place, line, FIELD_LINE),
	ROW(place, col, FIELD_LINE),
	ROW(place, pointer, FIELD_TEXT_OR_NULL),
	END,
};

static const struct form form_place = { sizeof(struct place), place_fields, NULL };

static const struct field finding_fields[] = {
	OBJECT(finding, place, &form_place),
	ROW(finding, request, FIELD_TEXT),
	ROW(finding, details, FIELD_TEXT),
	ROW(finding, what, FIELD_TEXT),
	ROW(finding, expected, FIELD_TEXT),
	ROW(finding, found, FIELD_TEXT),
	ROW(finding, cell, FIELD_TEXT),
	ROW(finding, exchange, FIELD_TEXT_OR_NULL),
	ROW(finding, again, FIELD_TEXT_OR_NULL),
	END,
};

static const struct form form_finding = { sizeof(struct finding), finding_fields, NULL };

static const struct field problem_fields[] = {
	ROW(problem, kind, FIELD_PROBLEM),
	OBJECT(problem, place, &form_place),
	ROW(problem, text, FIELD_TEXT),
	END,
};

static const struct form form_problem = { sizeof(struct problem), problem_fields, NULL };

static const struct field figure_fields[] = {
	ROW(figure, step, FIELD_TEXT),
	ROW(figure, cell, FIELD_TEXT),
	ROW(figure, name, FIELD_TEXT),
	ROW(figure, value, FIELD_TEXT),
	ROW(figure, note, FIELD_TEXT_OR_NULL),
	END,
};

static const struct form form_figure = { sizeof(struct figure), figure_fields, NULL };

static const struct field axis_fields[] = {
	ROW(chart_axis, title, FIELD_TEXT),
	ROW(chart_axis, unit, FIELD_UNIT),
	ROW(chart_axis, scale, FIELD_SCALE),
	END,
};

static const struct form form_axis = { sizeof(struct chart_axis), axis_fields, NULL };

static const struct field series_fields[] = {
	ROW(chart_series, name, FIELD_TEXT),
	{ "points", FIELD_POINTS, offsetof(struct chart_series, points),
		offsetof(struct chart_series, count), NULL },
	END,
};

static const struct form form_series = { sizeof(struct chart_series), series_fields, NULL };

static const struct field panel_fields[] = {
	OBJECT(chart_panel, y, &form_axis),
	LIST(chart_panel, series, series_count, &form_series),
	END,
};

static const struct form form_panel = { sizeof(struct chart_panel), panel_fields, NULL };

static const struct field mark_fields[] = {
	ROW(chart_mark, x, FIELD_NUMBER),
	ROW(chart_mark, text, FIELD_TEXT),
	END,
};

static const struct form form_mark = { sizeof(struct chart_mark), mark_fields, NULL };

static const struct field chart_fields[] = {
	ROW(chart, step, FIELD_TEXT),
	ROW(chart, cell, FIELD_TEXT),
	ROW(chart, title, FIELD_TEXT),
	ROW(chart, description, FIELD_TEXT),
	OBJECT(chart, x, &form_axis),
	LIST(chart, panels, panel_count, &form_panel),
	LIST(chart, marks, mark_count, &form_mark),
	END,
};

static const struct form form_chart = { sizeof(struct chart), chart_fields, NULL };

static const struct field case_fields[] = {
	ROW(case_result, id, FIELD_TEXT),
	ROW(case_result, file, FIELD_TEXT),
	ROW(case_result, title, FIELD_TEXT_OR_NULL),
	ROW(case_result, why, FIELD_TEXT_OR_NULL),
	ROW(case_result, outcome, FIELD_OUTCOME),
	ROW(case_result, cells, FIELD_COUNT),
	ROW(case_result, checks, FIELD_COUNT),
	ROW(case_result, requests, FIELD_COUNT),
	ROW(case_result, duration_ns, FIELD_NS),
	LIST(case_result, findings, finding_count, &form_finding),
	LIST(case_result, problems, problem_count, &form_problem),
	{ "figures", FIELD_LIST_OR_NONE, offsetof(struct case_result, figures),
		offsetof(struct case_result, figure_count), &form_figure },
	{ "charts", FIELD_LIST_OR_NONE, offsetof(struct case_result, charts),
		offsetof(struct case_result, chart_count), &form_chart },
	ROW(case_result, skip_reason, FIELD_TEXT_OR_NULL),
	ROW(case_result, output, FIELD_TEXT_OR_NULL),
	ROW(case_result, run_dir, FIELD_TEXT_OR_NULL),
	END,
};

const struct form form_case = { sizeof(struct case_result), case_fields, NULL };

static const struct field run_fields[] = {
	ROW(run_result, version, FIELD_TEXT),
	ROW(run_result, libraries, FIELD_TEXT_OR_NULL),
	ROW(run_result, libcurl, FIELD_TEXT_OR_NULL),
	ROW(run_result, started, FIELD_TEXT_OR_NULL),
	ROW(run_result, command, FIELD_TEXT_OR_NULL),
	ROW(run_result, fault, FIELD_TEXT_OR_NULL),
	ROW(run_result, run_dir, FIELD_TEXT_OR_NULL),
	ROW(run_result, seed, FIELD_SEED),
	ROW(run_result, duration_ns, FIELD_NS),
	ROW(run_result, planned, FIELD_COUNT),
	LIST(run_result, cases, case_count, &form_case),
	LIST(run_result, problems, problem_count, &form_problem),
	END,
};

static const char *const run_derived[] = { "schema", "totals", "exit", NULL };

const struct form form_run = { sizeof(struct run_result), run_fields, run_derived };

static void separate(int indent, bool follows, FILE *out)
{
	if (indent == FIELDS_ONE_LINE)
		fputs(follows ? ", " : "", out);
	else
		fprintf(out, "%s\n%*s", follows ? "," : "", indent, "");
}

static void write_text(const char *text, bool or_null, FILE *out)
{
	if (!text && or_null)
		fputs("null", out);
	else
		escape_json(out, text);
}

/* The fewest digits of two kinds that read back as the same double. */
static void write_number(double value, FILE *out)
{
	char text[32];
	snprintf(text, sizeof text, "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof text, "%.17g", value);
	fputs(text, out);
}

static void write_points(const struct chart_point *points, size_t count, FILE *out)
{
	fputc('[', out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ", [" : "[", out);
		write_number(points[i].x, out);
		fputs(", ", out);
		if (chart_holds(points[i].y))
			write_number(points[i].y, out);
		else
			fputs("null", out);
		fputc(']', out);
	}
	fputc(']', out);
}

static void write_list(
	const struct form *form, const uint8_t *items, size_t count, int indent, FILE *out)
{
	int inner = indent == FIELDS_ONE_LINE ? indent : indent + 2;
	fputc('[', out);
	for (size_t i = 0; i < count; i++) {
		separate(inner, i > 0, out);
		fputc('{', out);
		fields_write(form, items + i * form->size,
			inner == FIELDS_ONE_LINE ? inner : inner + 2, false, out);
		if (inner != FIELDS_ONE_LINE)
			separate(inner, false, out);
		fputc('}', out);
	}
	if (count && indent != FIELDS_ONE_LINE)
		separate(indent, false, out);
	fputc(']', out);
}

static void write_value(const struct field *field, const uint8_t *object, int indent, FILE *out)
{
	const void *at = object + field->offset;
	switch (field->kind) {
	case FIELD_TEXT: write_text(*(const char *const *)at, false, out); return;
	case FIELD_TEXT_OR_NULL: write_text(*(const char *const *)at, true, out); return;
	case FIELD_COUNT: fprintf(out, "%zu", *(const size_t *)at); return;
	case FIELD_NS: fprintf(out, "%" PRId64, *(const int64_t *)at); return;
	case FIELD_LINE: fprintf(out, "%d", *(const int *)at); return;
	case FIELD_SEED: fprintf(out, "\"0x%" PRIx64 "\"", *(const uint64_t *)at); return;
	case FIELD_NUMBER: write_number(*(const double *)at, out); return;
	case FIELD_UNIT: write_text(chart_unit_word(*(const enum unit *)at), false, out); return;
	case FIELD_SCALE:
		write_text(chart_scale_word(*(const enum chart_scale *)at), false, out);
		return;
	case FIELD_POINTS:
		write_points(*(struct chart_point *const *)at,
			*(const size_t *)(const void *)(object + field->count), out);
		return;
	case FIELD_OUTCOME: write_text(outcome_word(*(const enum outcome *)at), false, out); return;
	case FIELD_PROBLEM:
		write_text(problem_word(*(const enum problem_kind *)at), false, out);
		return;
	case FIELD_OBJECT:
		fputc('{', out);
		fields_write(field->of, at, FIELDS_ONE_LINE, false, out);
		fputc('}', out);
		return;
	case FIELD_LIST:
	case FIELD_LIST_OR_NONE:
		write_list(field->of, *(const uint8_t *const *)at,
			*(const size_t *)(const void *)(object + field->count), indent, out);
		return;
	}
}

void fields_write(const struct form *form, const void *object, int indent, bool follows, FILE *out)
{
	for (const struct field *field = form->fields; field->name; field++) {
		separate(indent, follows || field > form->fields, out);
		fprintf(out, "\"%s\": ", field->name);
		write_value(field, object, indent, out);
	}
}

void fields_write_derived(const struct run_result *result, int indent, FILE *out)
{
	struct totals t = result_totals(result);
	separate(indent, true, out);
	fprintf(out,
		"\"totals\": {\"passed\": %zu, \"failed\": %zu, \"skipped\": %zu, \"errors\": %zu, "
		"\"cells\": %zu, \"checks\": %zu, \"requests\": %zu}",
		t.passed, t.failed, t.skipped, t.errors, t.cells, t.checks, t.requests);
	separate(indent, true, out);
	fprintf(out, "\"exit\": %d", result_exit(result));
}
