#include "case/expand.h"
#include "cli/session.h"

static int lint(const struct options *options)
{
	struct session s;
	struct err err = { 0 };
	int code = session_load(&s, options);
	if (code == EXIT_HELD && !s.case_count) {
		fprintf(stderr, "onus: %s\n", session_no_case(&s));
		code = EXIT_FLOOR;
	}
	for (size_t i = 0; code == EXIT_HELD && options->expand && i < s.case_count; i++) {
		if (expand_case(s.cases[i], s.suite, session_seed(options), stdout, &err) == RC_OK)
			continue;
		err_print(err.where, &err);
		code = EXIT_USAGE;
	}
	if (code == EXIT_HELD && !options->expand)
		printf("%zu %s well formed\n", s.case_count,
			s.case_count == 1 ? "case is" : "cases are");
	session_close(&s);
	return code;
}

const struct command cmd_lint = {
	.name = "lint",
	.operands = "[PATH…]",
	.help = "check case files, run nothing",
	.set = OPTIONS_LINT,
	.run = lint,
	.manual =
		"Exit status: 0 all are well formed; 2 a case file is wrong; 4 a `when` matches no cell, or there is no case.",
};
