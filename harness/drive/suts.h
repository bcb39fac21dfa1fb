/*
 * suts: starts what a cell of a case needs and ends it.
 */
#ifndef DRIVE_SUTS_H
#define DRIVE_SUTS_H

#include "drive/case_run.h"
#include "model/measure.h"
#include "sut/sample.h"

/*
 * Starts every SUT of the case (those that others stand before come first), or points at the target. A port that was
 * taken meanwhile is tried again. False after a problem was told; suts_stop() is due in any case.
 */
bool suts_start(struct case_run *c, struct scope *scope);

/* How they ended becomes findings: a crash, a sanitizer's report, a stop that had to be forced. */
void suts_stop(struct case_run *c);

/* A SUT that ended by itself becomes a finding, once; false from then on. */
bool suts_alive(struct case_run *c);

/* Has the kernel killed it since its memory cap was full? From then on that is no finding, and the others go on. */
bool suts_spent(struct case_run *c, struct running *running);

/*
 * For a step that measures: samples what a SUT costs until the caller frees it; it marks where the measured part begins
 * and ends. NULL where onus neither started the SUT nor was told its processes, or it has ended.
 */
struct sample *suts_sample(const struct running *running);
/*
 * Stops the sample and adds the quantities `sut.*` of the time between two marks; where its memory is capped,
 * "sut.memory_peak" as well, which is of all its life. What is not known is not added; sample may be NULL.
 */
void suts_cost(const struct running *running, struct sample *sample, int64_t from_ns, int64_t to_ns,
	struct measures *measures);

#endif
