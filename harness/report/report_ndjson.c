/* A line of JSON a case as soon as it is known, then one for the run: the same members as in report_json.c. */
#include "report/fields.h"
#include "report/report.h"

static void on_case(const struct run_result *result, const struct case_result *one,
	const struct report_style *style, FILE *out)
{
	(void)result;
	(void)style;
	fputs("{\"type\": \"case\"", out);
	fields_write(&form_case, one, FIELDS_ONE_LINE, true, out);
	fputs("}\n", out);
	fflush(out);
}

/* The cases had their lines; the run's own members and problems are left to tell. */
static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	struct run_result run = *result;
	run.case_count = 0;
	fputs("{\"type\": \"run\", \"schema\": \"" FIELDS_SCHEMA "\"", out);
	fields_write(&form_run, &run, FIELDS_ONE_LINE, true, out);
	fields_write_derived(result, FIELDS_ONE_LINE, out);
	fputs("}\n", out);
}

const struct report report_ndjson = {
	.name = "ndjson",
	.help = "a line of JSON a case as soon as it is known, then one for the run",
	.on_case = on_case,
	.end = end,
};
