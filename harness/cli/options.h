/*
 * options: what may stand on the command line, from one table that parses and prints the help.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

/* Commands that take an option, as bits. */
enum option_set {
	OPTIONS_NONE = 0,
	OPTIONS_RUN = 1,
	OPTIONS_LINT = 2,
	OPTIONS_PROVE = 4,
	OPTIONS_REPORT = 8,
	OPTIONS_LIST = 16,
	OPTIONS_LOAD = 32,
};

/* A list of texts. */
struct texts {
	const char **list; /* ended by NULL, also when empty */
	size_t count;
};

/* What `onus load` is asked for, as written: load_job.c reads it. */
struct load_words {
	const char *users, *threads, *duration, *requests, *rate, *max_in_flight, *arrival;
	const char *ramp, *warm_up, *think, *method, *body, *streams;
	const char *accept, *timeout, *hlog, *stages, *burst;
	const char *hold, *add, *every, *until, *trigger;
	struct texts headers, thresholds;
	bool decode, no_calibration, self_test;
};

struct options {
	struct arena *arena;
	struct load_words load;
	const char *suite, *target, *fault, *run_dir, *pid, *container;
	struct texts paths, filters, tags, skip_tags, cells, reports;
	/* How the server is spoken to: connect.c reads them. */
	const char *cacert, *certificate, *key, *unix_socket;
	struct texts resolve;
	bool insecure, http2, http2c, proxy_protocol;
	uint64_t seed;
	bool has_seed, fail_fast, keep, verbose, expand, full, json, merge, help;
	unsigned jobs;            /* 0: as many as cores */
	unsigned min;             /* cases that must have run; 1 by default */
	unsigned max_skips;       /* UINT32_MAX: any */
	const char *command_line; /* see command_line.h */
};

/* argv[0] is the command's name. RC_USAGE with err.text set. Texts point into argv. */
enum rc options_parse(int argc, char **argv, enum option_set set, struct options *options,
	struct err *err) MUST_USE;

/* The rows of a set, one a line. */
void options_help(enum option_set set, FILE *out);

#endif
