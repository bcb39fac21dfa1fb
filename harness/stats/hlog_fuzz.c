/*
 * libFuzzer entry: any bytes as a log, and as what stands deflated in a line of one, which chance would hardly find
 * behind base64 and a checksum. What is read must keep the promises of hist.h, and be the same once written and read.
 */
#include <stdlib.h>
#include <zlib.h>

#include "stats/base64.h"
#include "stats/encoding.h"
#include "stats/hlog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_MAX_BYTES = 1 << 20 };

static void check_same(const struct hist *a, const struct hist *b)
{
	struct hist_bucket left, right;
	size_t at_left = 0, at_right = 0;
	while (hist_next(a, &at_left, &left))
		if (!hist_next(b, &at_right, &right) || left.low_ns != right.low_ns ||
			left.count != right.count)
			BUG("what was written is read otherwise");
	if (hist_next(b, &at_right, &right))
		BUG("more is read than was written");
}

static void check(void *to, const struct hlog_interval *interval)
{
	const struct hist *hist = interval->hist;
	struct hist *again = hist_new();
	struct err err = { 0 };
	struct buf text;
	bool exact;
	int64_t last_ns = hist_min(hist);
	for (int i = 0; i <= 20; i++) {
		int64_t ns = hist_quantile(hist, i / 20.0);
		if (ns < last_ns || ns > hist_max(hist))
			BUG("a quantile out of order");
		last_ns = ns;
	}
	buf_init(&text, TEXT_MAX_BYTES);
	encoding_write(&text, hist);
	if (encoding_read(buf_slice(&text), "again", again, &exact, &err) != RC_OK)
		BUG("what was written is not read: %s", err.text);
	if (!exact)
		BUG("our own layout is another's");
	check_same(hist, again);
	buf_release(&text);
	hist_free(again);
	(*(size_t *)to)++;
}

static void parse(struct slice text)
{
	struct err err = { 0 };
	size_t count = 0;
	enum rc rc = hlog_parse(text, "fuzz", check, &count, &err);
	if ((rc == RC_OK) != !err.text[0])
		BUG("an error without a word, or a word without an error");
}

/* As the line of a log whose histogram inflates to these bytes. */
static void parse_inflated(const uint8_t *data, size_t size)
{
	struct buf line;
	uLongf deflated = compressBound(size);
	uint8_t *outer = mem_alloc(1, 8 + deflated);
	if (compress2(outer + 8, &deflated, data, size, 1) != Z_OK)
		BUG("zlib refuses");
	static const uint8_t cookie[] = { 0x1c, 0x84, 0x93, 0x14 };
	for (size_t i = 0; i < 4; i++) {
		outer[i] = cookie[i];
		outer[4 + i] = (uint8_t)(deflated >> 8 * (3 - i));
	}
	buf_init(&line, TEXT_MAX_BYTES);
	if (buf_text(&line, "0,1,2,") == RC_OK &&
		base64_write(&line, slice_from(outer, 8 + deflated)) == RC_OK)
		parse(buf_slice(&line));
	buf_release(&line);
	free(outer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse(slice_from(data, size));
	if (size < TEXT_MAX_BYTES / 2)
		parse_inflated(data, size);
	return 0;
}
