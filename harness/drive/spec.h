/*
 * spec: settings of a case with their variables resolved, as the processes that sut/ starts.
 */
#ifndef DRIVE_SPEC_H
#define DRIVE_SPEC_H

#include "drive/case_run.h"

/* What starting one SUT of a case takes. All of cell_arena, but for the listening descriptors. */
struct spec_set {
	struct process_spec *list; /* services first, the SUT last */
	size_t count;
	struct client_options address; /* how the SUT is spoken to; of cell_arena */
	const char *dir;
	struct scope *frame; /* with `sut root files to services` of the SUT */
};

/*
 * Picks ports, opens listening sockets, renders files below dir. variant NULL: the case has only one; over: what
 * `refuses` sets, or NULL. to_port: of the SUT it stands before, or 0. RC_USAGE, RC_ENVIRONMENT.
 */
enum rc spec_build(struct case_run *c, const char *variant, const cJSON *over, const char *dir,
	int to_port, struct scope *scope, struct spec_set *set, struct err *err) MUST_USE;

/* Closes the listening descriptors, which the processes have by then. */
void spec_release(struct spec_set *set);

/* Environment for a program of a case: a few names of onus's own (PATH, HOME, LANG, TMPDIR, ...) and `env` over them. */
const char *const *spec_environment(
	struct arena *arena, const cJSON *env, const char *fault_name, const char *fault);

/* A list of texts as argv, ended by NULL; of the arena. */
const char *const *spec_words(struct arena *arena, const cJSON *list);

/* Makes a folder and those above it. */
enum rc spec_folder(const char *path, struct err *err) MUST_USE;

#endif
