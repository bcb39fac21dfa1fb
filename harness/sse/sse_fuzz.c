/*
 * libFuzzer entry: the first byte seeds the cuts, the rest is a stream. However it is cut, the same events, comments and
 * errors must come out; a small cap makes sure that errors do.
 */
#include "sse/sse.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/rng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CAP_BYTES = 200, LOG_MAX_BYTES = 64 << 20 };

static void note(struct buf *log, struct slice bytes)
{
	if (!bytes.ptr)
		BUG("an absent slice");
	if (buf_print(log, "%zu:", bytes.len) != RC_OK || buf_append(log, bytes) != RC_OK)
		BUG("the log's cap");
}

static void parse(struct slice stream, struct rng *rng, struct buf *log)
{
	struct sse *sse = sse_new(CAP_BYTES);
	struct err err = { 0 };
	enum rc rc = RC_NOT_FOUND;
	for (size_t at = 0, n; at < stream.len && rc == RC_NOT_FOUND; at += n) {
		struct sse_event event;
		n = rng ? (size_t)rng_below(rng, 9) : stream.len;
		sse_push(sse, slice_part(stream, at, n));
		while ((rc = sse_next(sse, &event, &err)) == RC_OK) {
			if (event.data.len > CAP_BYTES)
				BUG("an event of %zu bytes", event.data.len);
			note(log, slice_of(event.kind == SSE_EVENT ? "event" : "comment"));
			note(log, event.type);
			note(log, event.data);
			note(log, event.id);
		}
	}
	if ((rc == RC_LIMIT) != (err.text[0] != 0))
		BUG("an error without a word, or a word without an error");
	note(log, slice_of(err.text));
	note(log, sse_last_id(sse));
	if (buf_print(log, "%" PRId64 " %d %" PRId64, sse_retry_ms(sse), sse_in_event(sse),
		    sse_not_utf8_at(sse)) != RC_OK)
		BUG("the log's cap");
	sse_free(sse);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole, cut;
	struct rng rng;
	if (!size)
		return 0;
	buf_init(&whole, LOG_MAX_BYTES);
	buf_init(&cut, LOG_MAX_BYTES);
	rng_init(&rng, data[0], "cuts");
	parse(slice_from(data + 1, size - 1), NULL, &whole);
	parse(slice_from(data + 1, size - 1), &rng, &cut);
	if (!slice_equal(buf_slice(&whole), buf_slice(&cut)))
		BUG("the cuts made a difference");
	buf_release(&whole);
	buf_release(&cut);
	return 0;
}
