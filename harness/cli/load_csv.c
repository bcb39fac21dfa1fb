/* The seconds of a load, one a line (RFC 4180, but for its CR): for spreadsheets and plots. */
#include "cli/load_report.h"

static void line(const char *arm, const struct load_second *s, FILE *out)
{
	fprintf(out, "%s,%lld,%d,%llu,%llu,%llu,%llu,%llu,%llu,%llu,", arm, (long long)s->at_s,
		s->measured, (unsigned long long)s->sent, (unsigned long long)s->answered,
		(unsigned long long)s->failed, (unsigned long long)s->wire_bytes,
		(unsigned long long)s->connections, (unsigned long long)s->connections_opened,
		(unsigned long long)s->in_flight);
	const int64_t times[] = { s->p50_ns, s->p99_ns, s->first_byte_mean_ns };
	for (size_t i = 0; i < 3; i++) {
		if (times[i] > 0)
			fprintf(out, "%lld", (long long)times[i]);
		fputc(',', out);
	}
	if (s->sut_memory_bytes)
		fprintf(out, "%.2f,%lld\n", s->sut_cpu_percent, (long long)s->sut_memory_bytes);
	else
		fputs(",\n", out);
}

static void print(const struct load_found *found, bool color, FILE *out)
{
	(void)color;
	fputs("arm,second,measured,sent,answered,failed,wire_bytes,connections,connections_opened,"
	      "in_flight,p50_ns,p99_ns,first_byte_mean_ns,sut_cpu_percent,sut_memory_bytes\n",
		out);
	for (size_t i = 0; i < found->arm_count; i++) {
		const struct load_result *result = found->arms[i].result;
		for (size_t k = 0; k < result->second_count; k++)
			line(found->arms[i].arm->name, &result->seconds[k], out);
	}
}

const struct load_report load_csv = {
	.name = "csv",
	.help = "the seconds, one a line; a time without a sample is empty",
	.print = print,
	.print_hold = hold_csv_print,
};
