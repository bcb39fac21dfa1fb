#include "stats/hlog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "stats/encoding.h"

enum { FIELDS = 4, NUMBER_BYTES = 64 };

/* HdrHistogram's own criterion: a log without BaseTime whose times are a year before its StartTime counts from there. */
static const double year_s = 365 * 24 * 3600.0;

struct reader {
	void (*each)(void *to, const struct hlog_interval *interval);
	void *to;
	struct hist *hist;
	double start_s, base_s; /* NAN: not known yet */
	size_t line;            /* its number */
	double promised,
		seen; /* histograms, by the last head and behind it; NAN: it does not say */
	char tag[HLOG_MAX_TAG_BYTES + 1];
};

/* A decimal number: not what else strtod takes. */
static bool read_number(struct slice text, double *number)
{
	char copy[NUMBER_BYTES], *end;
	if (!text.len || text.len >= sizeof copy)
		return false;
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = 0;
	if (strspn(copy, "0123456789+-.eE") != text.len)
		return false;
	*number = strtod(copy, &end);
	return end == copy + text.len && isfinite(*number);
}

/* "#[StartTime: 1441812279.474 (seconds since epoch), ...": the number behind the prefix; others are left alone. */
static enum rc read_time(
	struct slice line, const char *prefix, const char *where, double *time_s, struct err *err)
{
	if (!slice_starts(line, prefix))
		return RC_OK;
	struct slice rest = slice_trim(slice_part(line, strlen(prefix), line.len));
	size_t end = 0;
	while (end < rest.len && rest.ptr[end] != ' ' && rest.ptr[end] != ']')
		end++;
	if (read_number(slice_part(rest, 0, end), time_s))
		return RC_OK;
	return err_set(err, RC_INVALID, where, "expected a number behind %s, found something else",
		prefix);
}

/* Logs may stand one behind another in a file: each with a head of its own. */
static enum rc check_whole(const struct reader *reader, const char *where, struct err *err)
{
	if (isnan(reader->promised) || reader->seen >= reader->promised)
		return RC_OK;
	return err_set(err, RC_INVALID, where,
		"expected %.0f histograms, as the head says, found %.0f: the log was cut",
		reader->promised, reader->seen);
}

static enum rc read_head(
	struct reader *reader, struct slice line, const char *where, struct err *err)
{
	static const char prefix[] = "#[Histograms:";
	if (!slice_starts(line, prefix))
		return RC_OK;
	enum rc rc = check_whole(reader, where, err);
	reader->seen = 0;
	return rc == RC_OK ? read_time(line, prefix, where, &reader->promised, err) : rc;
}

static enum rc read_comment(
	struct reader *reader, struct slice line, const char *where, struct err *err)
{
	enum rc rc = read_head(reader, line, where, err);
	if (rc != RC_OK)
		return rc;
	rc = read_time(line, "#[StartTime:", where, &reader->start_s, err);
	return rc == RC_OK ? read_time(line, "#[BaseTime:", where, &reader->base_s, err) : rc;
}

static enum rc read_tag(struct reader *reader, struct slice tag, const char *where, struct err *err)
{
	if (tag.len > HLOG_MAX_TAG_BYTES)
		return err_set(err, RC_LIMIT, where,
			"expected a tag of at most %d bytes, found %zu", HLOG_MAX_TAG_BYTES,
			tag.len);
	for (size_t i = 0; i < tag.len; i++)
		if (tag.ptr[i] < ' ' || tag.ptr[i] == 0x7f)
			return err_set(err, RC_INVALID, where,
				"expected a tag without control characters, found byte 0x%02x",
				tag.ptr[i]);
	memcpy(reader->tag, tag.ptr, tag.len);
	reader->tag[tag.len] = 0;
	return RC_OK;
}

static double time_of(struct reader *reader, double stamp_s)
{
	if (isnan(reader->base_s))
		reader->base_s = stamp_s < reader->start_s - year_s ? reader->start_s : 0;
	return reader->base_s + stamp_s;
}

static enum rc read_interval(
	struct reader *reader, struct slice line, const char *where, struct err *err)
{
	struct slice fields[FIELDS], field;
	size_t count = 0;
	double numbers[FIELDS - 1];
	enum rc rc = RC_OK;
	reader->tag[0] = 0;
	if (slice_starts(line, "Tag=")) {
		slice_next(&line, ',', &field);
		rc = read_tag(reader, slice_part(field, strlen("Tag="), field.len), where, err);
	}
	for (; rc == RC_OK && slice_next(&line, ',', &field); count++)
		if (count < FIELDS)
			fields[count] = slice_trim(field);
	if (rc != RC_OK)
		return rc;
	if (count != FIELDS)
		return err_set(err, RC_INVALID, where,
			"expected start, length, maximum and histogram, found %zu fields", count);
	for (size_t i = 0; i < FIELDS - 1; i++)
		if (!read_number(fields[i], &numbers[i]) || (i && numbers[i] < 0))
			return err_set(err, RC_INVALID, where,
				"expected a number for the %s, found something else",
				(const char *[]){ "start", "length", "maximum" }[i]);
	struct hlog_interval interval = { .line = reader->line,
		.tag = reader->tag,
		.start_s = time_of(reader, numbers[0]),
		.length_s = numbers[1],
		.hist = reader->hist };
	rc = encoding_read(fields[FIELDS - 1], where, reader->hist, &interval.exact, err);
	if (rc != RC_OK)
		return rc;
	/* In ms by all writers' default; what isn't in the highest bucket was in some other unit. */
	if (numbers[2] <= (double)HIST_HIGHEST_NS / 1e6)
		hist_widen(reader->hist, -1, (int64_t)llround(numbers[2] * 1e6));
	reader->seen++;
	reader->each(reader->to, &interval);
	return RC_OK;
}

static enum rc read_line(
	struct reader *reader, struct slice line, const char *where, struct err *err)
{
	if (line.len > HLOG_MAX_LINE_BYTES)
		return err_set(err, RC_LIMIT, where,
			"expected a line of at most %d bytes, found %zu", HLOG_MAX_LINE_BYTES,
			line.len);
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	line = slice_trim(line);
	if (!line.len || line.ptr[0] == '"')
		return RC_OK;
	if (line.ptr[0] == '#')
		return read_comment(reader, line, where, err);
	return read_interval(reader, line, where, err);
}

enum rc hlog_parse(struct slice text, const char *name,
	void (*each)(void *to, const struct hlog_interval *interval), void *to, struct err *err)
{
	struct reader reader = {
		.each = each, .to = to, .start_s = NAN, .base_s = NAN, .promised = NAN
	};
	char where[sizeof err->where];
	struct slice line;
	enum rc rc = RC_OK;
	reader.hist = hist_new();
	while (rc == RC_OK && slice_next(&text, '\n', &line)) {
		snprintf(where, sizeof where, "%s:%zu", name, ++reader.line);
		rc = read_line(&reader, line, where, err);
	}
	if (rc == RC_OK) {
		snprintf(where, sizeof where, "%s:%zu", name, reader.line);
		rc = check_whole(&reader, where, err);
	}
	hist_free(reader.hist);
	return rc;
}

enum rc hlog_read(const char *path, void (*each)(void *to, const struct hlog_interval *interval),
	void *to, struct err *err)
{
	struct buf text;
	buf_init(&text, HLOG_MAX_BYTES);
	enum rc rc = buf_read_file(&text, path, err);
	if (rc == RC_OK)
		rc = hlog_parse(buf_slice(&text), path, each, to, err);
	buf_release(&text);
	return rc;
}
