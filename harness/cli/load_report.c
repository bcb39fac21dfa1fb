#include "cli/load_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"

static const struct load_report *const REPORTS[] = { &load_console, &load_json, &load_csv,
	&load_prometheus, &load_html };
enum { REPORT_COUNT = sizeof REPORTS / sizeof(const struct load_report *) };

struct load_output {
	const struct load_report *report; /* NULL: the histograms of --hlog */
	const char *path;                 /* NULL: standard output */
	FILE *file;
};

struct load_reports {
	struct load_output *list;
	size_t count;
};

const struct load_report *load_report_at(size_t index)
{
	return index < REPORT_COUNT ? REPORTS[index] : NULL;
}

static enum rc find(const char *kind, const struct load_report **report, struct err *err)
{
	const char *names[REPORT_COUNT];
	for (size_t i = 0; i < REPORT_COUNT; i++) {
		names[i] = REPORTS[i]->name;
		*report = REPORTS[i];
		if (strcmp(kind, names[i]) == 0)
			return RC_OK;
	}
	const char *nearest = words_nearest(kind, names, REPORT_COUNT);
	return err_set(err, RC_USAGE, "--report", "unknown report \"%s\"%s%s%s", kind,
		nearest ? "; did you mean \"" : "; `onus load --help` names them",
		nearest ? nearest : "", nearest ? "\"?" : "");
}

static enum rc add(struct load_reports *r, const char *wanted, struct arena *arena, struct err *err)
{
	const char *equals = strchr(wanted, '=');
	struct load_output *output = &r->list[r->count];
	enum rc rc = find(arena_slice(arena, slice_from(wanted, equals ? (size_t)(equals - wanted)
								       : strlen(wanted))),
		&output->report, err);
	if (rc != RC_OK)
		return rc;
	if (equals && !equals[1])
		return err_set(err, RC_USAGE, "--report",
			"expected a file behind \"%s\", or - for standard output", wanted);
	if (equals && strcmp(equals + 1, "-") != 0)
		output->path = equals + 1;
	r->count++;
	return RC_OK;
}

/* Two in one file would be neither. */
static enum rc check_apart(const struct load_reports *r, struct err *err)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < i; k++)
			if (words_same(r->list[i].path, r->list[k].path))
				return err_set(err, RC_USAGE,
					r->list[i].report ? "--report" : "--hlog",
					"two reports go to %s; give one a file: KIND=FILE",
					r->list[i].path ? r->list[i].path : "standard output");
	return RC_OK;
}

static enum rc open_files(struct load_reports *r, struct err *err)
{
	for (size_t i = 0; i < r->count; i++) {
		struct load_output *output = &r->list[i];
		output->file = output->path ? fopen(output->path, "we") : stdout;
		if (!output->file)
			return err_errno(
				err, RC_ENVIRONMENT, output->path, "cannot be opened for writing");
	}
	return RC_OK;
}

static enum rc open_all(const struct options *options, struct load_reports *r, struct err *err)
{
	const struct texts *wanted = &options->reports;
	const char *hlog = options->load.hlog;
	bool on_stdout = false;
	for (size_t i = 0; i < wanted->count; i++) {
		enum rc rc = add(r, wanted->list[i], options->arena, err);
		if (rc != RC_OK)
			return rc;
	}
	if (hlog)
		r->list[r->count++].path = strcmp(hlog, "-") == 0 ? NULL : hlog;
	for (size_t i = 0; i < r->count; i++)
		on_stdout = on_stdout || !r->list[i].path;
	if (!on_stdout)
		r->list[r->count++].report = &load_console;
	for (size_t i = 0; options->load.hold && i < r->count; i++)
		if (!r->list[i].report || !r->list[i].report->print_hold)
			return err_set(err, RC_USAGE, "--report", "%s has nothing to say of --hold",
				r->list[i].report ? r->list[i].report->name : "--hlog");
	enum rc rc = check_apart(r, err);
	return rc == RC_OK ? open_files(r, err) : rc;
}

enum rc load_reports_open(
	const struct options *options, struct load_reports **reports, struct err *err)
{
	struct load_reports *r = *reports = arena_alloc(options->arena, 1, sizeof *r);
	r->list = arena_alloc(options->arena, options->reports.count + 2, sizeof *r->list);
	enum rc rc = open_all(options, r, err);
	if (rc != RC_OK)
		load_reports_close(r);
	return rc;
}

void load_reports_close(struct load_reports *r)
{
	for (size_t i = 0; i < r->count; i++) {
		if (r->list[i].file && r->list[i].path)
			fclose(r->list[i].file);
		r->list[i].file = NULL;
	}
}

/* Colour only where somebody looks. */
static bool wants_color(const struct load_output *output)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	return !output->path && isatty(STDOUT_FILENO) && !(no_color && no_color[0]) &&
	       !(term && strcmp(term, "dumb") == 0);
}

/* Either of the two. */
struct printed {
	const struct load_found *load;
	const struct hold_found *hold;
};

static void print_to(struct load_output *output, const struct printed *what)
{
	bool color = wants_color(output);
	if (!output->report)
		load_hlog_print(what->load, output->file);
	else if (what->hold)
		output->report->print_hold(what->hold, color, output->file);
	else
		output->report->print(what->load, color, output->file);
}

static enum rc print_one(struct load_output *output, const struct printed *what, struct err *err)
{
	print_to(output, what);
	errno = 0;
	bool failed = fflush(output->file) != 0 || ferror(output->file);
	int number = errno;
	if (output->path && fclose(output->file) != 0 && !failed) {
		failed = true;
		number = errno;
	}
	output->file = NULL;
	errno = number ? number : EIO;
	return failed ? err_errno(err, RC_ENVIRONMENT,
				output->path ? output->path : "standard output",
				"cannot be written")
		      : RC_OK;
}

static enum rc print_all(struct load_reports *r, const struct printed *what, struct err *err)
{
	enum rc rc = RC_OK;
	for (size_t i = 0; i < r->count; i++) {
		struct err ignored;
		enum rc one = print_one(&r->list[i], what, rc == RC_OK ? err : &ignored);
		rc = rc == RC_OK ? one : rc;
	}
	return rc;
}

enum rc load_reports_print(struct load_reports *r, const struct load_found *found, struct err *err)
{
	return print_all(r, &(struct printed){ .load = found }, err);
}

enum rc load_reports_print_hold(
	struct load_reports *r, const struct hold_found *found, struct err *err)
{
	return print_all(r, &(struct printed){ .hold = found }, err);
}
