#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "cli/command_line.h"

enum { FIRST_LONG = 256, ROWS_MAX = 96 };

/* What an option does with its argument: one of these is set in each row. */
struct option_row {
	const char *name;
	char letter; /* or 0 */
	const char *argument;
	unsigned sets;
	const char *help;
	size_t text, texts, flag,
		count; /* offset into struct options, plus one; 0: not this kind */
	bool seed;
};

#define AT(member) (offsetof(struct options, member) + 1)
#define CASES      (OPTIONS_RUN | OPTIONS_LINT | OPTIONS_PROVE | OPTIONS_LIST)
#define RUNS       (OPTIONS_RUN | OPTIONS_PROVE)
#define TARGETS    (OPTIONS_RUN | OPTIONS_LOAD)

static const struct option_row ROWS[] = {
	{ "suite", 's', "FILE", CASES,
		"the suite (default: suite.json beside or above the cases, else cases/suite.json)",
		.text = AT(suite) },
	{ "target", 't', "URL", OPTIONS_RUN,
		"an already running SUT; cases that must own theirs are skipped",
		.text = AT(target) },
	{ "jobs", 'j', "N", RUNS, "cases at a time (default, and 0: the number of cores)",
		.count = AT(jobs) },
	{ "filter", 0, "GLOB", CASES, "only cases whose id matches; repeatable",
		.texts = AT(filters) },
	{ "tag", 0, "TAG", CASES, "only cases with the tag; repeatable", .texts = AT(tags) },
	{ "skip-tag", 0, "TAG", CASES, "not the cases with the tag; repeatable",
		.texts = AT(skip_tags) },
	{ "cell", 0, "NAME=VALUE", OPTIONS_RUN,
		"only cells of matrices with that value; repeatable", .texts = AT(cells) },
	{ "fault", 0, "NAME", OPTIONS_RUN, "switch a fault of the SUT on", .text = AT(fault) },
	{ "fail-fast", 0, NULL, OPTIONS_RUN, "begin no case after one has failed",
		.flag = AT(fail_fast) },
	{ "seed", 0, "N", RUNS | OPTIONS_LOAD,
		"for generated values and all randomness (default: random; always printed)",
		.seed = true },
	{ "report", 0, "KIND[=FILE]", OPTIONS_RUN | OPTIONS_REPORT,
		"console, tap, junit, json, ndjson, markdown, github, html; repeatable; - is standard output",
		.texts = AT(reports) },
	{ "run-dir", 0, "DIR", RUNS, "where output and exchanges go (default: build/run/SEED)",
		.text = AT(run_dir) },
	{ "keep", 0, NULL, RUNS, "keep the folders of cases that passed too", .flag = AT(keep) },
	{ "min", 0, "N", OPTIONS_RUN, "exit 4 unless at least N cases ran (default: 1)",
		.count = AT(min) },
	{ "max-skips", 0, "N", OPTIONS_RUN, "exit 4 when more than N cases were skipped",
		.count = AT(max_skips) },
	{ "cacert", 0, "FILE", TARGETS, "certificates to trust, for an https target",
		.text = AT(cacert) },
	{ "insecure", 0, NULL, TARGETS, "do not verify the certificate of an https target",
		.flag = AT(insecure) },
	{ "resolve", 0, "HOST:PORT:ADDRESS", TARGETS,
		"address to use for the host of the target; repeatable", .texts = AT(resolve) },
	{ "http2", 0, NULL, TARGETS, "HTTP/2 over TLS, by ALPN", .flag = AT(http2) },
	{ "http2c", 0, NULL, TARGETS, "HTTP/2 without TLS, by prior knowledge",
		.flag = AT(http2c) },
	{ "unix-socket", 0, "PATH", TARGETS, "connect to it; the URL says Host",
		.text = AT(unix_socket) },
	{ "proxy-protocol", 0, NULL, TARGETS,
		"a line of PROXY protocol v1 in front of each connection",
		.flag = AT(proxy_protocol) },
	{ "cert", 0, "FILE", TARGETS, "the client's certificate (PEM)", .text = AT(certificate) },
	{ "key", 0, "FILE", TARGETS, "its key (default: in the file of --cert)", .text = AT(key) },
	{ "users", 'c', "N", OPTIONS_LOAD,
		"users, each with a connection of its own (default: 10); with --rate as --max-in-flight",
		.text = AT(load.users) },
	{ "threads", 't', "N", OPTIONS_LOAD, "threads (default: 1; 0: as many as cores)",
		.text = AT(load.threads) },
	{ "duration", 'd', "TIME", OPTIONS_LOAD,
		"how long to measure (default: 10s; without a unit: seconds)",
		.text = AT(load.duration) },
	{ "requests", 'n', "N", OPTIONS_LOAD,
		"measure that many requests, at most for --duration if that is given",
		.text = AT(load.requests) },
	{ "rate", 'r', "N", OPTIONS_LOAD,
		"open loop: so many requests a second are due, whether or not others were answered",
		.text = AT(load.rate) },
	{ "max-in-flight", 0, "N", OPTIONS_LOAD,
		"with --rate: more than these wait, and their wait counts (default: 256)",
		.text = AT(load.max_in_flight) },
	{ "arrival", 0, "constant|poisson", OPTIONS_LOAD,
		"with --rate: evenly spaced (default), or independent of each other",
		.text = AT(load.arrival) },
	{ "stages", 0, "TIME:N,…", OPTIONS_LOAD,
		"in a line to N over TIME, one stage after another: of a rate (10s:500/s) or users (10s:50)",
		.text = AT(load.stages) },
	{ "burst", 0, "TIME:N", OPTIONS_LOAD, "open loop: N requests are due at once, every TIME",
		.text = AT(load.burst) },
	{ "ramp", 's', "TIME", OPTIONS_LOAD,
		"start softly: users in ten steps, the rate in a line; not measured",
		.text = AT(load.ramp) },
	{ "warm-up", 0, "TIME", OPTIONS_LOAD,
		"full load that is not measured (default: a tenth of --duration, at most 500ms; 0 with -n)",
		.text = AT(load.warm_up) },
	{ "think", 0, "TIME", OPTIONS_LOAD,
		"each user's wait between an answer and its next request", .text = AT(load.think) },
	{ "header", 'H', "NAME: VALUE", OPTIONS_LOAD,
		"sent with each request; only these are, and Host; repeatable",
		.texts = AT(load.headers) },
	{ "method", 'X', "METHOD", OPTIONS_LOAD, "default: GET, with --body POST",
		.text = AT(load.method) },
	{ "body", 0, "TEXT|@FILE", OPTIONS_LOAD, "of each request; @- is standard input",
		.text = AT(load.body) },
	{ "streams", 0, "N", OPTIONS_LOAD, "of HTTP/2: users of each connection (default: 1)",
		.text = AT(load.streams) },
	{ "accept", 0, "none|gzip|both", OPTIONS_LOAD,
		"codings to ask for (default: none); both: without and with, side by side",
		.text = AT(load.accept) },
	{ "decode", 0, NULL, OPTIONS_LOAD,
		"take chunked and codings off, and count what comes out: costs the generator CPU",
		.flag = AT(load.decode) },
	{ "timeout", 0, "TIME", OPTIONS_LOAD, "of a request, from its send (default: 10s)",
		.text = AT(load.timeout) },
	{ "hold", 0, "N", OPTIONS_LOAD,
		"no load: hold N event streams open at once, and see what each costs",
		.text = AT(load.hold) },
	{ "add", 0, "N", OPTIONS_LOAD, "with --hold: streams of each round (default: a tenth of N)",
		.text = AT(load.add) },
	{ "every", 0, "TIME", OPTIONS_LOAD,
		"with --hold: from one round to the next (default: 1s); --duration: how long all are held",
		.text = AT(load.every) },
	{ "until", 0, "oom|N", OPTIONS_LOAD,
		"with --hold: until the SUT's memory cap is full; or: so many are enough (default: all)",
		.text = AT(load.until) },
	{ "trigger", 0, "COMMAND", OPTIONS_LOAD,
		"with --hold: run in each round; every stream must then bring something within --timeout",
		.text = AT(load.trigger) },
	{ "pid", 0, "PID", TARGETS,
		"the process of the target, with all below it: what it costs is sampled",
		.text = AT(pid) },
	{ "container", 0, "ID", TARGETS, "the container that the target runs in, instead of --pid",
		.text = AT(container) },
	{ "threshold", 0, "'NAME <= VALUE'", OPTIONS_LOAD,
		"exit 1 unless it holds: see below; repeatable", .texts = AT(load.thresholds) },
	{ "report", 0, "KIND[=FILE]", OPTIONS_LOAD,
		"console, json, csv, prometheus, html; repeatable; - is standard output",
		.texts = AT(reports) },
	{ "merge", 0, NULL, OPTIONS_REPORT,
		"the files are .hlog: add up their histograms, tag by tag, and print the percentiles",
		.flag = AT(merge) },
	{ "hlog", 0, "FILE", OPTIONS_REPORT,
		"write what --merge has added up; - is standard output", .text = AT(load.hlog) },
	{ "hlog", 0, "FILE", OPTIONS_LOAD, "all histograms, as HdrHistogram's tools read them",
		.text = AT(load.hlog) },
	{ "no-calibration", 0, NULL, OPTIONS_LOAD,
		"do not drive the null server first, which shows what the generator can do",
		.flag = AT(load.no_calibration) },
	{ "self-test", 0, NULL, OPTIONS_LOAD,
		"no URL: a server that is stopped for a known time must give the computed percentiles",
		.flag = AT(load.self_test) },
	{ "expand", 0, NULL, OPTIONS_LINT, "print every request of every cell",
		.flag = AT(expand) },
	{ "full", 0, NULL, OPTIONS_PROVE, "every case against every fault; print the matrix",
		.flag = AT(full) },
	{ "json", 0, NULL, OPTIONS_PROVE, "print the result as JSON", .flag = AT(json) },
	{ "verbose", 'v', NULL, OPTIONS_RUN | OPTIONS_REPORT, "tell more", .flag = AT(verbose) },
	{ "help", 'h', NULL, ~0U, "print this", .flag = AT(help) },
};

enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

static void *member(struct options *options, size_t offset)
{
	return (char *)options + offset - 1;
}

static enum rc parse_seed(const char *text, struct options *options, struct err *err)
{
	char *end;
	errno = 0;
	options->seed = strtoull(text, &end, 0);
	options->has_seed = true;
	if (errno || *end || end == text || text[0] == '-')
		return err_set(err, RC_USAGE, "",
			"--seed: expected a number such as 42 or 0x9a1f, found \"%s\"", text);
	return RC_OK;
}

static enum rc parse_count(
	const struct option_row *row, const char *text, unsigned *count, struct err *err)
{
	char *end;
	errno = 0;
	unsigned long value = strtoul(text, &end, 10);
	if (errno || *end || end == text || text[0] == '-' || value > UINT32_MAX - 1)
		return err_set(err, RC_USAGE, "", "--%s: expected a whole number, found \"%s\"",
			row->name, text);
	*count = (unsigned)value;
	return RC_OK;
}

static void add(struct arena *arena, struct texts *texts, const char *text)
{
	const char **grown = arena_alloc(arena, texts->count + 2, sizeof *grown);
	if (texts->count)
		memcpy(grown, texts->list, texts->count * sizeof *grown);
	if (text)
		grown[texts->count++] = text;
	texts->list = grown;
}

