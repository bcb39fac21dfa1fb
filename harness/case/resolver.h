/*
 * resolver: what template.c (texts and trees) and look_up.c (names) share while a value is resolved.
 */
#ifndef CASE_RESOLVER_H
#define CASE_RESOLVER_H

#include "case/template.h"

enum { RESOLVE_DEPTH_MAX = 32, RESOLVE_TEXT_MAX_BYTES = 64 * 1024 * 1024 };
/* Of all that one value resolves to: variables that hold variables twice each grow without bound otherwise. */
#define RESOLVE_MAX_BYTES (UINT64_C(256) * 1024 * 1024)

struct resolver {
	struct scope *scope;
	struct err *err;
	uint64_t bytes; /* made so far */
};

/* The values being resolved: meeting one of them again is a circle. */
struct chain {
	const struct chain *outer;
	const cJSON *node;
	int depth;
};

/* *value is NULL where the name is declared but not known yet, else of the root's arena or of the binding. */
enum rc look_up(struct resolver *r, const struct reference *reference, const struct chain *chain,
	const cJSON **value) MUST_USE;

/* A copy of value with every variable in its place, of the root's arena. */
enum rc resolver_copy(struct resolver *r, const cJSON *value, const struct chain *chain,
	cJSON **resolved) MUST_USE;

#endif
