#include "http/coding_kind.h"

#include <brotli/decode.h>
#include <stdlib.h>

struct unbrotling {
	BrotliDecoderState *decoder;
	bool ended;
	uint64_t read_bytes;
};

static void *brotli_open(void)
{
	struct unbrotling *state = mem_alloc(1, sizeof *state);
	state->decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	if (!state->decoder)
		BUG("brotli has no memory");
	return state;
}

static void brotli_close(void *self)
{
	struct unbrotling *state = self;
	BrotliDecoderDestroyInstance(state->decoder);
	free(state);
}

static enum rc brotli_push(
	void *self, struct coding_stage *stage, struct slice in, uint8_t *out, struct err *err)
{
	struct unbrotling *state = self;
	const uint8_t *next_in = in.ptr;
	size_t left = in.len;
	BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
	while (!state->ended && result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
		size_t before = left, room = CODING_OUT_BYTES;
		uint8_t *next_out = out;
		result = BrotliDecoderDecompressStream(
			state->decoder, &left, &next_in, &room, &next_out, NULL);
		state->read_bytes += before - left;
		coding_consumed(stage, before - left);
		enum rc rc = coding_give(stage, slice_from(out, CODING_OUT_BYTES - room), err);
		if (rc != RC_OK)
			return rc;
		if (result == BROTLI_DECODER_RESULT_ERROR)
			return err_set(err, RC_INVALID, "", "not a br stream at byte %llu: %s",
				(unsigned long long)state->read_bytes,
				BrotliDecoderErrorString(
					BrotliDecoderGetErrorCode(state->decoder)));
		state->ended = result == BROTLI_DECODER_RESULT_SUCCESS;
	}
	if (left)
		return err_set(err, RC_INVALID, "",
			"something else follows the br stream at byte %llu",
			(unsigned long long)state->read_bytes);
	return RC_OK;
}

static enum rc brotli_end(void *self, struct err *err)
{
	const struct unbrotling *state = self;
	if (state->ended)
		return RC_OK;
	if (!state->read_bytes)
		return err_set(err, RC_INVALID, "", "no bytes where a br stream was due");
	return err_set(err, RC_INVALID, "", "the br stream is cut behind byte %llu",
		(unsigned long long)state->read_bytes);
}

const struct coding_kind coding_brotli = {
	.name = "br",
	.open = brotli_open,
	.close = brotli_close,
	.push = brotli_push,
	.end = brotli_end,
};
