#include "cli/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/words.h"

struct output {
	const struct report *report;
	const char *path; /* NULL: standard output */
	bool unasked;     /* nobody named the path, so that it is told */
	FILE *file;       /* NULL where it could not be opened */
	int failure;      /* errno of the first write that went wrong, or 0 */
};

struct outputs {
	struct arena *arena;
	struct output *list;
	size_t count;
	struct report_style style;
};

static enum rc unknown_report(const char *kind, struct err *err)
{
	const char *names[32];
	size_t count = 0;
	for (const struct report *r; count < 32 && (r = report_at(count)); count++)
		names[count] = r->name;
	const char *nearest = words_nearest(kind, names, count);
	if (nearest)
		return err_set(err, RC_USAGE, "--report",
			"unknown report \"%s\"; did you mean \"%s\"?", kind, nearest);
	return err_set(err, RC_USAGE, "--report",
		"unknown report \"%s\"; `onus list reports` names them", kind);
}

static enum rc add_output(
	struct outputs *o, const char *wanted, const char *folder, struct err *err)
{
	const char *equals = strchr(wanted, '=');
	char *kind = arena_slice(
		o->arena, slice_from(wanted, equals ? (size_t)(equals - wanted) : strlen(wanted)));
	const struct report *report = report_find(kind);
	if (!report)
		return unknown_report(kind, err);
	struct output *output = &o->list[o->count++];
	output->report = report;
	if (equals && !equals[1])
		return err_set(err, RC_USAGE, "--report",
			"expected a file behind \"%s\", or - for standard output", wanted);
	if (equals)
		output->path = strcmp(equals + 1, "-") == 0 ? NULL : equals + 1;
	else if (report->file)
		output->path = arena_print(o->arena, "%s/%s", folder, report->file);
	output->unasked = !equals && output->path;
	return RC_OK;
}

/* Two reports in one file would be neither. */
static enum rc check_file(const struct outputs *o, struct err *err)
{
	const char *path = o->list[o->count - 1].path;
	for (size_t i = 0; path && i + 1 < o->count; i++)
		if (o->list[i].path && strcmp(o->list[i].path, path) == 0)
			return err_set(err, RC_USAGE, "--report", "two reports go to %s", path);
	return RC_OK;
}

/* Colour only where somebody looks. */
static struct report_style style_of(bool verbose)
{
	struct report_style style = { .verbose = verbose };
	struct winsize size;
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	if (!isatty(STDOUT_FILENO))
		return style;
	style.color = !(no_color && no_color[0]) && !(term && strcmp(term, "dumb") == 0);
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		style.width = size.ws_col;
	return style;
}

static void open_files(struct outputs *o)
{
	for (size_t i = 0; i < o->count; i++) {
		struct output *output = &o->list[i];
		output->file = output->path ? fopen(output->path, "we") : stdout;
		if (!output->file)
			output->failure = errno;
	}
}

enum rc outputs_open(const struct texts *wanted, const char *folder, bool verbose,
	struct arena *arena, struct outputs **outputs, struct err *err)
{
	struct outputs *o = *outputs = arena_alloc(arena, 1, sizeof *o);
	size_t on_stdout = 0;
	o->arena = arena;
	o->style = style_of(verbose);
	o->list = arena_alloc(arena, wanted->count + 1, sizeof *o->list);
	for (size_t i = 0; i < wanted->count; i++) {
		enum rc rc = add_output(o, wanted->list[i], folder, err);
		if (rc == RC_OK)
			rc = check_file(o, err);
		if (rc != RC_OK)
			return rc;
		on_stdout += o->list[i].path == NULL;
	}
	if (on_stdout > 1)
		return err_set(err, RC_USAGE, "--report",
			"two reports on standard output; give one a file: KIND=FILE");
	if (!on_stdout)
		o->list[o->count++].report = report_find("console");
	open_files(o);
	return RC_OK;
}

static void note_failure(struct output *output)
{
	if (!output->failure && (fflush(output->file) != 0 || ferror(output->file)))
		output->failure = errno ? errno : EIO;
}

void outputs_begin(struct outputs *o, struct run_result *result)
{
	for (size_t i = 0; i < o->count; i++) {
		struct output *output = &o->list[i];
		if (!output->file || !output->report->begin)
			continue;
		output->report->begin(result, &o->style, output->file);
		note_failure(output);
	}
}

void outputs_case(struct outputs *o, struct run_result *result, const struct case_result *one)
{
	for (size_t i = 0; i < o->count; i++) {
		struct output *output = &o->list[i];
		if (!output->file || !output->report->on_case)
			continue;
		output->report->on_case(result, one, &o->style, output->file);
		note_failure(output);
	}
}

static void end_one(struct outputs *o, struct output *output, struct run_result *result)
{
	if (output->file && output->report->end) {
		output->report->end(result, &o->style, output->file);
		note_failure(output);
	}
	if (output->file && output->path && fclose(output->file) != 0 && !output->failure)
		output->failure = errno;
	if (output->failure)
		outputs_problem(result, PROBLEM_ENVIRONMENT,
			"%s: the %s report cannot be written: %s",
			output->path ? output->path : "standard output", output->report->name,
			strerror(output->failure));
	else if (output->unasked)
		fprintf(stderr, "onus: the %s report is %s\n", output->report->name, output->path);
}

void outputs_end(struct outputs *o, struct run_result *result)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->list[i].path)
			end_one(o, &o->list[i], result);
	for (size_t i = 0; i < o->count; i++)
		if (!o->list[i].path)
			end_one(o, &o->list[i], result);
}

void outputs_problem(struct run_result *result, enum problem_kind kind, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		BUG("a format that does not print: %s", format);
	va_end(args);
	struct problem *grown =
		arena_alloc(result->arena, result->problem_count + 1, sizeof *grown);
	if (result->problem_count)
		memcpy(grown, result->problems, result->problem_count * sizeof *grown);
	grown[result->problem_count++] =
		(struct problem){ .kind = kind, .text = arena_text(result->arena, text) };
	result->problems = grown;
	free(text);
}
