/*
 * digest: a body too long to keep, in 16 bytes for each 64 KiB, so that two can be compared and the block told in which
 * they first differ. XXH3 (128 bits) from libxxhash: not for security, only against accidents.
 *
 *	struct digest d;
 *	digest_init(&d);
 *	digest_push(&d, bytes);		any chunking gives the same digest
 *	digest_end(&d);
 *	digest_release(&d);
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/err.h"
#include "base/slice.h"

enum { DIGEST_BLOCK_BYTES = 64 * 1024 };

struct digest {
	uint64_t bytes;
	uint8_t (*blocks)[16];
	size_t count;
	void *state;
};

void digest_init(struct digest *digest);
void digest_release(struct digest *digest);
void digest_push(struct digest *digest, struct slice bytes);
void digest_end(struct digest *digest);

/* Start of the first block that differs (or of the end of the shorter), or UINT64_MAX where the two are equal. */
uint64_t digest_differ(const struct digest *a, const struct digest *b);
/* Of a whole file. Initialises *digest, which the caller releases, also where it fails. */
enum rc digest_file(const char *path, struct digest *digest, struct err *err) MUST_USE;

#endif