static enum rc take(const struct option_row *row, const char *argument, struct options *options,
	struct err *err)
{
	if (row->seed)
		return parse_seed(argument, options, err);
	if (row->count)
		return parse_count(row, argument, member(options, row->count), err);
	if (row->texts)
		add(options->arena, member(options, row->texts), argument);
	else if (row->flag)
		*(bool *)member(options, row->flag) = true;
	else
		*(const char **)member(options, row->text) = argument;
	return RC_OK;
}

static enum rc unknown(const char *word, enum option_set set, struct err *err)
{
	const char *names[ROW_COUNT];
	size_t count = 0;
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word + strspn(word, "-"), "="),
		word + strspn(word, "-"));
	for (size_t i = 0; i < ROW_COUNT; i++)
		if (ROWS[i].sets & set || ROWS[i].sets == ~0U)
			names[count++] = ROWS[i].name;
	const char *nearest = words_nearest(name, names, count);
	if (nearest)
		return err_set(err, RC_USAGE, "", "unknown option \"%s\"; did you mean --%s?", word,
			nearest);
	return err_set(err, RC_USAGE, "", "unknown option \"%s\"", word);
}

/* An option that is not known here, one of a group of letters, or one with a value that it does not take. */
static enum rc refused(const struct option_row *row, int letter, const char *word,
	enum option_set set, struct err *err)
{
	char text[] = { '-', (char)letter, '\0' };
	if (row && letter >= FIRST_LONG)
		return err_set(
			err, RC_USAGE, "", "--%s takes no value, found \"%s\"", row->name, word);
	return unknown(letter ? text : word, set, err);
}

