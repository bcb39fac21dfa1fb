/*
 * generator: what the kinds of generators share, one row each. Private to generate.
 *
 * To add one: a row in the generate_*.c that holds its concept, a line in the table of generate.c, rows in
 * generate_test.c and in the table of cases/README.md.
 */
#ifndef CASE_GENERATOR_H
#define CASE_GENERATOR_H

#include "case/generate.h"

enum {
	GENERATOR_COUNT_MAX = 1000 * 1000,           /* values */
	GENERATOR_TEXT_MAX_BYTES = 64 * 1024 * 1024, /* of random texts */
	GENERATOR_COPY_MAX_BYTES = 128 * 1024 * 1024 /* of values that come from a list */
};

struct generator {
	const char *name;
	const struct shape *shape;
	/* settings are of the shape; *made is the caller's. RC_USAGE with err.text. */
	enum rc (*make)(
		struct scope_root *root, const cJSON *settings, cJSON **made, struct err *err);
};

extern const struct generator generator_range;
extern const struct generator generator_around;
extern const struct generator generator_ladder;
extern const struct generator generator_pick;
extern const struct generator generator_known;
extern const struct generator generator_uuid;
extern const struct generator generator_text;

/* The shapes of settings: of `generate` itself, a whole number from 0, and a count that may be a size ("8KiB"). */
extern const struct shape generator_kind_shape;
extern const struct shape generator_count_shape;
extern const struct shape generator_size_shape;

/* A number or a size of settings; past 2^53 it counts as that, which is more than any cap here. */
int64_t generator_whole(const cJSON *settings, const char *key, int64_t otherwise);

/*
 * A copy of item behind the last of list; *bytes counts what all of them take. RC_USAGE beyond GENERATOR_COPY_MAX_BYTES:
 * long values many times are what a cap on their number does not stop.
 */
enum rc generator_copy(cJSON *list, const cJSON *item, size_t *bytes, struct err *err) MUST_USE;

/* A random UUID of version 4 (RFC 9562 section 5.4), of the root's arena. */
const char *generator_uuid_text(struct scope_root *root);

#endif
