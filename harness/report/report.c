#include "report/report.h"

#include <string.h>

static const struct report *const reports[] = {
	&report_console,
	&report_tap,
	&report_junit,
	&report_json,
	&report_ndjson,
	&report_markdown,
	&report_github,
	&report_html,
	NULL,
};

const struct report *report_at(size_t index)
{
	for (size_t i = 0; reports[i]; i++) {
		if (i == index)
			return reports[i];
	}
	return NULL;
}

const struct report *report_find(const char *name)
{
	for (size_t i = 0; reports[i]; i++) {
		if (!strcmp(reports[i]->name, name))
			return reports[i];
	}
	return NULL;
}

void report_print(const struct report *report, const struct run_result *result,
	const struct report_style *style, FILE *out)
{
	struct run_result so_far = *result;
	so_far.case_count = 0;
	if (report->begin)
		report->begin(&so_far, style, out);
	for (size_t i = 0; report->on_case && i < result->case_count; i++) {
		so_far.case_count = i + 1;
		report->on_case(&so_far, &result->cases[i], style, out);
	}
	if (report->end)
		report->end(result, style, out);
}
