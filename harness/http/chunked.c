#include "http/chunked.h"

#include "http/head.h"

#include <stdlib.h>

void chunked_init(
	struct chunked *chunked, struct framing_violations *violations, size_t trailers_max_bytes)
{
	*chunked = (struct chunked){ .violations = violations };
	buf_init(&chunked->line, trailers_max_bytes);
}

void chunked_release(struct chunked *chunked)
{
	buf_release(&chunked->line);
}

static int hex(uint8_t byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	byte |= 0x20;
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static void skip(struct slice *s, size_t count)
{
	*s = slice_part(*s, count, SIZE_MAX);
}

static void skip_space(struct slice *s)
{
	while (s->len && (s->ptr[0] == ' ' || s->ptr[0] == '\t'))
		skip(s, 1);
}

/* Takes a token off *s; false where there is none. */
static bool skip_token(struct slice *s)
{
	size_t len = 0;
	while (len < s->len && head_token(slice_part(*s, len, 1)))
		len++;
	skip(s, len);
	return len > 0;
}

/* quoted-string of RFC 9110 section 5.6.4. */
static bool skip_quoted(struct slice *s)
{
	for (size_t i = 1; i < s->len; i++) {
		uint8_t byte = s->ptr[i];
		if (byte == '"') {
			skip(s, i + 1);
			return true;
		}
		if (byte == '\\')
			i++;
		else if ((byte < 0x20 && byte != '\t') || byte == 0x7f)
			return false;
	}
	return false;
}

/* *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] ) */
static bool extensions_valid(struct slice s)
{
	while (s.len) {
		skip_space(&s);
		if (!s.len || s.ptr[0] != ';')
			return false;
		skip(&s, 1);
		skip_space(&s);
		if (!skip_token(&s))
			return false;
		struct slice behind = s;
		skip_space(&behind);
		if (!behind.len || behind.ptr[0] != '=')
			continue;
		s = behind;
		skip(&s, 1);
		skip_space(&s);
		if (!(s.len && s.ptr[0] == '"' ? skip_quoted(&s) : skip_token(&s)))
			return false;
	}
	return true;
}

static bool read_size(struct slice line, uint64_t *size, size_t *digits)
{
	*size = 0;
	*digits = 0;
	while (*digits < line.len && hex(line.ptr[*digits]) >= 0) {
		if (*size > (uint64_t)INT64_MAX >> 4)
			return false;
		*size = *size << 4 | (uint64_t)hex(line.ptr[*digits]);
		++*digits;
	}
	return *digits > 0;
}

static void end_of_size(struct chunked *chunked)
{
	struct slice line = buf_slice(&chunked->line);
	line.len--;
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	else
		framing_violations_show(
			chunked->violations, VIOLATION_BARE_LF, "no CR ends the chunk line", line);
	size_t digits;
	if (!read_size(line, &chunked->remaining, &digits)) {
		framing_violations_show(
			chunked->violations, VIOLATION_BAD_CHUNK_SIZE, "a chunk begins with", line);
		chunked->state = CHUNKED_BROKEN;
		return;
	}
	if (!extensions_valid(slice_part(line, digits, SIZE_MAX)))
		framing_violations_show(chunked->violations, VIOLATION_BAD_CHUNK_EXTENSION,
			"a chunk begins with", line);
	buf_clear(&chunked->line);
	chunked->line_start = 0;
	chunked->state = chunked->remaining ? CHUNKED_DATA : CHUNKED_TRAILERS;
}

static void end_of_trailers(struct chunked *chunked)
{
	struct arena *arena = chunked->violations->arena;
	struct slice all = buf_slice(&chunked->line);
	/* The lines outlive the buffer. */
	head_trailers(slice_from(arena_slice(arena, all), all.len), &chunked->trailers,
		chunked->violations);
	chunked->state = CHUNKED_DONE;
}

/* A size line that can't be one is told early, so that a server holding the connection does not hold us. */
static bool hopeless(const struct chunked *chunked, struct slice bytes)
{
	return chunked->state == CHUNKED_SIZE && !chunked->line.len && hex(bytes.ptr[0]) < 0 &&
	       bytes.ptr[0] != '\r';
}

static void push_line(struct chunked *chunked, struct slice *rest)
{
	bool size = chunked->state == CHUNKED_SIZE;
	if (hopeless(chunked, *rest)) {
		framing_violations_show(chunked->violations, VIOLATION_BAD_CHUNK_SIZE,
			"a chunk begins with", *rest);
		chunked->state = CHUNKED_BROKEN;
		return;
	}
	size_t at = slice_find_byte(*rest, '\n');
	size_t take = at == SIZE_MAX ? rest->len : at + 1;
	if ((size && chunked->line.len + take > CHUNKED_LINE_MAX_BYTES) ||
		buf_append(&chunked->line, slice_part(*rest, 0, take)) != RC_OK) {
		chunked->state = CHUNKED_LIMIT;
		return;
	}
	skip(rest, take);
	if (at == SIZE_MAX)
		return;
	if (size) {
		end_of_size(chunked);
		return;
	}
	struct slice line = slice_part(buf_slice(&chunked->line), chunked->line_start, SIZE_MAX);
	chunked->line_start = chunked->line.len;
	if (slice_is(line, "\n") || slice_is(line, "\r\n"))
		end_of_trailers(chunked);
}

static void push_data(struct chunked *chunked, struct slice *rest, struct slice *data)
{
	size_t take = rest->len < chunked->remaining ? rest->len : (size_t)chunked->remaining;
	*data = slice_part(*rest, 0, take);
	skip(rest, take);
	chunked->remaining -= take;
	chunked->data_bytes += take;
	if (!chunked->remaining)
		chunked->state = CHUNKED_DATA_CR;
}

static void push_data_end(struct chunked *chunked, struct slice *rest)
{
	uint8_t byte = rest->ptr[0];
	bool cr = chunked->state == CHUNKED_DATA_CR;
	if (cr && byte == '\r') {
		chunked->state = CHUNKED_DATA_LF;
	} else if (byte == '\n') {
		if (cr)
			framing_violations_add(chunked->violations, VIOLATION_BARE_LF,
				"the chunk that ends at byte %llu of the body ends in LF without CR",
				(unsigned long long)chunked->data_bytes);
		chunked->state = CHUNKED_SIZE;
	} else {
		framing_violations_add(chunked->violations, VIOLATION_BAD_CHUNK_END,
			"byte 0x%02x follows the chunk that ends at byte %llu of the body", byte,
			(unsigned long long)chunked->data_bytes);
		chunked->state = CHUNKED_BROKEN;
		return;
	}
	skip(rest, 1);
}

void chunked_push(struct chunked *chunked, struct slice *rest, struct slice *data)
{
	*data = slice_part(*rest, 0, 0);
	while (rest->len && chunked->state < CHUNKED_DONE && !data->len) {
		if (chunked->state == CHUNKED_DATA)
			push_data(chunked, rest, data);
		else if (chunked->state == CHUNKED_DATA_CR || chunked->state == CHUNKED_DATA_LF)
			push_data_end(chunked, rest);
		else
			push_line(chunked, rest);
	}
}
