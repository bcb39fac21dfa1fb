/*
 * The seconds of a load, one a line, as RFC 4180 has it, for spreadsheets and plots: a header, lines that end in CR LF. No
 * value needs quotes. Names of columns end in the unit of what they hold; what was not seen is empty.
 */
#include "cli/load_report.h"

#define LINE_END "\r\n"

static const char head[] =
	"arm,start_s,measured,sent,answered,failed,wire_bytes,connections,connections_opened,in_flight,"
	"p50_ns,p99_ns,first_byte_mean_ns,sut_cpu_percent,sut_memory_bytes" LINE_END;

static void time_cell(int64_t ns, FILE *out)
{
	fputc(',', out);
	if (ns > 0)
		fprintf(out, "%lld", (long long)ns);
}

static void line(const struct load_arm_found *one, const struct load_second *s, FILE *out)
{
	fprintf(out, "%s,%lld,%d,%llu,%llu,%llu,%llu,%llu,%llu,%llu", one->arm->name,
		(long long)s->at_s, s->measured, (unsigned long long)s->sent,
		(unsigned long long)s->answered, (unsigned long long)s->failed,
		(unsigned long long)s->wire_bytes, (unsigned long long)s->connections,
		(unsigned long long)s->connections_opened, (unsigned long long)s->in_flight);
	time_cell(s->p50_ns, out);
	time_cell(s->p99_ns, out);
	time_cell(s->first_byte_mean_ns, out);
	if (s->sut_memory_bytes)
		fprintf(out, ",%.2f,%lld", s->sut_cpu_percent, (long long)s->sut_memory_bytes);
	else
		fputs(",,", out);
	fputs(LINE_END, out);
}

static void print(const struct load_found *found, bool color, FILE *out)
{
	(void)color;
	fputs(head, out);
	for (size_t i = 0; i < found->arm_count; i++) {
		const struct load_arm_found *one = &found->arms[i];
		for (size_t k = 0; k < one->result->second_count; k++)
			line(one, &one->result->seconds[k], out);
	}
}

const struct load_report load_csv = {
	.name = "csv",
	.help = "the seconds, one a line; what was not seen is empty",
	.print = print,
};
