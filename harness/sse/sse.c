#include "sse/sse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sse/utf8.h"

/* A larger buffer is given back, since thousands of streams are held at once. */
enum { KEPT_BYTES = 64 * 1024 };

struct sse {
	size_t max_bytes;
	struct slice input;      /* all of the last push */
	size_t at;               /* how much of it is used up */
	size_t next_lf, next_cr; /* in the input, not before `at`; input.len where there is none */
	uint64_t pushed_bytes;   /* before the input */
	uint64_t line_at;        /* offset in the stream of the line that is being read */
	struct buf line;         /* a line that came in several pushes, or its start */
	struct buf data;         /* the standard's data buffer: each line with an LF */
	struct buf type;         /* its event type buffer */
	struct buf id;           /* its last event id buffer, */
	struct buf last_id;      /* and what that was at the last empty line */
	int64_t retry_ms, not_utf8_at;
	bool begun;         /* the first line, where a byte order mark may stand, is behind us */
	bool after_cr;      /* an LF now belongs to the CR before it */
	bool in_block;      /* a field came since the last empty line */
	bool line_spent;    /* the line was whole and is used; the caller may hold a part of it */
	bool block_spent;   /* so are data and type */
	struct err *broken; /* NULL as long as all is well */
};

struct sse *sse_new(size_t max_bytes)
{
	struct sse *sse = mem_alloc(1, sizeof *sse);
	sse->max_bytes = max_bytes;
	buf_init(&sse->line, max_bytes);
	buf_init(&sse->data, max_bytes + 1);
	buf_init(&sse->type, max_bytes);
	buf_init(&sse->id, max_bytes);
	buf_init(&sse->last_id, max_bytes);
	sse->retry_ms = -1;
	sse->not_utf8_at = -1;
	return sse;
}

void sse_free(struct sse *sse)
{
	if (!sse)
		return;
	buf_release(&sse->line);
	buf_release(&sse->data);
	buf_release(&sse->type);
	buf_release(&sse->id);
	buf_release(&sse->last_id);
	free(sse->broken);
	free(sse);
}

static size_t find_end(struct slice input, size_t at, int end)
{
	const uint8_t *found = at < input.len ? memchr(input.ptr + at, end, input.len - at) : NULL;
	return found ? (size_t)(found - input.ptr) : input.len;
}

void sse_push(struct sse *sse, struct slice bytes)
{
	if (sse->at < sse->input.len)
		BUG("pushed before the last %zu bytes were used up", sse->input.len - sse->at);
	sse->pushed_bytes += sse->input.len;
	sse->input = sse->broken ? slice_of("") : bytes;
	sse->at = 0;
	sse->next_lf = find_end(sse->input, 0, '\n');
	sse->next_cr = find_end(sse->input, 0, '\r');
}

static void empty(struct buf *buf)
{
	if (buf->cap > KEPT_BYTES)
		buf_release(buf);
	else
		buf_clear(buf);
}

static void set(struct buf *buf, struct slice value)
{
	empty(buf);
	if (buf_append(buf, value) != RC_OK)
		BUG("a value of %zu bytes out of a line of at most %zu", value.len, buf->max);
}

static enum rc too_large(struct sse *sse, const char *what)
{
	sse->at = sse->input.len;
	sse->broken = mem_alloc(1, sizeof *sse->broken);
	return err_set(sse->broken, RC_LIMIT, "",
		"%s of the event stream has more than %zu bytes, in the line at byte %" PRIu64,
		what, sse->max_bytes, sse->line_at);
}

/*
 * The end of the line that starts at `at`, or input.len. What was found ahead is kept: a stream that ends its lines by
 * LF alone must not be searched for CR once a line.
 */
static size_t line_end(struct sse *sse)
{
	if (sse->next_lf < sse->at)
		sse->next_lf = find_end(sse->input, sse->at, '\n');
	if (sse->next_cr < sse->at)
		sse->next_cr = find_end(sse->input, sse->at, '\r');
	return sse->next_lf < sse->next_cr ? sse->next_lf : sse->next_cr;
}

static void skip_lf_of_cr(struct sse *sse)
{
	if (sse->at == sse->input.len || !sse->after_cr)
		return;
	if (sse->input.ptr[sse->at] == '\n')
		sse->at++;
	sse->after_cr = false;
}

/* The next whole line without its end; RC_NOT_FOUND where the input doesn't hold one, after keeping what it holds. */
static enum rc take_line(struct sse *sse, struct slice *line)
{
	skip_lf_of_cr(sse);
	if (!sse->line.len)
		sse->line_at = sse->pushed_bytes + sse->at;
	size_t end = line_end(sse);
	struct slice piece = slice_part(sse->input, sse->at, end - sse->at);
	if (piece.len > sse->max_bytes - sse->line.len)
		return too_large(sse, "a line");
	bool whole = end < sse->input.len;
	if ((sse->line.len || !whole) && buf_append(&sse->line, piece) != RC_OK)
		BUG("a line within its cap was refused");
	sse->at = end;
	if (!whole)
		return RC_NOT_FOUND;
	*line = sse->line.len ? buf_slice(&sse->line) : piece;
	sse->line_spent = true;
	sse->after_cr = sse->input.ptr[end] == '\r';
	sse->at++;
	return RC_OK;
}

