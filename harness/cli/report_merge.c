#include "cli/report_merge.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "base/visible.h"
#include "cli/cli.h"
#include "cli/told.h"
#include "stats/hlog.h"

enum { TAGS_MAX = 256, LABEL_COLUMNS = 20, CELL_BYTES = 32 };

/* All lines of one tag. */
struct merged {
	const char *tag;
	struct hist *hist;
	double from_s, to_s; /* wall time */
};

struct merge {
	struct arena *arena;
	struct merged list[TAGS_MAX];
	size_t count;
	size_t file_lines; /* of the present file */
	const char *wrong; /* what can't be added, of the present file, and where */
	size_t wrong_line;
};

static struct merged *find(struct merge *m, const char *tag)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->list[i].tag, tag) == 0)
			return &m->list[i];
	if (m->count == TAGS_MAX)
		return NULL;
	struct merged *one = &m->list[m->count++];
	*one = (struct merged){ .tag = arena_text(m->arena, tag),
		.hist = hist_new(),
		.from_s = INFINITY,
		.to_s = -INFINITY };
	return one;
}

static void add(void *to, const struct hlog_interval *interval)
{
	struct merge *m = to;
	m->file_lines++;
	if (m->wrong)
		return;
	struct merged *one = interval->exact ? find(m, interval->tag) : NULL;
	if (!one) {
		m->wrong_line = interval->line;
		m->wrong =
			interval->exact
				? "at most 256 tags in all"
				: "a histogram from 1 us to 1 h with 3 digits, as onus writes them: another can't be added without loss";
		return;
	}
	hist_add(one->hist, interval->hist);
	one->from_s = fmin(one->from_s, interval->start_s);
	one->to_s = fmax(one->to_s, interval->start_s + interval->length_s);
}

static enum rc read_file(struct merge *m, const char *path, struct err *err)
{
	m->file_lines = 0;
	enum rc rc = hlog_read(path, add, m, err);
	if (rc != RC_OK)
		return rc;
	if (m->wrong)
		return err_set(err, RC_INVALID,
			arena_print(m->arena, "%s:%zu", path, m->wrong_line), "expected %s",
			m->wrong);
	if (!m->file_lines)
		return err_set(err, RC_INVALID, path,
			"expected a log of histograms, as --hlog writes it, found none");
	return RC_OK;
}

static enum rc read_files(struct merge *m, const struct texts *paths, struct err *err)
{
	for (size_t i = 0; i < paths->count; i++) {
		for (size_t k = 0; k < i; k++)
			if (strcmp(paths->list[i], paths->list[k]) == 0)
				return err_set(err, RC_USAGE, paths->list[i],
					"expected each file once: its histograms would count twice");
		enum rc rc = read_file(m, paths->list[i], err);
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

static void print(const struct merge *m, FILE *out)
{
	static const struct {
		const char *name;
		double share;
	} SHARES[] = { { "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 }, { "p99.9", 0.999 },
		{ "max", 1 } };
	enum { SHARE_COUNT = sizeof SHARES / sizeof *SHARES };
	fprintf(out, "%-*s%11s%11s", LABEL_COLUMNS, "", "count", "mean");
	for (size_t i = 0; i < SHARE_COUNT; i++)
		fprintf(out, "%11s", SHARES[i].name);
	fputc('\n', out);
	for (size_t i = 0; i < m->count; i++) {
		const struct merged *one = &m->list[i];
		char text[CELL_BYTES];
		visible_column(out, one->tag[0] ? one->tag : "(no tag)", LABEL_COLUMNS);
		quantity_print(
			(struct quantity){ UNIT_NS, hist_mean(one->hist) }, text, sizeof text);
		fprintf(out, "%11llu%11s", (unsigned long long)hist_count(one->hist), text);
		for (size_t k = 0; k < SHARE_COUNT; k++) {
			double ns = (double)hist_quantile(one->hist, SHARES[k].share);
			quantity_print((struct quantity){ UNIT_NS, ns }, text, sizeof text);
			fprintf(out, "%11s", text);
		}
		fputc('\n', out);
	}
}

static enum rc write_log(const struct merge *m, const char *path, size_t files, struct err *err)
{
	double from_s = INFINITY;
	FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	if (!file)
		return err_errno(err, RC_ENVIRONMENT, path, "cannot be opened for writing");
	for (size_t i = 0; i < m->count; i++)
		from_s = fmin(from_s, m->list[i].from_s);
	hlog_begin(file, from_s, m->count,
		arena_print(m->arena, "onus %s, merged from %zu file%s", ONUS_VERSION, files,
			files == 1 ? "" : "s"));
	for (size_t i = 0; i < m->count; i++)
		hlog_write(file, m->list[i].tag, m->list[i].from_s - from_s,
			m->list[i].to_s - m->list[i].from_s, m->list[i].hist);
	errno = 0;
	bool failed = fflush(file) != 0 || ferror(file);
	if (file != stdout && fclose(file) != 0)
		failed = true;
	errno = errno ? errno : EIO;
	return failed ? err_errno(err, RC_ENVIRONMENT, path, "cannot be written") : RC_OK;
}

/* A log on standard output stands there alone. */
static enum rc merge(struct merge *m, const struct options *options, struct err *err)
{
	const char *path = options->load.hlog;
	enum rc rc = read_files(m, &options->paths, err);
	if (rc != RC_OK)
		return rc;
	if (!path || strcmp(path, "-") != 0)
		print(m, stdout);
	return path ? write_log(m, path, options->paths.count, err) : RC_OK;
}

int report_merge(const struct options *options)
{
	struct err err = { 0 };
	if (!options->paths.count) {
		fputs("onus: report: expected .hlog files behind --merge\n", stderr);
		return EXIT_USAGE;
	}
	struct merge *m = arena_alloc(options->arena, 1, sizeof *m);
	m->arena = options->arena;
	enum rc rc = merge(m, options, &err);
	for (size_t i = 0; i < m->count; i++)
		hist_free(m->list[i].hist);
	return rc == RC_OK ? EXIT_HELD : told(rc, &err, "report");
}
