#include "http/coding_kind.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, ZLIB_WINDOW = 15, RAW_WINDOW = -15 };

struct inflating {
	z_stream stream;
	bool open;    /* stream is initialised */
	bool inside;  /* in a member: its end has not been seen */
	size_t ended; /* members so far */
	uint64_t read_bytes;
	uint8_t first[2]; /* of deflate, kept until both are there: they tell the wrapper */
	size_t first_count;
};

static void *inflating_open(void)
{
	return mem_alloc(1, sizeof(struct inflating));
}

static void inflating_close(void *state)
{
	struct inflating *inflating = state;
	if (inflating->open)
		inflateEnd(&inflating->stream);
	free(inflating);
}

static void begin(struct inflating *inflating, int window)
{
	if (inflating->open)
		inflateReset2(&inflating->stream, window);
	else if (inflateInit2(&inflating->stream, window) != Z_OK)
		BUG("zlib does not take a window of %d", window);
	inflating->open = true;
	inflating->inside = true;
}

static enum rc broken(struct inflating *inflating, const char *name, struct err *err)
{
	unsigned long long at = inflating->read_bytes;
	if (inflating->ended && inflating->stream.total_in < 10)
		return err_set(err, RC_INVALID, "",
			"something else follows the %s stream at byte %llu", name,
			at - inflating->stream.total_in);
	return err_set(err, RC_INVALID, "", "not a %s stream at byte %llu: %s", name, at,
		inflating->stream.msg ? inflating->stream.msg : "it needs a dictionary");
}

/* Decodes until the member's end or that of the input, which stands in stream.next_in. */
static enum rc inflate_member(struct inflating *inflating, struct coding_stage *stage,
	const char *name, uint8_t *out, struct err *err)
{
	z_stream *stream = &inflating->stream;
	while (inflating->inside) {
		uInt before = stream->avail_in;
		stream->next_out = out;
		stream->avail_out = CODING_OUT_BYTES;
		int status = inflate(stream, Z_NO_FLUSH);
		inflating->read_bytes += before - stream->avail_in;
		coding_consumed(stage, before - stream->avail_in);
		if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
			return broken(inflating, name, err);
		if (status == Z_STREAM_END) {
			inflating->inside = false;
			inflating->ended++;
		}
		size_t len = CODING_OUT_BYTES - stream->avail_out;
		enum rc rc = coding_give(stage, slice_from(out, len), err);
		if (rc != RC_OK)
			return rc;
		if (stream->avail_out)
			break;
	}
	return RC_OK;
}

static void set_input(struct inflating *inflating, struct slice in)
{
	/* zlib's type lacks a const that it keeps. */
	inflating->stream.next_in = (z_const Bytef *)in.ptr;
	inflating->stream.avail_in = (uInt)in.len;
}

static enum rc gzip_push(
	void *state, struct coding_stage *stage, struct slice in, uint8_t *out, struct err *err)
{
	struct inflating *inflating = state;
	set_input(inflating, in);
	while (inflating->stream.avail_in) {
		if (!inflating->inside)
			begin(inflating, GZIP_WINDOW);
		enum rc rc = inflate_member(inflating, stage, "gzip", out, err);
		if (rc != RC_OK)
			return rc;
	}
	return RC_OK;
}

static enum rc at_end(const struct inflating *inflating, const char *name, struct err *err)
{
	if (inflating->inside || inflating->first_count == 1)
		return err_set(err, RC_INVALID, "", "the %s stream is cut behind byte %llu", name,
			(unsigned long long)inflating->read_bytes + inflating->first_count % 2);
	if (!inflating->ended)
		return err_set(err, RC_INVALID, "", "no bytes where a %s stream was due", name);
	return RC_OK;
}

static enum rc gzip_end(void *state, struct err *err)
{
	return at_end(state, "gzip", err);
}

static enum rc deflate_run(struct inflating *inflating, struct coding_stage *stage, struct slice in,
	uint8_t *out, struct err *err)
{
	set_input(inflating, in);
	enum rc rc = inflate_member(inflating, stage, "deflate", out, err);
	if (rc == RC_OK && inflating->stream.avail_in)
		rc = err_set(err, RC_INVALID, "",
			"something else follows the deflate stream at byte %llu",
			(unsigned long long)inflating->read_bytes);
	return rc;
}

/* RFC 1950 section 2.2: method 8, a window of at most 32 KiB, and a check that makes the two divisible by 31. */
static bool zlib_header(const uint8_t first[2])
{
	return (first[0] & 0x0f) == 8 && first[0] >> 4 <= 7 && (first[0] << 8 | first[1]) % 31 == 0;
}

static enum rc deflate_push(
	void *state, struct coding_stage *stage, struct slice in, uint8_t *out, struct err *err)
{
	struct inflating *inflating = state;
	if (inflating->first_count < 2) {
		while (inflating->first_count < 2 && in.len) {
			inflating->first[inflating->first_count++] = in.ptr[0];
			in = slice_part(in, 1, SIZE_MAX);
		}
		if (inflating->first_count < 2)
			return RC_OK;
		begin(inflating, zlib_header(inflating->first) ? ZLIB_WINDOW : RAW_WINDOW);
		enum rc rc =
			deflate_run(inflating, stage, slice_from(inflating->first, 2), out, err);
		if (rc != RC_OK)
			return rc;
	}
	return deflate_run(inflating, stage, in, out, err);
}

static enum rc deflate_end(void *state, struct err *err)
{
	return at_end(state, "deflate", err);
}

const struct coding_kind coding_gzip = {
	.name = "gzip",
	.alias = "x-gzip",
	.open = inflating_open,
	.close = inflating_close,
	.push = gzip_push,
	.end = gzip_end,
};

const struct coding_kind coding_deflate = {
	.name = "deflate",
	.open = inflating_open,
	.close = inflating_close,
	.push = deflate_push,
	.end = deflate_end,
};
