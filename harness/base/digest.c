#include "base/digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"

_Static_assert(sizeof(XXH128_canonical_t) == 16, "a digest keeps 16 bytes a block");

void digest_init(struct digest *digest)
{
	XXH3_state_t *state = XXH3_createState();
	if (!state || XXH3_128bits_reset(state) != XXH_OK)
		BUG("no state for XXH3");
	*digest = (struct digest){ .state = state };
}

void digest_release(struct digest *digest)
{
	XXH3_freeState(digest->state);
	free(digest->blocks);
	*digest = (struct digest){ 0 };
}

static void end_block(struct digest *digest)
{
	size_t count = digest->count;
	/* Room for 1, 2, 4, 8... blocks: grown whenever the count reaches a power of two. */
	if ((count & (count - 1)) == 0)
		digest->blocks =
			mem_grow(digest->blocks, count ? 2 * count : 1, sizeof *digest->blocks);
	XXH128_canonical_t bytes;
	XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(digest->state));
	memcpy(digest->blocks[count], bytes.digest, sizeof bytes.digest);
	digest->count++;
	if (XXH3_128bits_reset(digest->state) != XXH_OK)
		BUG("XXH3 cannot be reset");
}

void digest_push(struct digest *digest, struct slice bytes)
{
	if (!digest->state)
		BUG("bytes for a digest that has ended");
	while (bytes.len) {
		size_t room = DIGEST_BLOCK_BYTES - (size_t)(digest->bytes % DIGEST_BLOCK_BYTES);
		struct slice part = slice_part(bytes, 0, room);
		if (XXH3_128bits_update(digest->state, part.ptr, part.len) != XXH_OK)
			BUG("XXH3 takes no bytes");
		digest->bytes += part.len;
		if (part.len == room)
			end_block(digest);
		bytes = slice_part(bytes, part.len, SIZE_MAX);
	}
}

void digest_end(struct digest *digest)
{
	if (!digest->state)
		BUG("a digest ended twice");
	if (digest->bytes % DIGEST_BLOCK_BYTES)
		end_block(digest);
	XXH3_freeState(digest->state);
	digest->state = NULL;
}

uint64_t digest_differ(const struct digest *a, const struct digest *b)
{
	size_t common = a->count < b->count ? a->count : b->count;
	for (size_t i = 0; i < common; i++)
		if (memcmp(a->blocks[i], b->blocks[i], sizeof a->blocks[i]) != 0)
			return (uint64_t)i * DIGEST_BLOCK_BYTES;
	if (a->bytes == b->bytes)
		return UINT64_MAX;
	return a->bytes < b->bytes ? a->bytes : b->bytes;
}

static enum rc push_file(int fd, const char *path, struct digest *digest, struct err *err)
{
	enum rc rc = RC_OK;
	uint8_t *chunk = mem_alloc(1, DIGEST_BLOCK_BYTES);
	for (;;) {
		ssize_t n = read(fd, chunk, DIGEST_BLOCK_BYTES);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_errno(err, RC_ENVIRONMENT, path, "cannot be read");
		if (n <= 0)
			break;
		digest_push(digest, slice_from(chunk, (size_t)n));
	}
	free(chunk);
	return rc;
}

enum rc digest_file(const char *path, struct digest *digest, struct err *err)
{
	digest_init(digest);
	int fd;
	enum rc rc = file_open(path, &fd, err);
	if (rc != RC_OK)
		return rc;
	rc = push_file(fd, path, digest, err);
	close(fd);
	digest_end(digest);
	return rc;
}
