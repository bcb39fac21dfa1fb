#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { WORDS_MAX = 8 };

/* Splits the line at spaces; argv[0] is the command's name. */
static enum rc parse(
	const char *line, enum option_set set, struct options *options, struct err *err)
{
	char *argv[WORDS_MAX + 2] = { NULL };
	int argc = 0;
	struct slice rest = slice_of(line), part;
	*options = (struct options){ .arena = arena_new() };
	argv[argc++] = arena_text(options->arena, "run");
	while (argc <= WORDS_MAX && slice_next(&rest, ' ', &part))
		argv[argc++] = arena_slice(options->arena, part);
	return options_parse(argc, argv, set, options, err);
}

/* All that is set, as one line. */
static const char *line_of(const struct options *o)
{
	struct arena *arena = o->arena;
	const char *text = "";
	const struct {
		const char *name, *text;
	} texts[] = { { "suite", o->suite }, { "target", o->target }, { "fault", o->fault },
		{ "run-dir", o->run_dir }, { "cacert", o->cacert } };
	const struct {
		const char *name;
		struct texts list;
	} lists[] = { { "path", o->paths }, { "filter", o->filters }, { "tag", o->tags },
		{ "skip-tag", o->skip_tags }, { "cell", o->cells }, { "report", o->reports },
		{ "resolve", o->resolve } };
	const struct {
		const char *name;
		bool set;
	} flags[] = { { "fail-fast", o->fail_fast }, { "keep", o->keep }, { "verbose", o->verbose },
		{ "insecure", o->insecure }, { "expand", o->expand }, { "full", o->full },
		{ "json", o->json }, { "help", o->help } };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].text)
			text = arena_print(arena, "%s %s=%s", text, texts[i].name, texts[i].text);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		ck_assert_ptr_null(lists[i].list.list[lists[i].list.count]);
		for (size_t k = 0; k < lists[i].list.count; k++)
			text = arena_print(
				arena, "%s %s=%s", text, lists[i].name, lists[i].list.list[k]);
	}
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (flags[i].set)
			text = arena_print(arena, "%s %s", text, flags[i].name);
	if (o->has_seed)
		text = arena_print(arena, "%s seed=%llu", text, (unsigned long long)o->seed);
	if (o->jobs)
		text = arena_print(arena, "%s jobs=%u", text, o->jobs);
	if (o->min != 1)
		text = arena_print(arena, "%s min=%u", text, o->min);
	if (o->max_skips != UINT32_MAX)
		text = arena_print(arena, "%s max-skips=%u", text, o->max_skips);
	return text[0] ? text + 1 : text;
}

