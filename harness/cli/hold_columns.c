#include "cli/hold_columns.h"

enum { KIB = 1024 };

void hold_columns_head(FILE *out)
{
	fputs("#    time  round   opened     open   failed          bytes  onus_KiB   sut_KiB   cap_KiB  sut_fds\n",
		out);
}

static void number(int64_t value, int64_t unit, int width, FILE *out)
{
	if (value == COST_ABSENT)
		fprintf(out, " %*s", width, "-");
	else
		fprintf(out, " %*lld", width, (long long)(value / unit));
}

void hold_columns_line(const struct hold_point *point, FILE *out)
{
	const struct hold_counts *c = &point->counts;
	fprintf(out, "%9.1f", (double)point->at_ns / (double)NS_PER_S);
	number(point->round ? (int64_t)point->round : COST_ABSENT, 1, 6, out);
	fprintf(out, " %8zu %8zu %8zu %14llu", c->opened, c->open, c->opened - c->open - c->late,
		(unsigned long long)c->bytes);
	number(point->own_bytes, KIB, 9, out);
	number(point->sut_bytes, KIB, 9, out);
	number(point->cap_bytes, KIB, 9, out);
	number(point->descriptors, 1, 8, out);
	fputc('\n', out);
}
