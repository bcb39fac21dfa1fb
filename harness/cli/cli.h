/*
 * cli: the subcommands. Only this folder and main.c print to the terminal or decide how the program exits.
 *
 * To add one: a file cmd_NAME.c with its row, and a line in the table of commands.c.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "cli/options.h"

/* Exit codes; see README.md. */
enum exit_code {
	EXIT_HELD = 0,
	EXIT_BROKEN = 1,
	EXIT_USAGE = 2,
	EXIT_ENVIRONMENT = 3,
	EXIT_FLOOR = 4,
	EXIT_INVALID = 5,
	EXIT_SKIPPED = 77,
};

struct command {
	const char *name, *operands, *help;
	const char *manual;  /* further lines of its --help, or NULL */
	enum option_set set; /* which options it takes */
	int (*run)(const struct options *options);
};

extern const struct command cmd_run, cmd_lint, cmd_list, cmd_schema, cmd_prove, cmd_report,
	cmd_load;

/* Row by index, NULL behind the last; row by name, NULL where unknown. */
const struct command *command_at(size_t index);
const struct command *command_find(const char *name);

/* Help of the program and of a command. */
void command_overview(FILE *out);
void command_help(const struct command *command, FILE *out);
/* `onus --version`: of onus and its libraries. */
int command_version(void);

#define ONUS_VERSION "0.1.0"

#endif
