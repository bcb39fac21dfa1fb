/*
 * case: what a case file and a suite file say, once case/ has checked them. Data only.
 *
 * Values that may hold variables stay JSON nodes of the file's tree and are resolved when they are used. Everything is
 * of the case's (suite's) arena and read-only after loading, so that any number of threads may run it at once.
 */
#ifndef MODEL_CASE_H
#define MODEL_CASE_H

#include "base/arena.h"
#include "base/json.h"
#include "base/place.h"

enum verb {
	VERB_REQUEST, /* get head post put patch delete options request */
	VERB_GROUP,
	VERB_RAW,
	VERB_REFUSES,
	VERB_EXEC,
	VERB_PAUSE,
	VERB_STREAM,
	VERB_AWAIT,
	VERB_QUIET,
	VERB_BUDGET,
	VERB_UPSTREAM,
	VERB_JOURNAL,
	VERB_PARALLEL,
	VERB_BARRIER,
	VERB_PROBE,
	VERB_OPENAPI,
	VERB_LOAD,
	VERB_HOLD,
	VERB_COUNT,
};

/* A named list of a `parallel`. */
struct step_list {
	const char *name;
	struct step *steps;
	size_t count;
};

struct step {
	const struct json *json; /* the file it stands in: a case, or a suite's sign-in steps */
	enum verb verb;
	const char *word; /* the verb as written: "get"; a request that is a string has "get" too */
	const cJSON *node;    /* the whole step */
	const cJSON *subject; /* the verb's value (the string itself for a bare string) */
	const char *name;     /* or NULL */
	const cJSON *expect;  /* or NULL */
	const cJSON *matrix;  /* or NULL */
	const char
		*to; /* one of `suts`: its own, or that of the nearest group or the case; or NULL */
	const struct step *outer; /* the group it stands in, or NULL */
	const char *
		as; /* the user of its session: its own, or that of the nearest group or the case; or NULL */
	struct step *
		steps; /* of a group, a stream's while it is open, of each round of a hold, or a probe's `while` */
	size_t step_count;
	struct step *
		inner; /* requests that are its subject: [0] of a stream, hold, budget, probe or openapi, all of a load, then `unaffected` */
	size_t inner_count;
	struct step_list *lists; /* of a parallel */
	size_t list_count;
	struct place place;
	const char *control; /* of an openapi's guard: the user who must be let in; or NULL */
	bool alone;          /* its clock matters: nothing else of onus may run beside it */
};

/* A fault that the case must fail under, and the pointers of findings of which one must appear (none: any will do). */
struct catch
{
	const char *fault;
	const char **pointers;
	size_t pointer_count;
	struct place place;
};

/* Something the machine must have, else the case is skipped. Exactly one of command, sut and feature is set. */
struct requirement {
	const char *command, *version; /* version: ">= 2.4", or NULL */
	const char *sut;               /* "owned" */
	const char *feature;           /* "memory_cap" */
	struct place place;
};

struct case_file {
	struct arena *arena;
	struct json *json;
	const char *path; /* as it was found: "cases/static/paths.json" */
	const char *id;   /* "static/paths" */
	const char *title;
	const char *why; /* or NULL */
	const char **tags;
	size_t tag_count;
	struct requirement *requires;
	size_t require_count;
	struct catch *catches;
	size_t catch_count;
	bool has_catches; /* `catches` is there, be it empty */
	const char **must_fail;
	size_t must_fail_count;
	const cJSON *sut, *suts, *upstream, *variables, *matrix, *floor, *headers;
	struct step *steps;
	size_t step_count;
	bool needs_sut;      /* some step sends a request, or has a user sign in */
	bool needs_upstream; /* or starts a SUT, or looks at the upstream */
};

struct suite {
	struct arena *arena;
	struct json *json;
	const char *path; /* NULL where there is none (--target) */
	const cJSON *sut, *roots, *services, *profiles, *variables, *faults, *upstream, *sessions;
	struct step *session_steps; /* that sign a user in */
	size_t session_step_count;
};

#endif
