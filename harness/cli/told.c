#include "cli/told.h"

#include "base/visible.h"
#include "cli/cli.h"

int told(enum rc rc, const struct err *err, const char *otherwise)
{
	bool asked = rc == RC_USAGE || rc == RC_INVALID || rc == RC_LIMIT;
	err_print(err->where[0] ? err->where : otherwise, err);
	return asked ? EXIT_USAGE : EXIT_ENVIRONMENT;
}

void told_problem(const char *text)
{
	if (!text)
		return;
	fputs("onus: ", stderr);
	visible_line(stderr, text);
	fputc('\n', stderr);
}
