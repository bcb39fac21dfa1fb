/*
 * resolver: what template.c (texts and trees) and look_up.c (names) share while a value is resolved.
 */
#ifndef CASE_RESOLVER_H
#define CASE_RESOLVER_H

#include "case/template.h"

enum {
	RESOLVE_DEPTH_MAX = 32,
	RESOLVE_MAX_BYTES = 16 * 1024 * 1024,
	RESOLVE_BROUGHT_MAX = 4,
};

struct resolver {
	struct scope *scope;
	struct err *err;
	uint64_t bytes; /* made so far, those on the way to others too: see resolver_account */
	uint64_t
		free_bytes; /* what the values below may take beyond that, each once: they have caps of their own */
	const struct binding *brought[RESOLVE_BROUGHT_MAX]; /* generated or received */
	size_t brought_count;
};

/*
 * Counts what is made while one value is resolved, and every look at a variable: variables that hold others twice each
 * grow without bound otherwise. RC_USAGE beyond RESOLVE_MAX_BYTES, which the root remembers as `overgrown`.
 */
enum rc resolver_account(struct resolver *r, size_t bytes) MUST_USE;
/* As much as the value takes that a binding has brought is not counted, where it is one of the first and met first. */
void resolver_free_of(struct resolver *r, const struct binding *b, const cJSON *value);

/* The values being resolved: meeting one of them again is a circle. */
struct chain {
	const struct chain *outer;
	const cJSON *node;
	int depth;
};

/*
 * *value is NULL where the name is declared but not known yet, else of the root's arena or of the binding: *brought
 * tells that a generator or an answer has brought it.
 */
enum rc look_up(struct resolver *r, const struct reference *reference, const struct chain *chain,
	const cJSON **value, bool *brought) MUST_USE;

/* A copy of value with every variable in its place, of the root's arena. */
enum rc resolver_copy(struct resolver *r, const cJSON *value, const struct chain *chain,
	cJSON **resolved) MUST_USE;

#endif