/* getopt_long's two tables from ours; the value of a row is FIRST_LONG plus its index. */
static void getopt_tables(enum option_set set, struct option *longs, char *letters)
{
	size_t count = 0;
	*letters++ = '+';
	*letters++ = ':';
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (!(ROWS[i].sets & set) && ROWS[i].sets != ~0U)
			continue;
		int has_argument = ROWS[i].argument ? required_argument : no_argument;
		longs[count++] =
			(struct option){ ROWS[i].name, has_argument, NULL, FIRST_LONG + (int)i };
		if (!ROWS[i].letter)
			continue;
		*letters++ = ROWS[i].letter;
		if (ROWS[i].argument)
			*letters++ = ':';
	}
	longs[count] = (struct option){ 0 };
	*letters = '\0';
}

/* A letter may mean one thing to a command and another to the next. */
static const struct option_row *row_of(int value, enum option_set set)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		bool taken = ROWS[i].sets & set || ROWS[i].sets == ~0U;
		if (value == FIRST_LONG + (int)i ||
			(taken && ROWS[i].letter && value == ROWS[i].letter))
			return &ROWS[i];
	}
	return NULL;
}

/* Options may stand before, between and behind the operands; `--` ends them. */
static enum rc parse_some(
	int argc, char **argv, enum option_set set, struct options *options, struct err *err)
{
	struct option longs[ROWS_MAX + 1];
	char letters[2 * ROWS_MAX + 3];
	getopt_tables(set, longs, letters);
	opterr = 0;
	/* 0 makes getopt forget what it was at when an earlier command line was given up. */
	optind = 0;
	while (optind < argc) {
		int value = getopt_long(argc, argv, letters, longs, NULL);
		if (value == -1) {
			bool ended = optind > 1 && strcmp(argv[optind - 1], "--") == 0;
			for (; ended && optind < argc; optind++)
				add(options->arena, &options->paths, argv[optind]);
			if (optind < argc)
				add(options->arena, &options->paths, argv[optind++]);
			continue;
		}
		const struct option_row *row =
			row_of(value == '?' || value == ':' ? optopt : value, set);
		if (value == ':')
			return err_set(err, RC_USAGE, "", "--%s needs a value: %s", row->name,
				row->argument);
		if (value == '?')
			return refused(row, optopt, argv[optind - 1], set, err);
		enum rc rc = take(row, optarg, options, err);
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

enum rc options_parse(
	int argc, char **argv, enum option_set set, struct options *options, struct err *err)
{
	struct arena *arena = options->arena;
	*options = (struct options){ .arena = arena, .min = 1, .max_skips = UINT32_MAX };
	struct texts *lists[] = { &options->paths, &options->filters, &options->tags,
		&options->skip_tags, &options->cells, &options->reports, &options->resolve,
		&options->load.headers, &options->load.thresholds };
	for (size_t i = 0; i < sizeof lists / sizeof(struct texts *); i++)
		add(arena, lists[i], NULL);
	options->command_line = command_line(argc, argv, arena);
	return parse_some(argc, argv, set, options, err);
}

void options_help(enum option_set set, FILE *out)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct option_row *row = &ROWS[i];
		char words[64];
		if (!(row->sets & set) && row->sets != ~0U)
			continue;
		char letter[5] = "    ";
		if (row->letter)
			snprintf(letter, sizeof letter, "-%c, ", row->letter);
		snprintf(words, sizeof words, "%s--%s%s%s", letter, row->name,
			row->argument ? " " : "", row->argument ? row->argument : "");
		fprintf(out, "  %-34s %s\n", words, row->help);
	}
}
