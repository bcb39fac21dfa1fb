#include <string.h>

#include "cli/cli.h"
#include "http/client.h"

static const struct command *const COMMANDS[] = { &cmd_run, &cmd_lint, &cmd_list, &cmd_schema,
	&cmd_prove, &cmd_report, &cmd_load };

enum { COMMAND_COUNT = sizeof COMMANDS / sizeof(const struct command *) };

const struct command *command_at(size_t index)
{
	return index < COMMAND_COUNT ? COMMANDS[index] : NULL;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(COMMANDS[i]->name, name) == 0)
			return COMMANDS[i];
	return NULL;
}

void command_overview(FILE *out)
{
	fputs("Usage: onus COMMAND [OPTION]... [OPERAND]...\n"
	      "Puts a load on an HTTP service and the burden of proof on every change to it.\n\n",
		out);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  %-8s %s\n", COMMANDS[i]->name, COMMANDS[i]->help);
	fputs("\n`onus COMMAND --help` tells more; `onus --version` names the libraries.\n", out);
}

void command_help(const struct command *command, FILE *out)
{
	fprintf(out, "Usage: onus %s [OPTION]... %s\n%s\n\n", command->name, command->operands,
		command->help);
	options_help(command->set, out);
	if (command->manual)
		fprintf(out, "\n%s\n", command->manual);
}

int command_version(void)
{
	struct err err = { 0 };
	struct arena *arena = arena_new();
	int code = EXIT_ENVIRONMENT;
	if (http_init(&err) == RC_OK) {
		printf("onus %s · %s\n", ONUS_VERSION, http_versions(arena));
		code = EXIT_HELD;
	} else {
		fprintf(stderr, "onus: %s\n", err.text);
	}
	arena_free(arena);
	return code;
}
