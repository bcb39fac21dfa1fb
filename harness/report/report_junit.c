/*
 * JUnit XML as GitLab, Jenkins and the common GitHub actions read it: one suite; a case's folder is its class; file and
 * line say where in the case file it went wrong; one <failure> or <error> a case (readers take the first only) whose
 * text holds all findings. What is wrong with the run as a whole is a case of its own, or no reader would see it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/text.h"

static void attribute(const char *name, const char *value, FILE *out)
{
	fprintf(out, " %s=\"", name);
	escape_attribute(out, value);
	fputc('"', out);
}

static void seconds(int64_t ns, FILE *out)
{
	int64_t ms = (ns + NS_PER_MS / 2) / NS_PER_MS;
	fprintf(out, " time=\"%" PRId64 ".%03" PRId64 "\"", ms / 1000, ms % 1000);
}

/* "a/b/c" is the case "c" of the class "a.b", since Jenkins takes dots for folders. */
static void names(const char *id, FILE *out)
{
	const char *slash = strrchr(id, '/');
	char *class = mem_text(slash ? id : "onus");
	if (slash)
		class[slash - id] = '\0';
	for (char *at = class; slash && *at; at++) {
		if (*at == '/')
			*at = '.';
	}
	attribute("classname", class, out);
	attribute("name", slash ? slash + 1 : id, out);
	free(class);
}

static void fault(const struct case_result *one, FILE *out)
{
	const char *tag = one->outcome == OUTCOME_ERROR ? "error" : "failure";
	struct text line, body;
	text_open(&line);
	text_case_line(one, line.out);
	text_close(&line);
	text_open(&body);
	struct text_wish wish = { .indent = "", .most = SIZE_MAX, .output = false };
	text_case(one, &wish, body.out);
	text_close(&body);
	fprintf(out, "      <%s", tag);
	attribute("message", line.bytes, out);
	attribute(
		"type", one->problem_count ? problem_word(one->problems[0].kind) : "finding", out);
	fputc('>', out);
	escape_xml(out, body.bytes);
	fprintf(out, "</%s>\n", tag);
	free(line.bytes);
	free(body.bytes);
}

static void test_case(const struct case_result *one, FILE *out)
{
	struct place place = text_case_place(one);
	fputs("    <testcase", out);
	names(one->id, out);
	attribute("file", one->file, out);
	if (place.line)
		fprintf(out, " line=\"%d\"", place.line);
	fprintf(out, " assertions=\"%zu\"", one->checks);
	seconds(one->duration_ns, out);
	if (one->outcome == OUTCOME_PASSED) {
		fputs("/>\n", out);
		return;
	}
	fputs(">\n", out);
	if (one->outcome == OUTCOME_SKIPPED) {
		fputs("      <skipped", out);
		attribute("message", one->skip_reason, out);
		fputs("/>\n", out);
	} else {
		fault(one, out);
	}
	if (one->output) {
		fputs("      <system-out>", out);
		escape_xml(out, one->output);
		fputs("</system-out>\n", out);
	}
	fputs("    </testcase>\n", out);
}

static void problem(const struct problem *one, FILE *out)
{
	fputs("    <testcase classname=\"onus\" name=\"the run\" time=\"0.000\">\n      <error",
		out);
	attribute("message", one->text, out);
	attribute("type", problem_word(one->kind), out);
	fputs("/>\n    </testcase>\n", out);
}

static void counts(const struct run_result *result, FILE *out)
{
	struct totals totals = result_totals(result);
	fprintf(out, " name=\"onus\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
		result->case_count + result->problem_count, totals.failed,
		totals.errors + result->problem_count, totals.skipped);
	seconds(result->duration_ns, out);
}

static void property(const char *name, const char *value, FILE *out)
{
	if (!value)
		return;
	fputs("      <property", out);
	attribute("name", name, out);
	attribute("value", value, out);
	fputs("/>\n", out);
}

/* Jenkins takes "2026-11-30T12:11:02" only: without a zone. */
static void timestamp(const char *started, FILE *out)
{
	char *local = mem_text(started);
	local[strcspn(local, "Z+.")] = '\0';
	attribute("timestamp", local, out);
	free(local);
}

static void end(const struct run_result *result, const struct report_style *style, FILE *out)
{
	(void)style;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
	counts(result, out);
	fputs(">\n  <testsuite", out);
	counts(result, out);
	if (result->started)
		timestamp(result->started, out);
	fputs(">\n    <properties>\n", out);
	property("version", result->version, out);
	property("libraries", result->libraries, out);
	property("command", result->command, out);
	property("fault", result->fault, out);
	fprintf(out, "      <property name=\"seed\" value=\"0x%" PRIx64 "\"/>\n", result->seed);
	fputs("    </properties>\n", out);
	for (size_t i = 0; i < result->case_count; i++)
		test_case(&result->cases[i], out);
	for (size_t i = 0; i < result->problem_count; i++)
		problem(&result->problems[i], out);
	fputs("  </testsuite>\n</testsuites>\n", out);
}

const struct report report_junit = {
	.name = "junit",
	.help = "JUnit XML for GitLab, Jenkins and GitHub actions",
	.file = "junit.xml",
	.end = end,
};
