/*
 * difference: where two bodies part, whether they are kept in memory, lie in a file or are known by digest alone.
 */
#ifndef EXPECT_DIFFERENCE_H
#define EXPECT_DIFFERENCE_H

#include "expect/judgement.h"

/* One of the two. */
struct side {
	uint64_t total;              /* its length */
	const struct digest *digest; /* of all of it; may be NULL where kept is all of it */
	struct slice kept;           /* a part of it, or all */
	uint64_t kept_at;            /* where kept begins */
};

struct difference {
	bool differs;
	bool exact;  /* else `at` is the start of the 64 KiB in which they part */
	uint64_t at; /* the first byte that only one has, or that the two have different */
};

struct side side_of_layer(const struct layer *layer);
struct side side_of_text(struct slice text);
/*
 * Of a file: *digest is filled and belongs to the caller (digest_release). kept stays empty until side_read() fetches
 * 64 KiB of it, into the arena.
 */
enum rc side_of_file(
	const char *path, struct digest *digest, struct side *side, struct err *err) MUST_USE;
enum rc side_read(struct side *side, const char *path, uint64_t at, struct arena *arena,
	struct err *err) MUST_USE;

/* Both sides must be kept whole, or have a digest, or differ in length. */
struct difference difference_find(const struct side *a, const struct side *b);
/* Again, after more of a side was fetched. */
void difference_refine(struct difference *difference, const struct side *a, const struct side *b);

/* For people: "3086990 bytes, at byte 65540: \"...\"", of j's arena. */
const char *difference_words(
	struct judgement *j, const struct difference *difference, const struct side *side);

#endif
