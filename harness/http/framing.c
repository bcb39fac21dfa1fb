#include "http/framing.h"

#include "http/framing_length.h"

#include <string.h>

void framing_init(struct framing *framing, struct arena *arena, const char *method,
	const struct framing_sink *sink)
{
	*framing = (struct framing){
		.arena = arena,
		.sink = *sink,
		.to_head = strcmp(method, "HEAD") == 0,
		.to_connect = strcmp(method, "CONNECT") == 0,
	};
	framing_violations_init(&framing->violations, arena);
	buf_init(&framing->pending, HTTP_HEAD_MAX_BYTES);
	chunked_init(&framing->chunked, &framing->violations, HTTP_HEAD_MAX_BYTES);
}

void framing_release(struct framing *framing)
{
	buf_release(&framing->pending);
	chunked_release(&framing->chunked);
}

static bool interim(int status)
{
	return status >= 100 && status < 200 && status != 101;
}

static void end_of_head(struct framing *framing)
{
	struct slice pending = buf_slice(&framing->pending);
	struct slice bytes = slice_from(arena_slice(framing->arena, pending), pending.len);
	framing->heads_bytes += pending.len;
	framing->line_start = 0;
	buf_release(&framing->pending);
	struct head head;
	if (!head_parse(bytes, &head, &framing->violations)) {
		framing->state = FRAMING_BROKEN;
		return;
	}
	if (interim(head.status)) {
		framing->interim++;
		framing_length_interim(&head.headers, &framing->violations);
		return;
	}
	framing->head_bytes = bytes;
	framing->head = head;
	framing->state = FRAMING_IN_BODY;
	framing_length_find(framing);
	framing->sink.head(framing->sink.self);
	bool nothing = framing->rule == FRAMING_NO_BODY || framing->rule == FRAMING_TUNNEL ||
		       (framing->rule == FRAMING_LENGTH && !framing->length);
	if (framing->state == FRAMING_IN_BODY && nothing)
		framing->state = FRAMING_DONE;
}

/* Other protocols than HTTP/1.x are told by their first bytes, before a line's end. */
static bool begins_well(const struct framing *framing, struct slice bytes)
{
	const char *version = framing->http2 ? "HTTP/2 " : "HTTP/1.";
	struct slice due = slice_part(slice_of(version), framing->pending.len, bytes.len);
	return slice_equal(due, slice_part(bytes, 0, due.len));
}

static void end_of_line(struct framing *framing)
{
	struct slice all = buf_slice(&framing->pending);
	struct slice line = slice_part(all, framing->line_start, SIZE_MAX);
	bool first = framing->line_start == 0;
	framing->line_start = all.len;
	if (slice_is(line, "\r\n") || slice_is(line, "\n")) {
		end_of_head(framing);
		return;
	}
	struct head head;
	line.len -= line.len > 1 && line.ptr[line.len - 2] == '\r' ? 2 : 1;
	if (first && !head_status_line(line, &head, &framing->violations))
		framing->state = FRAMING_BROKEN;
}

static void push_head(struct framing *framing, struct slice *rest)
{
	size_t at = slice_find_byte(*rest, '\n');
	size_t take = at == SIZE_MAX ? rest->len : at + 1;
	if (!begins_well(framing, *rest)) {
		framing_violations_show(&framing->violations,
			framing->http2 ? VIOLATION_OTHER_VERSION : VIOLATION_BAD_STATUS_LINE,
			framing->http2 ? "HTTP/2 was asked for, and the answer begins with"
				       : "the answer begins with",
			framing->pending.len ? buf_slice(&framing->pending) : *rest);
		framing->state = FRAMING_BROKEN;
		return;
	}
	if (framing->heads_bytes + framing->pending.len + take > HTTP_HEAD_MAX_BYTES ||
		framing->pending.len - framing->line_start + take > HTTP_LINE_MAX_BYTES ||
		buf_append(&framing->pending, slice_part(*rest, 0, take)) != RC_OK) {
		framing->state = FRAMING_LIMIT;
		return;
	}
	*rest = slice_part(*rest, take, SIZE_MAX);
	if (at != SIZE_MAX)
		end_of_line(framing);
}

static void give(struct framing *framing, struct slice wire, struct slice content)
{
	framing->body_bytes += wire.len;
	if (wire.len)
		framing->sink.wire(framing->sink.self, wire);
	if (content.len)
		framing->sink.content(framing->sink.self, content);
}

