/*
 * load: case files and a suite, read, checked and turned into what model/case.h describes.
 *
 * All that is wrong with a file is added to errors at once: form (shape.h), then what needs the whole file: names,
 * variables, files that must exist, `when` that covers no cell.
 */
#ifndef CASE_LOAD_H
#define CASE_LOAD_H

#include "model/case.h"

/* path NULL: no suite, all members are NULL. RC_USAGE: see errors. The caller frees it, also after an error. */
enum rc suite_load(const char *path, struct suite **suite, struct errors *errors) MUST_USE;
void suite_free(struct suite *suite);

/*
 * RC_USAGE: see errors, and *one is NULL. Errors of kind RC_LIMIT (a `when` without cells) leave the case usable, so
 * that the caller can go on and end with 4.
 */
enum rc case_load(const char *path, const struct suite *suite, struct case_file **one,
	struct errors *errors) MUST_USE;
void case_free(struct case_file *one);

/*
 * The case files of paths (files as they are; folders with all that is below them, sorted, except folders with a suite
 * of their own): *.json and *.jsonc, but for suite.json, hidden files, and data files, whose stem has a dot
 * (openapi.accepted.json). A link that leads back to a folder above it is not followed. Texts of arena. RC_USAGE: no
 * such file, one that cannot be read.
 */
enum rc case_find(const char *const *paths, size_t count, struct arena *arena, const char ***files,
	size_t *file_count, struct err *err) MUST_USE;

#endif
