#include "cli/load_columns.h"

#include <math.h>
#include <string.h>

enum { TEXT_BYTES = 32, BAR_MOST = 40, BAR_LEAST = 10, LINE_BYTES = 256 };

void load_columns_head(FILE *out)
{
	fputs("#    time  conns tot_conn    tot_req      tot_bytes     err   cps   rps   bps   ttfb\n",
		out);
}

/* Three digits, with a point where there is room. */
static void three_digits(double value, const char *unit, char *text, size_t size)
{
	int places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	snprintf(text, size, "%.*f%s", places, value, unit);
}

void load_columns_short(double value, char *text, size_t size)
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P", "E" };
	size_t unit = 0;
	if (value < 9999.5) {
		snprintf(text, size, "%.0f", value);
		return;
	}
	while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
		value /= 1000;
		unit++;
	}
	three_digits(value, units[unit], text, size);
}

void load_columns_time(int64_t ns, char *text, size_t size)
{
	double value = (double)ns;
	if (ns <= 0)
		snprintf(text, size, "-");
	else if (value < 999.5 * (double)NS_PER_US)
		three_digits(value / (double)NS_PER_US, "us", text, size);
	else if (value < 999.5 * (double)NS_PER_MS)
		three_digits(value / (double)NS_PER_MS, "ms", text, size);
	else
		three_digits(value / (double)NS_PER_S, "s", text, size);
}

void load_columns_line(struct load_columns *columns, const struct load_second *second, FILE *out)
{
	char cps[TEXT_BYTES], rps[TEXT_BYTES], bps[TEXT_BYTES], ttfb[TEXT_BYTES];
	columns->connections += second->connections_opened;
	columns->answered += second->answered;
	columns->bytes += second->wire_bytes;
	columns->failed += second->failed;
	if (!out)
		return;
	load_columns_short((double)second->connections_opened, cps, sizeof cps);
	load_columns_short((double)second->answered, rps, sizeof rps);
	load_columns_short(8.0 * (double)second->wire_bytes, bps, sizeof bps);
	load_columns_time(second->first_byte_mean_ns, ttfb, sizeof ttfb);
	fprintf(out, "%9lld %6llu %8llu %10llu %14llu %7llu %5s %5s %5s %6s\n",
		(long long)second->at_s + 1, (unsigned long long)second->connections,
		(unsigned long long)columns->connections, (unsigned long long)columns->answered,
		(unsigned long long)columns->bytes, (unsigned long long)columns->failed, cps, rps,
		bps, ttfb);
}

/* 0..1, or less than 0 where nothing is known. */
static double share_done(const struct load_columns *columns, const struct load_second *second,
	int64_t length_ns, uint64_t wanted)
{
	double by_time = -1, by_count = -1;
	if (length_ns != CLOCK_NEVER && length_ns > 0)
		by_time = second ? (double)(second->at_s + 1) * (double)NS_PER_S / (double)length_ns
				 : 0;
	if (wanted)
		by_count = (double)(columns->answered + columns->failed) / (double)wanted;
	return fmin(1, fmax(by_time, by_count));
}

static void print_left(
	const struct load_second *second, int64_t length_ns, double done, char *text, size_t size)
{
	double elapsed_s = second ? (double)(second->at_s + 1) : 0;
	double left_s = length_ns == CLOCK_NEVER ? (done > 0 ? elapsed_s / done - elapsed_s : -1)
						 : (double)length_ns / (double)NS_PER_S - elapsed_s;
	if (left_s < 0 && length_ns == CLOCK_NEVER)
		snprintf(text, size, "?");
	else if (left_s < 600)
		snprintf(text, size, "%.0f s left", ceil(fmax(0, left_s)));
	else
		snprintf(text, size, "%.0f min left", ceil(left_s / 60));
}

void load_columns_live(const struct load_columns *columns, const struct load_second *second,
	int64_t length_ns, uint64_t wanted, int width, FILE *out)
{
	static const struct load_second none;
	char line[LINE_BYTES], left[TEXT_BYTES], rps[TEXT_BYTES], p50[TEXT_BYTES], p99[TEXT_BYTES];
	double done = share_done(columns, second, length_ns, wanted);
	const struct load_second *now = second ? second : &none;
	print_left(second, length_ns, done, left, sizeof left);
	load_columns_short((double)now->answered, rps, sizeof rps);
	load_columns_time(now->p50_ns, p50, sizeof p50);
	load_columns_time(now->p99_ns, p99, sizeof p99);
	snprintf(line, sizeof line, "%12s  %5s/s  p50 %6s  p99 %6s  errors %llu", left, rps, p50,
		p99, (unsigned long long)columns->failed);
	int bar = width - (int)strlen(line) - 4;
	bar = bar > BAR_MOST ? BAR_MOST : bar;
	if (bar >= BAR_LEAST) {
		int full = done < 0 ? 0 : (int)(done * bar);
		fputc('[', out);
		for (int i = 0; i < bar; i++)
			fputc(i < full ? '#' : '.', out);
		fputs("] ", out);
	}
	fprintf(out, "%.*s", width > 0 ? width - 1 : 0, line);
}
