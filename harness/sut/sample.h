/*
 * sample: what a SUT costs while something is measured: CPU, memory, descriptors, threads and context switches of all its
 * processes, on a thread of its own. It judges nothing; model/cost.h says what the rows come to.
 *
 * What is cheap is taken at each step, what is not (PSS, context switches of each thread, socket buffers) once a second;
 * both less often where the SUT has so many processes that it would come near 1% of a core. Nothing is sent to or asked of the SUT itself.
 *
 *	struct sample *sample;
 *	if (sample_start(&(struct sample_source){ .pid = sut_pid(sut) }, SAMPLE_EVERY_NS, &sample, &err) == RC_OK) {
 *		int64_t from_ns = sample_mark(sample);		warm-up is over
 *		int64_t to_ns = sample_mark(sample);		and so is the measuring
 *		sample_stop(sample);
 *		cost_sum(sample_cost(sample), from_ns, to_ns, &sum);
 *		sample_free(sample);
 *	}
 */
#ifndef SUT_SAMPLE_H
#define SUT_SAMPLE_H

#include "base/err.h"
#include "model/cost.h"

#define SAMPLE_EVERY_NS (100 * INT64_C(1000000))

struct sample;

/* One of the two, or neither: nobody's cost is sampled. */
struct sample_source {
	int pid;               /* with all that descends from it */
	const char *container; /* its id or the beginning of it: container.h; NULL: by pid */
};

/*
 * RC_ENVIRONMENT where there is no such process; RC_USAGE for an id that is too short. err may be NULL. *sample is NULL
 * where the source has neither.
 */
enum rc sample_start(const struct sample_source *source, int64_t every_ns, struct sample **sample,
	struct err *err) MUST_USE;

/* Takes a row now, on the caller's thread, and tells its time: where the measured part begins or ends. */
int64_t sample_mark(struct sample *sample);
/* The last row, with what is taken each second as it was last time; false where nothing is left of the SUT. Any thread may ask. */
bool sample_last(struct sample *sample, struct cost_row *row);

/* Takes a last row and ends the thread. sample_free() does it where it was not done. sample may be NULL. */
void sample_stop(struct sample *sample);
/* After sample_stop(); as long as the sample. */
const struct cost *sample_cost(const struct sample *sample);
/* CPU that its thread has taken, after sample_stop(). */
int64_t sample_own_ns(const struct sample *sample);
/* sample may be NULL. */
void sample_free(struct sample *sample);

#endif