static const struct {
	const char *line;
	enum option_set set;
	const char *parsed, *why;
} lines[] = {
	{ "", OPTIONS_RUN, "", "nothing" },
	{ "a b", OPTIONS_RUN, "path=a path=b", "operands" },
	{ "--suite x", OPTIONS_RUN, "suite=x", "a value behind it" },
	{ "--suite=x", OPTIONS_RUN, "suite=x", "a value in it" },
	{ "-s x", OPTIONS_RUN, "suite=x", "a letter" },
	{ "-sx", OPTIONS_RUN, "suite=x", "a letter with its value" },
	{ "--target http://h", OPTIONS_RUN, "target=http://h", NULL },
	{ "-t http://h", OPTIONS_RUN, "target=http://h", NULL },
	{ "-j 3", OPTIONS_RUN, "jobs=3", NULL },
	{ "--jobs 0", OPTIONS_RUN, "", "as many as cores" },
	{ "--filter a --filter b*", OPTIONS_RUN, "filter=a filter=b*", "repeatable" },
	{ "--tag a --skip-tag b", OPTIONS_RUN, "tag=a skip-tag=b", NULL },
	{ "--cell a=b --cell c=", OPTIONS_RUN, "cell=a=b cell=c=", NULL },
	{ "--fault x --fail-fast", OPTIONS_RUN, "fault=x fail-fast", NULL },
	{ "--seed 42", OPTIONS_RUN, "seed=42", NULL },
	{ "--seed 0x9a1f", OPTIONS_RUN, "seed=39455", "as it is printed" },
	{ "--seed 18446744073709551615", OPTIONS_RUN, "seed=18446744073709551615", "2^64-1" },
	{ "--report tap --report json=-", OPTIONS_RUN, "report=tap report=json=-", NULL },
	{ "--run-dir d --keep", OPTIONS_RUN, "run-dir=d keep", NULL },
	{ "--min 5 --max-skips 0", OPTIONS_RUN, "min=5 max-skips=0", NULL },
	{ "--cacert f --insecure --resolve h:1:a", OPTIONS_RUN, "cacert=f resolve=h:1:a insecure",
		NULL },
	{ "-s x -t y", OPTIONS_LOAD, "", "letters that mean another thing to another command" },
	{ "--cacert f --insecure", OPTIONS_LOAD, "cacert=f insecure", "what both have" },
	{ "--expand", OPTIONS_LINT, "expand", NULL },
	{ "--full --json", OPTIONS_PROVE, "full json", NULL },
	{ "-v", OPTIONS_REPORT, "verbose", NULL },
	{ "--help", OPTIONS_NONE, "help", "every command has it" },
	{ "-h", OPTIONS_NONE, "help", NULL },
	{ "a -v b", OPTIONS_RUN, "path=a path=b verbose", "between operands" },
	{ "a -- -v b", OPTIONS_RUN, "path=a path=-v path=b", "-- ends options" },
	{ "-- --", OPTIONS_RUN, "path=--", "once" },
	{ "-", OPTIONS_REPORT, "path=-", "standard input" },
	{ "--verb", OPTIONS_RUN, "verbose", "as much of it as is clear" },
	{ "-vs x", OPTIONS_RUN, "suite=x verbose", "letters together" },
};

