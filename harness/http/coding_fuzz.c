/*
 * Fuzzes coding.c: whatever the bytes, decoding ends within its caps, and any cut gives the same bytes and the same
 * verdict. The first byte of the input chooses the codings and the cut.
 */
#include "http/coding.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	struct digest digest;
	enum rc rc;
};

static void keep(void *self, struct slice bytes)
{
	struct outcome *o = self;
	digest_push(&o->digest, bytes);
}

static void run(struct outcome *o, const char *codings, struct slice bytes, size_t piece)
{
	struct err err;
	struct coding *coding = coding_new(codings, keep, o, &err);
	digest_init(&o->digest);
	o->rc = RC_OK;
	while (bytes.len && o->rc == RC_OK) {
		size_t len = piece < bytes.len ? piece : bytes.len;
		void *copy = mem_alloc(len, 1);
		memcpy(copy, bytes.ptr, len);
		o->rc = coding_push(coding, slice_from(copy, len), &err);
		free(copy);
		bytes = slice_part(bytes, len, SIZE_MAX);
	}
	if (o->rc == RC_OK)
		o->rc = coding_end(coding, &err);
	digest_end(&o->digest);
	coding_free(coding);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const codings[] = { "gzip", "deflate", "br", "zstd", "gzip, gzip",
		"gzip, br", "zstd, deflate", "identity" };
	struct outcome whole = { 0 }, cut = { 0 };
	if (!size)
		return 0;
	struct slice bytes = slice_from(data + 1, size - 1);
	run(&whole, codings[data[0] & 7], bytes, SIZE_MAX);
	run(&cut, codings[data[0] & 7], bytes, 1 + (data[0] >> 3));
	/*
	 * Where a stream breaks, how much came before may differ by what was buffered; the verdict may not. But a bomb's
	 * ratio is of what was read until then, and libzstd 1.5.4 sees a frame whose content is not as long as its header
	 * says only where it gets the frame in one piece.
	 */
	bool bomb = whole.rc == RC_LIMIT || cut.rc == RC_LIMIT;
	bool zstd = strstr(codings[data[0] & 7], "zstd");
	if (!bomb && !zstd && whole.rc != cut.rc)
		abort();
	if (whole.rc == RC_OK && cut.rc == RC_OK &&
		digest_differ(&whole.digest, &cut.digest) != UINT64_MAX)
		abort();
	digest_release(&whole.digest);
	digest_release(&cut.digest);
	return 0;
}
