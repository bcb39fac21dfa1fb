/*
 * frames: the outer frames of a case: what onus brings, the suite's variables, the case's own, a cell of its matrix.
 */
#ifndef CASE_FRAMES_H
#define CASE_FRAMES_H

#include "case/cells.h"
#include "model/case.h"

/* Names of onus's own, without values in a lenient scope; the seed is known always. */
struct scope *frames_outer(struct scope_root *root, const struct suite *suite,
	const struct case_file *one, uint64_t seed, bool lenient) MUST_USE;

/* `sut root files to services` of the SUT that a step speaks to. Values are of the root's arena; NULL: not known. */
struct frames_sut {
	const char *root, *files, *host;
	const char *scheme;    /* NULL: http */
	const char *socket;    /* the path of its Unix socket, or NULL */
	int port, to_port;     /* 0: not known */
	const cJSON *services; /* { "NAME": { "port": N } } */
};
struct scope *frames_sut(const struct scope *outer, const struct frames_sut *sut) MUST_USE;

#endif
