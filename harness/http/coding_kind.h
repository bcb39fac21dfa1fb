/*
 * coding_kind: the row of one content coding in the table of coding.c, and what its decoder gives bytes to.
 */
#ifndef HTTP_CODING_KIND_H
#define HTTP_CODING_KIND_H

#include "http/coding.h"

enum { CODING_OUT_BYTES = 64 * 1024 };

struct coding_stage;

/* Hands decoded bytes to the next stage; what it returns (a limit, an error further on) ends the push. */
enum rc coding_give(struct coding_stage *stage, struct slice bytes, struct err *err) MUST_USE;

struct coding_kind {
	const char *name, *alias; /* alias may be NULL */
	void *(*open)(void);
	void (*close)(void *state);
	/* Decodes all of in, through out (CODING_OUT_BYTES of scratch). *consumed tells how much had been read at each
	 * coding_give, for the ratio. */
	enum rc (*push)(void *state, struct coding_stage *stage, struct slice in, uint8_t *out,
		struct err *err);
	enum rc (*end)(void *state, struct err *err);
};

extern const struct coding_kind coding_gzip, coding_deflate, coding_brotli, coding_zstd;

/* A stage's decoder says how many bytes it has read so far, before it gives any. */
void coding_consumed(struct coding_stage *stage, size_t bytes);

#endif
