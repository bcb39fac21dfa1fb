/*
 * calibrate: before the cases of a run, and once for all of them: what onus itself can do at most on this machine, for
 * those that load.
 */
#ifndef DRIVE_CALIBRATE_H
#define DRIVE_CALIBRATE_H

#include "drive/run.h"

/* Fills run->null where a case has a load; run->stop_fd is set. Forks: no thread may run yet. Texts of the arena. */
void calibrate(struct run *run, struct case_file *const *cases, size_t count, struct arena *arena);

#endif
