#include "stats/hlog.h"

#include <string.h>
#include <time.h>

#include "stats/encoding.h"

/* The end of the year 9999: what a date has four digits for. */
static const double last_date_s = 253402300799;

static void write_comment(FILE *file, const char *comment)
{
	fputs("# ", file);
	for (; *comment; comment++)
		if (*comment != '\n')
			putc((unsigned char)*comment < ' ' ? ' ' : *comment, file);
		else if (comment[1])
			fputs("\n# ", file);
	putc('\n', file);
}

void hlog_begin(FILE *file, double start_s, size_t lines, const char *comment)
{
	char date[64] = "";
	struct tm tm;
	time_t seconds = start_s >= 0 && start_s <= last_date_s ? (time_t)start_s : 0;
	if (gmtime_r(&seconds, &tm))
		strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &tm);
	fputs("#[Histogram log format version 1.3]\n", file);
	if (comment)
		write_comment(file, comment);
	if (lines)
		fprintf(file, "#[Histograms: %zu]\n", lines);
	fprintf(file, "#[StartTime: %.3f (seconds since epoch), %s]\n", start_s, date);
	fprintf(file, "#[BaseTime: %.3f (seconds since epoch)]\n", start_s);
	fputs("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
	      "\"Interval_Compressed_Histogram\"\n",
		file);
}

/* Readers split lines at commas, and some at blanks. */
static void write_tag(FILE *file, const char *tag)
{
	fputs("Tag=", file);
	for (size_t i = 0; i < HLOG_MAX_TAG_BYTES && tag[i]; i++)
		putc((unsigned char)tag[i] <= ' ' || tag[i] == ',' || tag[i] == 0x7f ? '_' : tag[i],
			file);
	putc(',', file);
}

void hlog_write(
	FILE *file, const char *tag, double start_s, double length_s, const struct hist *hist)
{
	struct buf text;
	buf_init(&text, ENCODING_MAX_TEXT_BYTES);
	encoding_write(&text, hist);
	if (tag && *tag)
		write_tag(file, tag);
	/* Other writers give the maximum three digits behind the point; six tell it to the ns. */
	fprintf(file, "%.3f,%.3f,%.6f,", start_s, length_s, (double)hist_max(hist) / 1e6);
	fwrite(text.data, 1, text.len, file);
	putc('\n', file);
	buf_release(&text);
}
