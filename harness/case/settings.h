/*
 * settings: how the SUT of a case is to be started: the suite's `sut` (or a profile), the case's `sut` over it, one of
 * its `suts` over that, and what `refuses` sets over all.
 */
#ifndef CASE_SETTINGS_H
#define CASE_SETTINGS_H

#include "case/scope.h"
#include "model/case.h"

/*
 * One object with the keys of a process and `root args to`, variables unresolved. variant: a name of `suts` or NULL;
 * over: settings of `refuses`, or NULL. env is merged by name (null unsets), files likewise, args are appended to the
 * command, all else is replaced. The caller frees it by cJSON_Delete.
 */
cJSON *settings_merge(const struct suite *suite, const struct case_file *one, const char *variant,
	const cJSON *over) MUST_USE;

/* The profile that takes the SUT's place there, or NULL. */
const char *settings_profile(const struct case_file *one, const char *variant);

/* Which HTTP it is spoken to by: "http/1.1" where nothing is said. */
const char *settings_protocol(
	const struct suite *suite, const struct case_file *one, const char *variant);

/*
 * The folder that `root` of the merged settings names: one of the suite's roots, or a path. Absolute, of the root's
 * arena. RC_USAGE: no root is set, no such folder. In a lenient scope *path is NULL where it is not known yet.
 */
enum rc settings_root(struct scope *scope, const struct suite *suite, const cJSON *settings,
	const char **path, struct err *err) MUST_USE;

/*
 * "root:assets/app.css" or "file:photo.png" (beside the case) to a path of the root's arena. RC_USAGE with err set
 * where there is no such file. In a lenient scope *path is NULL where it is not known yet.
 */
enum rc settings_path(struct scope *scope, const struct suite *suite, const struct case_file *one,
	const char *variant, const char *reference, const char **path, struct err *err) MUST_USE;

/* "NAME" beside the case file. */
const char *settings_beside(struct arena *arena, const struct case_file *one, const char *name);

#endif