START_TEST(parsed)
{
	struct options options;
	struct err err = { 0 };
	enum rc rc = parse(lines[_i].line, lines[_i].set, &options, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", lines[_i].line, err.text);
	ck_assert_msg(strcmp(line_of(&options), lines[_i].parsed) == 0, "%s: %s", lines[_i].line,
		line_of(&options));
	arena_free(options.arena);
}
END_TEST

static const struct {
	const char *line;
	enum option_set set;
	const char *text;
} errors[] = {
	{ "--filtre x", OPTIONS_RUN, "unknown option \"--filtre\"; did you mean --filter?" },
	{ "--filtre=x", OPTIONS_RUN, "unknown option \"--filtre=x\"; did you mean --filter?" },
	{ "--quite-different", OPTIONS_RUN, "unknown option \"--quite-different\"" },
	{ "--expand", OPTIONS_RUN, "unknown option \"--expand\"" },
	{ "--expand", OPTIONS_LIST, "unknown option \"--expand\"" },
	{ "a --fautl x", OPTIONS_RUN, "unknown option \"--fautl\"; did you mean --fault?" },
	{ "-x", OPTIONS_RUN, "unknown option \"-x\"" },
	{ "-vx", OPTIONS_RUN, "unknown option \"-x\"" },
	{ "--f x", OPTIONS_RUN, "unknown option \"--f\"" },
	{ "--suite", OPTIONS_RUN, "--suite needs a value: FILE" },
	{ "-s", OPTIONS_RUN, "--suite needs a value: FILE" },
	{ "--keep=1", OPTIONS_RUN, "--keep takes no value, found \"--keep=1\"" },
	{ "-c 3", OPTIONS_RUN, "unknown option \"-c\"" },
	{ "--fault x", OPTIONS_LOAD, "unknown option \"--fault\"" },
	{ "-d", OPTIONS_LOAD, "--duration needs a value: TIME" },
	{ "-j x", OPTIONS_RUN, "--jobs: expected a whole number, found \"x\"" },
	{ "-j 3x", OPTIONS_RUN, "--jobs: expected a whole number, found \"3x\"" },
	{ "--min -1", OPTIONS_RUN, "--min: expected a whole number, found \"-1\"" },
	{ "--min 4294967295", OPTIONS_RUN, "--min: expected a whole number, found \"4294967295\"" },
	{ "--seed -1", OPTIONS_RUN,
		"--seed: expected a number such as 42 or 0x9a1f, found \"-1\"" },
	{ "--seed 18446744073709551616", OPTIONS_RUN,
		"--seed: expected a number such as 42 or 0x9a1f, found \"18446744073709551616\"" },
};

START_TEST(refused)
{
	struct options options;
	struct err err = { 0 };
	ck_assert_msg(parse(errors[_i].line, errors[_i].set, &options, &err) == RC_USAGE, "%s",
		errors[_i].line);
	ck_assert_str_eq(err.text, errors[_i].text);
	arena_free(options.arena);
	/* What was given up leaves nothing behind. */
	ck_assert(parse("-v a", OPTIONS_RUN, &options, &err) == RC_OK);
	ck_assert_str_eq(line_of(&options), "path=a verbose");
	arena_free(options.arena);
}
END_TEST

/* Each letter and word of load goes to its own place. */
START_TEST(load_words)
{
	struct options o;
	struct err err = { 0 };
	ck_assert(parse("-c 1 -t 2 -d 3", OPTIONS_LOAD, &o, &err) == RC_OK);
	ck_assert_str_eq(o.load.users, "1");
	ck_assert_str_eq(o.load.threads, "2");
	ck_assert_str_eq(o.load.duration, "3");
	ck_assert_ptr_null(o.suite);
	ck_assert_ptr_null(o.target);
	arena_free(o.arena);
	ck_assert(parse("-n 4 -r 5 -s 6 -X 7", OPTIONS_LOAD, &o, &err) == RC_OK);
	ck_assert_str_eq(o.load.requests, "4");
	ck_assert_str_eq(o.load.rate, "5");
	ck_assert_str_eq(o.load.ramp, "6");
	ck_assert_str_eq(o.load.method, "7");
	arena_free(o.arena);
	ck_assert(parse("-H a -H b --threshold c --self-test", OPTIONS_LOAD, &o, &err) == RC_OK);
	ck_assert_uint_eq(o.load.headers.count, 2);
	ck_assert_str_eq(o.load.headers.list[1], "b");
	ck_assert_uint_eq(o.load.thresholds.count, 1);
	ck_assert(o.load.self_test && !o.load.decode);
	arena_free(o.arena);
}
END_TEST

/* Help tells of every option that the command takes, and of no other. */
START_TEST(help)
{
	char *text = NULL;
	size_t size;
	const struct command *command;
	for (size_t i = 0; (command = command_at(i)); i++) {
		FILE *out = open_memstream(&text, &size);
		command_help(command, out);
		fclose(out);
		ck_assert_ptr_nonnull(strstr(text, command->help));
		ck_assert_ptr_nonnull(strstr(text, "-h, --help"));
		ck_assert_int_eq(strstr(text, "--suite FILE") != NULL,
			(command->set &
				(OPTIONS_RUN | OPTIONS_LINT | OPTIONS_PROVE | OPTIONS_LIST)) != 0);
		ck_assert_int_eq(
			strstr(text, "--expand") != NULL, (command->set & OPTIONS_LINT) != 0);
		for (const char *at = text; (at = strchr(at, '\n')); at++)
			ck_assert_msg(strcspn(at + 1, "\n") <= 140, "%s", at + 1);
		free(text);
		ck_assert_ptr_eq(command_find(command->name), command);
	}
	ck_assert_ptr_null(command_find("rnu"));
	FILE *out = open_memstream(&text, &size);
	command_overview(out);
	fclose(out);
	for (size_t i = 0; (command = command_at(i)); i++)
		ck_assert_ptr_nonnull(strstr(text, command->help));
	free(text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("options");
	tcase_add_loop_test(tests, parsed, 0, sizeof lines / sizeof *lines);
	tcase_add_loop_test(tests, refused, 0, sizeof errors / sizeof *errors);
	tcase_add_test(tests, load_words);
	tcase_add_test(tests, help);
	Suite *suite = suite_create("cli/options");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
