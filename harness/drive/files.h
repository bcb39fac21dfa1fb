/*
 * files: the folders of a run.
 */
#ifndef DRIVE_FILES_H
#define DRIVE_FILES_H

#include "base/arena.h"
#include "base/slice.h"

/* Removes a folder with all that is in it; what cannot be removed stays. */
void files_remove(const char *path);

/* The last lines of what a process printed: at most `lines`, and 4 KiB; NULL where there are none. Of the arena. */
const char *files_tail(struct arena *arena, struct slice output, size_t lines);

#endif
