/*
 * file: opens what a case, a suite or an option names for reading.
 *
 * Only files: a named pipe waits for a writer that never comes, a terminal for somebody to type, a device may have no
 * end. /dev/null is taken as the empty file.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"

/* The descriptor is the caller's to close. RC_ENVIRONMENT, with path as err's `where`; never waits. */
enum rc file_open(const char *path, int *fd, struct err *err) MUST_USE;

#endif