static void set_retry(struct sse *sse, struct slice value)
{
	int64_t retry_ms = 0;
	for (size_t i = 0; i < value.len; i++) {
		if (value.ptr[i] < '0' || value.ptr[i] > '9')
			return;
		int digit = value.ptr[i] - '0';
		retry_ms = retry_ms > (INT64_MAX - digit) / 10 ? INT64_MAX : retry_ms * 10 + digit;
	}
	if (value.len)
		sse->retry_ms = retry_ms;
}

static enum rc add_data(struct sse *sse, struct slice value)
{
	/* The LF behind the last line is dropped when the event is dispatched: it doesn't count. */
	if (value.len > sse->max_bytes || sse->data.len > sse->max_bytes - value.len)
		return too_large(sse, "an event");
	if (buf_append(&sse->data, value) != RC_OK || buf_text(&sse->data, "\n") != RC_OK)
		BUG("data within its cap was refused");
	return RC_OK;
}

/* For each line of a stream: with a constant name the comparison is a few instructions. */
static inline bool named(struct slice name, const char *text, size_t len)
{
	return name.len == len && memcmp(name.ptr, text, len) == 0;
}

static enum rc field(struct sse *sse, struct slice line)
{
	const uint8_t *colon = memchr(line.ptr, ':', line.len);
	struct slice name = { line.ptr, colon ? (size_t)(colon - line.ptr) : line.len };
	struct slice value = colon ? slice_part(line, name.len + 1, SIZE_MAX) : slice_of("");
	if (value.len && value.ptr[0] == ' ')
		value = (struct slice){ value.ptr + 1, value.len - 1 };
	sse->in_block = true;
	if (named(name, "data", 4))
		return add_data(sse, value);
	if (named(name, "event", 5))
		set(&sse->type, value);
	else if (named(name, "id", 2) && slice_find_byte(value, 0) == SIZE_MAX)
		set(&sse->id, value);
	else if (named(name, "retry", 5))
		set_retry(sse, value);
	return RC_OK;
}

/* An empty line. False where the standard says that nothing is dispatched. */
static bool dispatch(struct sse *sse, struct sse_event *event)
{
	sse->in_block = false;
	if (!slice_equal(buf_slice(&sse->id), buf_slice(&sse->last_id)))
		set(&sse->last_id, buf_slice(&sse->id));
	sse->block_spent = true;
	if (!sse->data.len)
		return false;
	*event = (struct sse_event){
		.kind = SSE_EVENT,
		.type = sse->type.len ? buf_slice(&sse->type) : slice_of("message"),
		.data = slice_part(buf_slice(&sse->data), 0, sse->data.len - 1),
		.id = buf_slice(&sse->last_id),
	};
	return true;
}

/* What the standard's decoder does before a line is looked at. */
static struct slice decoded(struct sse *sse, struct slice line)
{
	size_t wrong = sse->not_utf8_at < 0 ? utf8_find_wrong(line) : SIZE_MAX;
	if (wrong != SIZE_MAX)
		sse->not_utf8_at = (int64_t)(sse->line_at + wrong);
	if (!sse->begun && slice_starts(line, "\xef\xbb\xbf"))
		line = slice_part(line, 3, SIZE_MAX);
	sse->begun = true;
	return line;
}

/* What the caller had until now. */
static void forget_spent(struct sse *sse)
{
	if (sse->line_spent)
		empty(&sse->line);
	if (sse->block_spent) {
		empty(&sse->data);
		empty(&sse->type);
	}
	sse->line_spent = sse->block_spent = false;
}

static bool comment(struct slice line, struct sse_event *event)
{
	if (!line.len || line.ptr[0] != ':')
		return false;
	*event = (struct sse_event){
		.kind = SSE_COMMENT,
		.type = slice_of(""),
		.data = slice_part(line, 1, SIZE_MAX),
		.id = slice_of(""),
	};
	return true;
}

enum rc sse_next(struct sse *sse, struct sse_event *event, struct err *err)
{
	enum rc rc = sse->broken ? RC_LIMIT : RC_OK;
	while (rc == RC_OK) {
		struct slice line = slice_of("");
		forget_spent(sse);
		rc = take_line(sse, &line);
		if (rc != RC_OK)
			break;
		line = decoded(sse, line);
		if (comment(line, event) || (!line.len && dispatch(sse, event)))
			return RC_OK;
		if (line.len)
			rc = field(sse, line);
	}
	if (rc == RC_LIMIT && err)
		*err = *sse->broken;
	return rc;
}

struct slice sse_last_id(const struct sse *sse)
{
	return buf_slice(&sse->last_id);
}

int64_t sse_retry_ms(const struct sse *sse)
{
	return sse->retry_ms;
}

bool sse_in_event(const struct sse *sse)
{
	return sse->broken || sse->in_block || (sse->line.len && !sse->line_spent);
}

int64_t sse_not_utf8_at(const struct sse *sse)
{
	return sse->not_utf8_at;
}
