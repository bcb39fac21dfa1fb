#include "http/head.h"

#include <string.h>

static bool token_byte(uint8_t byte)
{
	if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
		(byte >= 'a' && byte <= 'z'))
		return true;
	return byte && strchr("!#$%&'*+-.^_`|~", byte);
}

bool head_token(struct slice text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!token_byte(text.ptr[i]))
			return false;
	return text.len > 0;
}

bool head_list_next(struct slice *rest, struct slice *element)
{
	while (slice_next(rest, ',', element)) {
		*element = slice_trim(*element);
		if (element->len)
			return true;
	}
	return false;
}

static bool digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

/* How many bytes of the line are "HTTP/1.1", or "HTTP/2" as libcurl writes it; 0: neither. */
static size_t version_bytes(struct slice line)
{
	if (slice_starts(line, "HTTP/2"))
		return 6;
	return slice_starts(line, "HTTP/1.") && line.len > 7 && digit(line.ptr[7]) ? 8 : 0;
}

bool head_status_line(struct slice line, struct head *head, struct framing_violations *violations)
{
	size_t version = version_bytes(line);
	const uint8_t *p = line.ptr + version;
	bool readable = version && line.len >= version + 4 && p[0] == ' ' && digit(p[1]) &&
			digit(p[2]) && digit(p[3]) && (line.len == version + 4 || !digit(p[4]));
	if (!readable) {
		framing_violations_show(
			violations, VIOLATION_BAD_STATUS_LINE, "the answer begins with", line);
		return false;
	}
	if (p[-2] == '.')
		head->version = p[-1] == '0' ? 10 : 11;
	else
		head->version = 20;
	head->status = (p[1] - '0') * 100 + (p[2] - '0') * 10 + (p[3] - '0');
	head->reason = slice_part(line, version + 5, SIZE_MAX);
	if (head->status < 100 || head->status > 599)
		framing_violations_add(violations, VIOLATION_BAD_STATUS_LINE,
			"the status is %d, which is not from 100 to 599", head->status);
	if (line.len == version + 4 || p[4] != ' ')
		framing_violations_show(
			violations, VIOLATION_BAD_STATUS_LINE, "no space follows the status", line);
	return true;
}

/* Judges the bytes of a line without its end. */
static void judge_bytes(struct slice line, struct framing_violations *violations)
{
	for (size_t i = 0; i < line.len; i++) {
		uint8_t byte = line.ptr[i];
		enum violation_kind kind = VIOLATION_CONTROL_IN_HEADER;
		if ((byte >= 0x20 && byte != 0x7f) || byte == '\t')
			continue;
		if (byte == 0)
			kind = VIOLATION_NUL_IN_HEADER;
		else if (byte == '\r')
			kind = VIOLATION_BARE_CR;
		framing_violations_show(violations, kind, "the line", line);
	}
}

/* Takes the next line off *rest, without its end. */
static struct slice take_line(struct slice *rest, struct framing_violations *violations)
{
	struct slice line;
	if (!slice_next(rest, '\n', &line))
		return slice_from(NULL, 0);
	if (line.len && line.ptr[line.len - 1] == '\r')
		line.len--;
	else
		framing_violations_show(violations, VIOLATION_BARE_LF, "no CR ends the line", line);
	judge_bytes(line, violations);
	return line;
}

static size_t count_lines(struct slice bytes)
{
	size_t count = 0;
	for (size_t i = 0; i < bytes.len; i++)
		count += bytes.ptr[i] == '\n';
	return count;
}

/* The folded value runs on to the end of this line; flatten() makes one line of it. */
static void fold(struct headers *headers, struct slice line, struct framing_violations *violations)
{
	framing_violations_show(
		violations, VIOLATION_OBS_FOLD, "white space begins the line", line);
	if (!headers->count)
		return;
	struct slice *value = &headers->list[headers->count - 1].value;
	value->len = (size_t)(line.ptr + line.len - value->ptr);
}

/* RFC 9112 section 5.2: a user agent must replace each obs-fold by spaces. */
static struct slice flatten(struct slice value, struct arena *arena)
{
	if (slice_find_byte(value, '\n') == SIZE_MAX)
		return value;
	char *flat = arena_slice(arena, value);
	size_t len = 0;
	for (size_t i = 0; i < value.len; i++) {
		bool space = value.ptr[i] && strchr(" \t\r\n", value.ptr[i]);
		if (!space)
			flat[len++] = (char)value.ptr[i];
		else if (len && flat[len - 1] != ' ')
			flat[len++] = ' ';
	}
	return slice_trim(slice_from(flat, len));
}

static void add_field(
	struct headers *headers, struct slice line, struct framing_violations *violations)
{
	size_t colon = slice_find_byte(line, ':');
	if (colon == SIZE_MAX) {
		framing_violations_show(
			violations, VIOLATION_BAD_HEADER_NAME, "no colon is in the line", line);
		return;
	}
	struct slice name = slice_part(line, 0, colon), trimmed = slice_trim(name);
	if (trimmed.len < name.len)
		framing_violations_show(violations, VIOLATION_SPACE_BEFORE_COLON, "the line", line);
	if (!head_token(trimmed))
		framing_violations_show(violations, VIOLATION_BAD_HEADER_NAME, "the name", trimmed);
	headers->list[headers->count++] = (struct header){
		trimmed,
		slice_trim(slice_part(line, colon + 1, SIZE_MAX)),
	};
}

void head_fields(struct slice bytes, struct headers *headers, struct framing_violations *violations)
{
	*headers = (struct headers){
		arena_alloc(violations->arena, count_lines(bytes), sizeof *headers->list),
		0,
	};
	struct slice rest = bytes;
	while (rest.len) {
		struct slice line = take_line(&rest, violations);
		if (!line.len)
			break;
		if (line.ptr[0] == ' ' || line.ptr[0] == '\t')
			fold(headers, line, violations);
		else
			add_field(headers, line, violations);
	}
	for (size_t i = 0; i < headers->count; i++)
		headers->list[i].value = flatten(headers->list[i].value, violations->arena);
}

static bool may_be_trailer(struct slice name)
{
	/* RFC 9110 section 6.5.1: framing, routing, authentication, request modifiers, response control, payload. */
	static const char *const never[] = { "transfer-encoding", "content-length", "host",
		"trailer", "connection", "content-encoding", "content-type", "content-range",
		"authorization", "www-authenticate", "proxy-authenticate", "set-cookie",
		"cache-control", "expect", "te", "max-forwards", "age", "expires", "date",
		"location", "retry-after", "vary", "warning" };
	for (size_t i = 0; i < sizeof never / sizeof *never; i++)
		if (slice_is_nocase(name, never[i]))
			return false;
	return true;
}

void head_trailers(
	struct slice bytes, struct headers *trailers, struct framing_violations *violations)
{
	head_fields(bytes, trailers, violations);
	for (size_t i = 0; i < trailers->count; i++)
		if (!may_be_trailer(trailers->list[i].name))
			framing_violations_show(violations, VIOLATION_TRAILER_NOT_ALLOWED,
				"a trailer is named", trailers->list[i].name);
}

bool head_parse(struct slice bytes, struct head *head, struct framing_violations *violations)
{
	*head = (struct head){ 0 };
	struct slice rest = bytes;
	struct slice line = take_line(&rest, violations);
	if (!head_status_line(line, head, violations))
		return false;
	head_fields(rest, &head->headers, violations);
	return true;
}
