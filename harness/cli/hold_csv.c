/* The rounds, and the seconds behind the last, one a line, as RFC 4180 has it: for spreadsheets and plots. */
#include "cli/hold_report.h"

static void known(int64_t value, FILE *out)
{
	fputc(',', out);
	if (value != COST_ABSENT)
		fprintf(out, "%lld", (long long)value);
}

void hold_csv_print(const struct hold_found *found, bool color, FILE *out)
{
	(void)color;
	fputs("at_ns,round,opened,open,heard,bytes,onus_bytes,sut_bytes,sut_descriptors,cap_bytes,"
	      "kernel_bytes,buffer_bytes\r\n",
		out);
	for (size_t i = 0; i < found->point_count; i++) {
		const struct hold_point *point = &found->points[i];
		const struct hold_counts *c = &point->counts;
		fprintf(out, "%lld", (long long)point->at_ns);
		known(point->round ? (int64_t)point->round : COST_ABSENT, out);
		fprintf(out, ",%zu,%zu,%zu,%llu", c->opened, c->open, c->heard,
			(unsigned long long)c->bytes);
		known(point->own_bytes, out);
		known(point->sut_bytes, out);
		known(point->descriptors, out);
		known(point->cap_bytes, out);
		known(point->kernel_bytes, out);
		known(point->buffer_bytes, out);
		fputs("\r\n", out);
	}
}
