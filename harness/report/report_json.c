/* One document with everything, for programs, and for `onus report` to render again. */
#include "report/fields.h"
#include "report/report.h"

static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	fputs("{\n  \"schema\": \"" FIELDS_SCHEMA "\"", out);
	fields_write(&form_run, result, 2, true, out);
	fields_write_derived(result, 2, out);
	fputs("\n}\n", out);
}

const struct report report_json = {
	.name = "json",
	.help = "one JSON document with everything, schema " FIELDS_SCHEMA,
	.file = "result.json",
	.end = end,
};
