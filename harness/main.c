/*
 * onus: puts a load on an HTTP service and the burden of proof on every change to it.
 *
 * A subcommand is a row of cli/; its result is the exit code.
 */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "cli/cli.h"

enum { LARGE_BYTES = 128 * 1024 };

static int unknown_command(const char *word)
{
	const char *names[32];
	size_t count = 0;
	for (const struct command *c; count < 32 && (c = command_at(count)); count++)
		names[count] = c->name;
	const char *nearest = words_nearest(word, names, count);
	if (nearest)
		fprintf(stderr, "onus: unknown command \"%s\"; did you mean \"%s\"?\n", word,
			nearest);
	else
		fprintf(stderr, "onus: unknown command \"%s\"; `onus --help` names them\n", word);
	return EXIT_USAGE;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct options options = { .arena = arena_new() };
	struct err err = { 0 };
	int code;
	if (options_parse(argc, argv, command->set, &options, &err) != RC_OK) {
		err_print(command->name, &err);
		code = EXIT_USAGE;
	} else if (options.help) {
		command_help(command, stdout);
		code = EXIT_HELD;
	} else {
		code = command->run(&options);
	}
	arena_free(options.arena);
	return code;
}

static int dispatch(int argc, char **argv)
{
	if (argc < 2) {
		command_overview(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
		strcmp(argv[1], "help") == 0) {
		command_overview(stdout);
		return EXIT_HELD;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return command_version();
	const struct command *command = command_find(argv[1]);
	return command ? run_command(command, argc - 1, argv + 1) : unknown_command(argv[1]);
}

/* Bodies and decoders' windows go back to the kernel at once, instead of to the heap of the thread that had them. */
static void return_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, LARGE_BYTES);
}

static void *take_memory(size_t size)
{
	return mem_alloc(1, size);
}

/* cJSON says of a text that it cannot be parsed where there was no memory for it. */
static void use_memory(void)
{
	cJSON_InitHooks(&(cJSON_Hooks){ .malloc_fn = take_memory, .free_fn = free });
}

/*
 * A socket of ours that got the number of a standard descriptor that was closed would be printed into, and inherited.
 * What stands in can be read but not written, so that output that goes nowhere is still told.
 */
static bool fill_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	if (!fill_standard_descriptors())
		return EXIT_ENVIRONMENT;
	return_memory();
	use_memory();
	/* A file that has reached its limit is an error of that write (EFBIG), which is told. */
	signal(SIGXFSZ, SIG_IGN);
	int code = dispatch(argc, argv);
	if (fflush(stdout) != 0 && code == EXIT_HELD) {
		fputs("onus: standard output cannot be written\n", stderr);
		return EXIT_ENVIRONMENT;
	}
	return code;
}
