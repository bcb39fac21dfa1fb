#include "http/coding_kind.h"

#include <stdlib.h>
#include <zstd.h>

enum { WINDOW_LOG_MAX = 23 }; /* RFC 9659: 8 MiB */

struct unzstding {
	ZSTD_DStream *stream;
	bool inside; /* in a frame: its end has not been seen */
	uint64_t read_bytes;
};

static void *zstd_open(void)
{
	struct unzstding *state = mem_alloc(1, sizeof *state);
	state->stream = ZSTD_createDStream();
	if (!state->stream)
		BUG("zstd has no memory");
	size_t status = ZSTD_DCtx_setParameter(state->stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	if (ZSTD_isError(status))
		BUG("zstd: %s", ZSTD_getErrorName(status));
	return state;
}

static void zstd_close(void *self)
{
	struct unzstding *state = self;
	ZSTD_freeDStream(state->stream);
	free(state);
}

static enum rc zstd_push(
	void *self, struct coding_stage *stage, struct slice in, uint8_t *out, struct err *err)
{
	struct unzstding *state = self;
	ZSTD_inBuffer input = { in.ptr, in.len, 0 };
	bool full = false;
	while (input.pos < input.size || full) {
		ZSTD_outBuffer output = { out, CODING_OUT_BYTES, 0 };
		size_t before = input.pos;
		size_t status = ZSTD_decompressStream(state->stream, &output, &input);
		state->read_bytes += input.pos - before;
		coding_consumed(stage, input.pos - before);
		if (ZSTD_isError(status))
			return err_set(err, RC_INVALID, "", "not a zstd stream at byte %llu: %s",
				(unsigned long long)state->read_bytes, ZSTD_getErrorName(status));
		enum rc rc = coding_give(stage, slice_from(out, output.pos), err);
		if (rc != RC_OK)
			return rc;
		state->inside = status != 0;
		full = state->inside && output.pos == output.size;
	}
	return RC_OK;
}

static enum rc zstd_end(void *self, struct err *err)
{
	const struct unzstding *state = self;
	if (!state->read_bytes)
		return err_set(err, RC_INVALID, "", "no bytes where a zstd stream was due");
	if (state->inside)
		return err_set(err, RC_INVALID, "", "the zstd stream is cut behind byte %llu",
			(unsigned long long)state->read_bytes);
	return RC_OK;
}

const struct coding_kind coding_zstd = {
	.name = "zstd",
	.open = zstd_open,
	.close = zstd_close,
	.push = zstd_push,
	.end = zstd_end,
};
