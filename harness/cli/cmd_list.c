#include <string.h>

#include "base/visible.h"
#include "case/steps.h"
#include "cli/session.h"
#include "expect/expect.h"
#include "http/framing_violation.h"
#include "report/report.h"

enum { ID_COLUMNS = 40 };

static void print_case(const struct case_file *one)
{
	visible_column(stdout, one->id, ID_COLUMNS);
	putchar(' ');
	visible_line(stdout, one->title);
	putchar('\n');
}

static int list_cases(const struct options *options)
{
	struct session s;
	int code = session_load(&s, options);
	for (size_t i = 0; code == EXIT_HELD && i < s.case_count; i++)
		print_case(s.cases[i]);
	session_close(&s);
	return code;
}

static int list_expectations(const struct options *options)
{
	(void)options;
	const struct expectation *row;
	for (size_t i = 0; (row = expectation_at(i)); i++)
		printf("%-18s %s (%s)\n", row->name, row->help, row->source);
	return EXIT_HELD;
}

static int list_steps(const struct options *options)
{
	(void)options;
	const struct step_kind *row;
	for (size_t i = 0; (row = step_kind_at(i)); i++)
		printf("%-10s %s\n", row->word, row->help);
	return EXIT_HELD;
}

static int list_reports(const struct options *options)
{
	(void)options;
	const struct report *row;
	for (size_t i = 0; (row = report_at(i)); i++)
		printf("%-10s %s\n", row->name, row->help);
	return EXIT_HELD;
}

static int list_violations(const struct options *options)
{
	(void)options;
	const struct framing_violation *row;
	for (size_t i = 0; (row = framing_violation_at(i)); i++)
		printf("%-28s %s (%s)\n", row->name, row->help, row->source);
	return EXIT_HELD;
}

static void print_line(const char *text)
{
	visible_line(stdout, text);
	putchar('\n');
}

static int list_faults(const struct options *options)
{
	struct session s;
	const char **faults = NULL;
	size_t count = 0;
	int code = session_load(&s, options);
	if (code == EXIT_HELD)
		code = session_set_up(&s);
	if (code == EXIT_HELD)
		code = session_faults(&s, &faults, &count);
	for (size_t i = 0; i < count; i++)
		print_line(faults[i]);
	session_close(&s);
	return code;
}

static const struct {
	const char *name;
	int (*print)(const struct options *options);
} LISTS[] = {
	{ "cases", list_cases },
	{ "expectations", list_expectations },
	{ "steps", list_steps },
	{ "reports", list_reports },
	{ "faults", list_faults },
	{ "violations", list_violations },
};

static int list(const struct options *options)
{
	const char *what = options->paths.count ? options->paths.list[0] : "";
	for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
		if (strcmp(LISTS[i].name, what) != 0)
			continue;
		struct options rest = *options;
		rest.paths.list++;
		rest.paths.count--;
		return LISTS[i].print(&rest);
	}
	fprintf(stderr,
		"onus: list: expected cases, expectations, steps, reports, faults or violations, found \"%s\"\n",
		what);
	return EXIT_USAGE;
}

const struct command cmd_list = {
	.name = "list",
	.operands = "cases|expectations|steps|reports|faults|violations [PATH…]",
	.help = "what there is to choose from",
	.set = OPTIONS_LIST,
	.run = list,
};
