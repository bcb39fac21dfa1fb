#include "expect/difference.h"

#include <unistd.h>

#include "base/file.h"

enum { SHOWN_BYTES = 24 };

struct side side_of_layer(const struct layer *layer)
{
	return (struct side){
		.total = layer->bytes,
		.digest = &layer->digest,
		.kept = layer->kept,
	};
}

struct side side_of_text(struct slice text)
{
	return (struct side){ .total = text.len, .kept = text };
}

enum rc side_of_file(const char *path, struct digest *digest, struct side *side, struct err *err)
{
	enum rc rc = digest_file(path, digest, err);
	*side = (struct side){ .digest = digest };
	if (rc == RC_OK)
		side->total = digest->bytes;
	return rc;
}

enum rc side_read(
	struct side *side, const char *path, uint64_t at, struct arena *arena, struct err *err)
{
	int fd;
	enum rc rc = file_open(path, &fd, err);
	if (rc != RC_OK)
		return rc;
	uint8_t *block = arena_alloc(arena, DIGEST_BLOCK_BYTES, 1);
	ssize_t got = pread(fd, block, DIGEST_BLOCK_BYTES, (off_t)at);
	if (got < 0)
		rc = err_errno(err, RC_ENVIRONMENT, path, "read");
	close(fd);
	side->kept = slice_from(block, got < 0 ? 0 : (size_t)got);
	side->kept_at = at;
	return rc;
}

/* What of a side is kept from `at` on. */
static struct slice kept_from(const struct side *side, uint64_t at)
{
	if (at < side->kept_at || at - side->kept_at > side->kept.len)
		return slice_from(NULL, 0);
	return slice_part(side->kept, at - side->kept_at, SIZE_MAX);
}

void difference_refine(struct difference *difference, const struct side *a, const struct side *b)
{
	struct slice left = kept_from(a, difference->at), right = kept_from(b, difference->at);
	size_t same = 0, both = left.len < right.len ? left.len : right.len;
	while (same < both && left.ptr[same] == right.ptr[same])
		same++;
	uint64_t shorter = a->total < b->total ? a->total : b->total;
	difference->exact = same < both || difference->at + same == shorter;
	if (difference->exact)
		difference->at += same;
}

static bool is_whole(const struct side *side)
{
	return side->kept.ptr && side->kept_at == 0 && side->kept.len == side->total;
}

struct difference difference_find(const struct side *a, const struct side *b)
{
	struct difference difference = { .differs = a->total != b->total };
	if (is_whole(a) && is_whole(b)) {
		difference.differs = !slice_equal(a->kept, b->kept);
	} else if (a->digest && b->digest) {
		difference.at = digest_differ(a->digest, b->digest);
		difference.differs = difference.at != UINT64_MAX;
	} else if (!difference.differs) {
		BUG("two sides of %llu bytes that can't be compared", (unsigned long long)a->total);
	}
	if (difference.differs)
		difference_refine(&difference, a, b);
	return difference;
}

const char *difference_words(
	struct judgement *j, const struct difference *difference, const struct side *side)
{
	unsigned long long total = side->total, at = difference->at;
	struct slice near = slice_part(kept_from(side, at), 0, SHOWN_BYTES);
	if (total == 0)
		return "nothing (0 bytes)";
	if (at >= total)
		return arena_print(j->arena, "%llu bytes, at byte %llu the end", total, at);
	if (!difference->exact || !near.ptr)
		return arena_print(j->arena,
			"%llu bytes, different in the 64 KiB from byte %llu on", total, at);
	return arena_print(j->arena, "%llu bytes, at byte %llu %s%s", total, at,
		judge_quote(j, near), at + near.len < total ? "..." : "");
}
