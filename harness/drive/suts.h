/*
 * suts: starts what a cell of a case needs and ends it.
 */
#ifndef DRIVE_SUTS_H
#define DRIVE_SUTS_H

#include "drive/case_run.h"

/*
 * Starts every SUT of the case (those that others stand before come first), or points at the target. A port that was
 * taken meanwhile is tried again. False after a problem was told; suts_stop() is due in any case.
 */
bool suts_start(struct case_run *c, struct scope *scope);

/* How they ended becomes findings: a crash, a sanitizer's report, a stop that had to be forced. */
void suts_stop(struct case_run *c);

/* A SUT that ended by itself becomes a finding, once; false from then on. */
bool suts_alive(struct case_run *c);

#endif