static void push_chunked(struct framing *framing, struct slice *rest)
{
	struct slice before = *rest, content;
	chunked_push(&framing->chunked, rest, &content);
	give(framing, slice_part(before, 0, before.len - rest->len), content);
	switch (framing->chunked.state) {
	case CHUNKED_DONE:
		framing->trailers = framing->chunked.trailers;
		framing->state = FRAMING_DONE;
		break;
	case CHUNKED_BROKEN: framing->state = FRAMING_BROKEN; break;
	case CHUNKED_LIMIT: framing->state = FRAMING_LIMIT; break;
	default: break;
	}
}

static void push_body(struct framing *framing, struct slice *rest)
{
	if (framing->rule == FRAMING_CHUNKED) {
		push_chunked(framing, rest);
		return;
	}
	size_t take = rest->len;
	if (framing->rule == FRAMING_LENGTH && take >= framing->remaining) {
		take = (size_t)framing->remaining;
		framing->state = FRAMING_DONE;
	}
	framing->remaining -= framing->rule == FRAMING_LENGTH ? take : 0;
	struct slice bytes = slice_part(*rest, 0, take);
	*rest = slice_part(*rest, take, SIZE_MAX);
	give(framing, bytes, bytes);
}

static enum violation_kind surplus_kind(const struct framing *framing)
{
	if (framing->head.status == 204)
		return VIOLATION_BODY_ON_204;
	if (framing->head.status == 304)
		return VIOLATION_BODY_ON_304;
	return framing->to_head ? VIOLATION_BODY_ON_HEAD : VIOLATION_SURPLUS;
}

static bool may_follow(const struct framing *framing)
{
	return framing->rule == FRAMING_TUNNEL || framing->more_requests;
}

static void judge_surplus(struct framing *framing, struct slice bytes)
{
	if (may_follow(framing) || !bytes.len)
		return;
	framing->surplus_bytes += bytes.len;
	framing_violations_show(&framing->violations, surplus_kind(framing),
		"behind the end of the answer come", bytes);
}

void framing_dropped(struct framing *framing)
{
	if (framing->state == FRAMING_DONE && !may_follow(framing))
		framing_violations_add(&framing->violations, surplus_kind(framing),
			"behind the end of the answer come bytes that libcurl read and dropped");
}

void framing_push(struct framing *framing, struct slice bytes)
{
	framing->received_bytes += bytes.len;
	struct slice rest = bytes;
	while (rest.len && framing->state < FRAMING_DONE) {
		if (framing->state == FRAMING_IN_HEAD)
			push_head(framing, &rest);
		else
			push_body(framing, &rest);
	}
	if (framing->state == FRAMING_DONE)
		judge_surplus(framing, rest);
}

/* Where the connection ended too early, by the rule of the body's end. */
static const char *const body_ends[] = {
	[FRAMING_CHUNKED] = "before the last chunk",
	[FRAMING_CLOSE] = "without a close_notify of TLS",
	[FRAMING_STREAM] = "before the end of the stream",
};

static void truncated(struct framing *framing)
{
	const char *where = "in the head";
	unsigned long long body = framing->body_bytes;
	if (framing->rule == FRAMING_LENGTH) {
		framing_violations_add(&framing->violations, VIOLATION_TRUNCATED,
			"the connection ended behind %llu of %llu bytes of the body", body,
			(unsigned long long)framing->length);
		return;
	}
	if (framing->state == FRAMING_IN_BODY)
		where = body_ends[framing->rule];
	framing_violations_add(&framing->violations, VIOLATION_TRUNCATED,
		"the connection ended %s, behind %llu bytes of the body", where, body);
}

void framing_cut(struct framing *framing)
{
	bool nothing = framing->state == FRAMING_IN_HEAD && !framing->received_bytes;
	if (framing->state <= FRAMING_IN_BODY && !nothing)
		truncated(framing);
}

void framing_eof(struct framing *framing)
{
	if (framing->state == FRAMING_IN_BODY && framing->rule == FRAMING_CLOSE)
		framing->state = FRAMING_DONE;
	else
		framing_cut(framing);
}

void framing_trailer(struct framing *framing, struct slice line)
{
	if (framing->state == FRAMING_LIMIT || buf_append(&framing->pending, line) != RC_OK)
		framing->state = FRAMING_LIMIT;
}

void framing_end_stream(struct framing *framing)
{
	if (framing->state != FRAMING_IN_BODY && framing->state != FRAMING_DONE)
		return;
	struct slice lines = buf_slice(&framing->pending);
	if (lines.len)
		head_trailers(slice_from(arena_slice(framing->arena, lines), lines.len),
			&framing->trailers, &framing->violations);
	framing->state = FRAMING_DONE;
}
