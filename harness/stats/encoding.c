#include "stats/encoding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "stats/base64.h"

/* The bits 0x10 say that counts are LEB128; decoders of V2 know no other. */
#define COOKIE            UINT32_C(0x1c849313)
#define COOKIE_COMPRESSED UINT32_C(0x1c849314)

enum {
	OUTER_BYTES = 8, /* cookie, length of what follows */
	HEAD_BYTES =
		40, /* cookie, length of counts, index offset, digits, lowest, highest, ratio */
	COUNT_BYTES = 9, /* the most that a count takes */
	MAX_DIGITS = 5,
	WORDS_MAX_BYTES = 1 << 19, /* 24,576 counts of ours at 9 bytes are less than half of it */
};

static void put(uint8_t *to, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static uint64_t get(const uint8_t *from, size_t bytes)
{
	uint64_t value = 0;
	for (size_t i = 0; i < bytes; i++)
		value = value << 8 | from[i];
	return value;
}

/* Zigzag, then 7 bits a byte, lowest first, the top bit set where another follows; the ninth byte has 8. */
static size_t put_word(uint8_t *to, int64_t value)
{
	uint64_t zigzag = (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
	size_t n = 0;
	for (; n < COUNT_BYTES - 1 && zigzag >> 7; zigzag >>= 7)
		to[n++] = (uint8_t)(zigzag | 0x80);
	to[n++] = (uint8_t)zigzag;
	return n;
}

static bool get_word(struct slice *from, int64_t *value)
{
	uint64_t zigzag = 0;
	for (size_t i = 0; i < COUNT_BYTES; i++) {
		if (i >= from->len)
			return false;
		uint64_t byte = from->ptr[i];
		bool more = i < COUNT_BYTES - 1 && byte & 0x80;
		zigzag |= (more ? byte & 0x7f : byte) << 7 * i;
		if (more)
			continue;
		*from = slice_part(*from, i + 1, from->len);
		*value = (int64_t)(zigzag >> 1 ^ (0 - (zigzag & 1)));
		return true;
	}
	return false;
}

static size_t put_counts(uint8_t *to, const struct hist *hist)
{
	struct hist_bucket bucket;
	size_t n = 0, at = 0, before = 0;
	for (; hist_next(hist, &at, &bucket); before = at) {
		size_t zeros = at - 1 - before;
		if (zeros)
			n += put_word(to + n, zeros > 1 ? -(int64_t)zeros : 0);
		n += put_word(to + n, (int64_t)bucket.count);
	}
	/* Of an empty histogram, the count of its first bucket. */
	return n ? n : put_word(to, 0);
}

void encoding_write(struct buf *text, const struct hist *hist)
{
	double ratio = 1;
	uint64_t ratio_bits;
	uint8_t *plain = mem_alloc(1, WORDS_MAX_BYTES);
	memcpy(&ratio_bits, &ratio, sizeof ratio_bits);
	size_t counts = put_counts(plain + HEAD_BYTES, hist);
	put(plain, COOKIE, 4);
	put(plain + 4, counts, 4);
	put(plain + 8, 0, 4);
	put(plain + 12, HIST_DIGITS, 4);
	put(plain + 16, HIST_LOWEST_NS, 8);
	put(plain + 24, HIST_HIGHEST_NS, 8);
	put(plain + 32, ratio_bits, 8);
	uLongf deflated = compressBound(HEAD_BYTES + counts);
	uint8_t *outer = mem_alloc(1, OUTER_BYTES + deflated);
	if (compress(outer + OUTER_BYTES, &deflated, plain, HEAD_BYTES + counts) != Z_OK)
		BUG("zlib refuses %zu bytes", HEAD_BYTES + counts);
	put(outer, COOKIE_COMPRESSED, 4);
	put(outer + 4, deflated, 4);
	if (base64_write(text, slice_from(outer, OUTER_BYTES + deflated)) != RC_OK)
		BUG("a histogram of %lu bytes", (unsigned long)deflated);
	free(outer);
	free(plain);
}

/* The layout that a text names: that of hist.c, with other numbers. */
struct layout {
	int unit_bits, half_bits;
	uint64_t slots;
};

static enum rc read_layout(
	const uint8_t *head, const char *where, struct layout *layout, struct err *err)
{
	uint64_t digits = get(head + 12, 4), lowest = get(head + 16, 8),
		 highest = get(head + 24, 8);
	if (get(head, 4) != COOKIE)
		return err_set(err, RC_INVALID, where,
			"expected a histogram in encoding V2 (0x%" PRIx32 "), found 0x%" PRIx64,
			COOKIE, get(head, 4));
	if (digits > MAX_DIGITS)
		return err_set(err, RC_INVALID, where,
			"expected at most %d significant digits, found %" PRIu64, MAX_DIGITS,
			digits);
	uint64_t units = 2;
	for (uint64_t i = 0; i < digits; i++)
		units *= 10;
	layout->half_bits = 63 - __builtin_clzll(units - 1);
	layout->unit_bits = lowest ? 63 - __builtin_clzll(lowest) : 0;
	int top_bits = highest ? 63 - __builtin_clzll(highest) : 0;
	if (!lowest || highest > INT64_MAX || highest / 2 < lowest ||
		layout->unit_bits + layout->half_bits > 61)
		return err_set(err, RC_INVALID, where,
			"expected values from at least 1 to at least twice that, found %" PRIu64
			" to %" PRIu64 " with %" PRIu64 " digits",
			lowest, highest, digits);
	/* The doublings behind the first that it takes to get above the highest. */
	int doublings = top_bits - layout->unit_bits - layout->half_bits;
	layout->slots = (uint64_t)((doublings > 0 ? doublings : 0) + 2) << layout->half_bits;
	return RC_OK;
}

/* Records one bucket of another's layout, or of ours; false where values so high don't exist. */
static bool record_slot(struct hist *hist, const struct layout *layout, uint64_t slot,
	uint64_t count, struct hist_bucket *bucket)
{
	uint64_t doubling = slot >> layout->half_bits;
	doubling -= doubling > 0;
	int shift = (int)doubling + layout->unit_bits;
	uint64_t units = slot - (doubling << layout->half_bits);
	if (shift + layout->half_bits > 61)
		return false;
	bucket->low_ns = (int64_t)(units << shift);
	bucket->high_ns = bucket->low_ns + (INT64_C(1) << shift) - 1;
	bucket->count = count;
	int64_t middle_ns = bucket->low_ns + (INT64_C(1) << shift) / 2;
	/* The bucket in which an hour lies reaches above it, but what it holds doesn't. */
	if (middle_ns > HIST_HIGHEST_NS && bucket->low_ns <= HIST_HIGHEST_NS)
		middle_ns = HIST_HIGHEST_NS;
	hist_record_many(hist, middle_ns, count);
	return true;
}

static enum rc read_counts(struct slice counts, const struct layout *layout, const char *where,
	struct hist *hist, struct err *err)
{
	struct hist_bucket bucket = { 0 };
	int64_t min_ns = -1, count;
	uint64_t slot = 0, total = 0;
	while (counts.len) {
		if (!get_word(&counts, &count))
			return err_set(err, RC_INVALID, where,
				"expected a whole count, found the end in the middle of one");
		uint64_t step = count < 0 ? 0 - (uint64_t)count : 1;
		if (step > layout->slots - slot)
			return err_set(err, RC_INVALID, where,
				"expected at most %" PRIu64 " counts, found more", layout->slots);
		if (count > 0 && (uint64_t)count > INT64_MAX - total)
			return err_set(err, RC_INVALID, where,
				"expected counts below 2^63 in all, found more");
		if (count > 0 && !record_slot(hist, layout, slot, (uint64_t)count, &bucket))
			return err_set(err, RC_INVALID, where,
				"expected values below 2^62, found count %" PRIu64, slot);
		if (count > 0 && min_ns < 0)
			min_ns = bucket.low_ns;
		total += count > 0 ? (uint64_t)count : 0;
		slot += step;
	}
	int64_t max_ns = bucket.high_ns;
	hist_widen(hist, min_ns, max_ns < HIST_HIGHEST_NS ? max_ns : HIST_HIGHEST_NS);
	return RC_OK;
}

/* Inflates just so many bytes; false where that isn't possible. */
static bool inflate_part(z_stream *stream, uint8_t *to, size_t bytes)
{
	stream->next_out = to;
	stream->avail_out = (uInt)bytes;
	if (!bytes)
		return true;
	int result = inflate(stream, Z_SYNC_FLUSH);
	return (result == Z_OK || result == Z_STREAM_END) && !stream->avail_out;
}

/* Whether nothing more comes out of it, its checksum holds, and nothing stands behind it. */
static bool inflate_ends(z_stream *stream)
{
	uint8_t surplus;
	stream->next_out = &surplus;
	stream->avail_out = 1;
	int result = inflate(stream, Z_SYNC_FLUSH);
	stream->next_out = NULL;
	return result == Z_STREAM_END && stream->avail_out && !stream->avail_in;
}

static enum rc read_inflated(
	z_stream *stream, const char *where, struct hist *hist, bool *exact, struct err *err)
{
	uint8_t head[HEAD_BYTES];
	struct layout layout = { 0 };
	if (!inflate_part(stream, head, sizeof head))
		return err_set(err, RC_INVALID, where,
			"expected the head of a histogram, deflated, found something else");
	enum rc rc = read_layout(head, where, &layout, err);
	if (rc != RC_OK)
		return rc;
	uint64_t bytes = get(head + 4, 4);
	if (bytes > ENCODING_MAX_BYTES)
		return err_set(err, RC_LIMIT, where,
			"expected at most %d bytes of counts, found %" PRIu64, ENCODING_MAX_BYTES,
			bytes);
	uint8_t *counts = mem_alloc(1, bytes + 1);
	if (!inflate_part(stream, counts, bytes) || !inflate_ends(stream))
		rc = err_set(err, RC_INVALID, where,
			"expected %" PRIu64 " bytes of counts, deflated, found something else",
			bytes);
	else
		rc = read_counts(slice_from(counts, bytes), &layout, where, hist, err);
	free(counts);
	*exact = layout.unit_bits == 9 && layout.half_bits == 10 && !hist_over(hist);
	return rc;
}

static enum rc read_outer(
	struct slice outer, const char *where, struct hist *hist, bool *exact, struct err *err)
{
	z_stream stream = { 0 };
	if (outer.len < OUTER_BYTES || get(outer.ptr, 4) != COOKIE_COMPRESSED)
		return err_set(err, RC_INVALID, where,
			"expected a compressed histogram in encoding V2 (HISTF...), found another start");
	if (get(outer.ptr + 4, 4) != outer.len - OUTER_BYTES)
		return err_set(err, RC_INVALID, where,
			"expected a compressed histogram of %" PRIu64 " bytes, found %zu",
			get(outer.ptr + 4, 4), outer.len - OUTER_BYTES);
	stream.next_in = (uint8_t *)outer.ptr + OUTER_BYTES;
	stream.avail_in = (uInt)(outer.len - OUTER_BYTES);
	if (inflateInit(&stream) != Z_OK)
		BUG("zlib can't start");
	enum rc rc = read_inflated(&stream, where, hist, exact, err);
	inflateEnd(&stream);
	return rc;
}

enum rc encoding_read(
	struct slice text, const char *where, struct hist *hist, bool *exact, struct err *err)
{
	struct buf outer;
	buf_init(&outer, ENCODING_MAX_TEXT_BYTES);
	hist_clear(hist);
	*exact = false;
	enum rc rc = base64_read(&outer, text);
	if (rc == RC_OK)
		rc = read_outer(buf_slice(&outer), where, hist, exact, err);
	else if (rc == RC_LIMIT)
		err_set(err, rc, where,
			"expected at most %d bytes of a compressed histogram, found more",
			ENCODING_MAX_TEXT_BYTES);
	else
		err_set(err, rc, where, "expected a histogram as base64, found something else");
	buf_release(&outer);
	return rc;
}
