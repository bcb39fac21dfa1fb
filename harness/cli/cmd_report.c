#include "cli/cli.h"
#include "cli/outputs.h"
#include "cli/report_merge.h"
#include "cli/told.h"
#include "report/result_read.h"

/* Stored results carry their own problems; what goes wrong now is told on standard error. */
static int render(const struct options *options, struct run_result *result)
{
	struct outputs *outputs;
	struct err err = { 0 };
	if (outputs_open(&options->reports, ".", options->verbose, options->arena, &outputs,
		    &err) != RC_OK) {
		err_print(err.where, &err);
		return EXIT_USAGE;
	}
	size_t problems = result->problem_count, cases = result->case_count;
	result->case_count = 0;
	outputs_begin(outputs, result);
	while (result->case_count < cases) {
		const struct case_result *one = &result->cases[result->case_count++];
		outputs_case(outputs, result, one);
	}
	outputs_end(outputs, result);
	for (size_t i = problems; i < result->problem_count; i++)
		told_problem(result->problems[i].text);
	return result->problem_count > problems ? EXIT_ENVIRONMENT : EXIT_HELD;
}

static int report(const struct options *options)
{
	struct run_result result = { 0 };
	struct err err = { 0 };
	if (options->merge)
		return report_merge(options);
	if (options->load.hlog) {
		fputs("onus: --hlog: expected --merge beside it\n", stderr);
		return EXIT_USAGE;
	}
	if (options->paths.count != 1) {
		fputs("onus: report: expected one file that --report json has written\n", stderr);
		return EXIT_USAGE;
	}
	struct arena *arena = arena_new();
	int code = EXIT_HELD;
	enum rc rc = result_read_file(options->paths.list[0], arena, &result, &err);
	if (rc != RC_OK) {
		code = told(rc, &err, options->paths.list[0]);
	} else {
		code = render(options, &result);
	}
	arena_free(arena);
	return code;
}

const struct command cmd_report = {
	.name = "report",
	.operands = "FILE…",
	.help = "render results that --report json has stored; add up logs of histograms",
	.set = OPTIONS_REPORT,
	.run = report,
	.manual =
		"onus report FILE prints what `onus run --report json=FILE` has stored in any other form.\n"
		"\n"
		"onus report --merge FILE… adds up the histograms of .hlog files, tag by tag and without loss, and prints their\n"
		"percentiles; --hlog FILE writes them. A file that was cut, or that is no log of onus's layout, is refused.\n",
};
