/*
 * coding: content codings (RFC 9110 section 8.4) taken off a stream of bytes: gzip with any number of members (RFC
 * 1952), deflate with and without the zlib wrapper (RFC 1950, 1951), br (RFC 7932), zstd (RFC 8878, window of at most
 * 8 MiB by RFC 9659), and chains of them such as "gzip, gzip".
 *
 *	struct coding *coding = coding_new("gzip", give, self, &err);	// NULL: not a coding it knows
 *	coding_push(coding, bytes, &err)		any cut
 *	coding_end(coding, &err)			a stream that was cut is told here
 *	coding_free(coding);
 *
 * To add a coding: a file coding_NAME.c with its row, and its line in the table of coding.c.
 */
#ifndef HTTP_CODING_H
#define HTTP_CODING_H

#include "base/err.h"
#include "base/slice.h"

enum { CODING_CHAIN_MAX = 4 };
struct coding;

/* codings as in Content-Encoding, in any case; "identity" does nothing. give gets decoded bytes, valid in the call. */
struct coding *coding_new(const char *codings, void (*give)(void *self, struct slice bytes),
	void *self, struct err *err) MUST_USE;
void coding_free(struct coding *coding);

/* RC_INVALID with what is wrong with the stream, RC_LIMIT for a bomb (limits.h); after either no more may be pushed. */
enum rc coding_push(struct coding *coding, struct slice bytes, struct err *err) MUST_USE;
enum rc coding_end(struct coding *coding, struct err *err) MUST_USE;

/* "gzip", "zstd" or "zlib" where the bytes begin with that magic number (br has none), else NULL. */
const char *coding_magic(struct slice bytes);

#endif
