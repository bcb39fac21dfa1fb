#include "http/framing_violation.h"

#include <stdio.h>
#include <string.h>

static const struct framing_violation table[] = {
	[VIOLATION_BAD_STATUS_LINE] = { "bad-status-line",
		"the status line is not HTTP/1.x, a space, three digits from 100 to 599, a space "
		"and a reason",
		"RFC 9112 section 4" },
	[VIOLATION_BARE_LF] = { "bare-lf", "a line ends in LF without CR", "RFC 9112 section 2.2" },
	[VIOLATION_BARE_CR] = { "bare-cr", "a CR without LF stands inside a line",
		"RFC 9112 section 2.2" },
	[VIOLATION_OBS_FOLD] = { "obs-fold",
		"a header line begins with white space, which once continued the line before",
		"RFC 9112 section 5.2" },
	[VIOLATION_BAD_HEADER_NAME] = { "bad-header-name",
		"a header line has no colon, or what stands before it is not a token",
		"RFC 9110 section 5.1" },
	[VIOLATION_SPACE_BEFORE_COLON] = { "space-before-colon",
		"white space stands between a header's name and the colon",
		"RFC 9112 section 5.1" },
	[VIOLATION_NUL_IN_HEADER] = { "nul-in-header", "a header line holds a NUL byte",
		"RFC 9110 section 5.5" },
	[VIOLATION_CONTROL_IN_HEADER] = { "control-in-header",
		"a header line holds a control byte other than a tab", "RFC 9110 section 5.5" },
	[VIOLATION_BAD_LENGTH] = { "bad-length",
		"Content-Length is not a decimal number below 2^63", "RFC 9110 section 8.6" },
	[VIOLATION_LENGTHS_DIFFER] = { "lengths-differ", "several Content-Length disagree",
		"RFC 9112 section 6.3" },
	[VIOLATION_LENGTH_REPEATED] = { "length-repeated",
		"the same Content-Length is given more than once", "RFC 9110 section 8.6" },
	[VIOLATION_LENGTH_AND_CHUNKED] = { "length-and-chunked",
		"Content-Length and Transfer-Encoding are both sent", "RFC 9112 section 6.2" },
	[VIOLATION_LENGTH_IN_1XX] = { "length-in-1xx", "a 1xx answer has Content-Length",
		"RFC 9110 section 8.6" },
	[VIOLATION_LENGTH_IN_204] = { "length-in-204", "a 204 answer has Content-Length",
		"RFC 9110 section 8.6" },
	[VIOLATION_TRANSFER_CODING_IN_1XX] = { "transfer-coding-in-1xx",
		"a 1xx answer has Transfer-Encoding", "RFC 9112 section 6.1" },
	[VIOLATION_TRANSFER_CODING_IN_204] = { "transfer-coding-in-204",
		"a 204 answer has Transfer-Encoding", "RFC 9112 section 6.1" },
	[VIOLATION_UNKNOWN_TRANSFER_CODING] = { "unknown-transfer-coding",
		"a transfer coding other than chunked, which no request without TE asks for",
		"RFC 9112 section 7.4" },
	[VIOLATION_CHUNKED_NOT_LAST] = { "chunked-not-last",
		"chunked is not the last transfer coding", "RFC 9112 section 6.1" },
	[VIOLATION_CHUNKED_TWICE] = { "chunked-twice", "chunked is applied more than once",
		"RFC 9112 section 6.1" },
	[VIOLATION_CHUNKED_IN_HTTP10] = { "chunked-in-http10",
		"an HTTP/1.0 answer has Transfer-Encoding", "RFC 9112 section 6.1" },
	[VIOLATION_BAD_CHUNK_SIZE] = { "bad-chunk-size",
		"a chunk does not begin with a hexadecimal number below 2^63",
		"RFC 9112 section 7.1" },
	[VIOLATION_BAD_CHUNK_EXTENSION] = { "bad-chunk-extension",
		"what follows a chunk's size is not of the form ;name or ;name=value",
		"RFC 9112 section 7.1.1" },
	[VIOLATION_BAD_CHUNK_END] = { "bad-chunk-end", "a chunk's data is not followed by CR LF",
		"RFC 9112 section 7.1" },
	[VIOLATION_TRAILER_NOT_ALLOWED] = { "trailer-not-allowed",
		"a trailer is a field of framing, routing, authentication or payload processing",
		"RFC 9110 section 6.5.1" },
	[VIOLATION_BODY_ON_HEAD] = { "body-on-head", "bytes follow the answer to HEAD",
		"RFC 9110 section 9.3.2" },
	[VIOLATION_BODY_ON_204] = { "body-on-204", "bytes follow a 204 answer",
		"RFC 9110 section 15.3.5" },
	[VIOLATION_BODY_ON_304] = { "body-on-304", "bytes follow a 304 answer",
		"RFC 9110 section 15.4.5" },
	[VIOLATION_SURPLUS] = { "surplus", "bytes follow the end of the answer",
		"RFC 9112 section 6.3" },
	[VIOLATION_UNASKED] = { "unasked", "bytes came before the request was sent",
		"RFC 9112 section 9.2" },
	[VIOLATION_TRUNCATED] = { "truncated", "the connection ended inside the answer",
		"RFC 9112 section 8" },
	[VIOLATION_UNREADABLE] = { "unreadable", "libcurl could not read the answer, and said why",
		"RFC 9112" },
	[VIOLATION_OTHER_VERSION] = { "other-version",
		"HTTP/2 was asked for, and the server speaks another version",
		"RFC 9113 section 3.1" },
	[VIOLATION_STREAM_RESET] = { "stream-reset",
		"the stream was ended by RST_STREAM, or had to be: it was malformed",
		"RFC 9113 section 5.4.2" },
	[VIOLATION_REFUSED_STREAM] = { "refused-stream",
		"the stream was ended by RST_STREAM of REFUSED_STREAM: nothing was done",
		"RFC 9113 section 8.7" },
	[VIOLATION_GOAWAY] = { "goaway",
		"the server said GOAWAY with an error, and the stream was not answered",
		"RFC 9113 section 6.8" },
	[VIOLATION_CONNECTION_ERROR] = { "connection-error",
		"the bytes are not HTTP/2, or break its rules for the whole connection",
		"RFC 9113 section 5.4.1" },
};

_Static_assert(sizeof table / sizeof *table == VIOLATION_COUNT, "a row for each kind");

const struct framing_violation *framing_violation_at(size_t index)
{
	return index < VIOLATION_COUNT ? &table[index] : NULL;
}

void framing_violations_init(struct framing_violations *violations, struct arena *arena)
{
	*violations = (struct framing_violations){ .arena = arena };
}

bool framing_violations_has(const struct framing_violations *violations, enum violation_kind kind)
{
	for (size_t i = 0; i < violations->count; i++)
		if (violations->list[i].name == table[kind].name)
			return true;
	return false;
}

void framing_violations_add(
	struct framing_violations *violations, enum violation_kind kind, const char *format, ...)
{
	if (framing_violations_has(violations, kind))
		return;
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (!violations->list)
		violations->list =
			arena_alloc(violations->arena, VIOLATION_COUNT, sizeof *violations->list);
	violations->list[violations->count++] = (struct violation){
		table[kind].name,
		arena_text(violations->arena, text),
	};
}

static size_t escape(uint8_t byte, char *out)
{
	static const char letters[] = "\r\n\t\"\\", names[] = "rnt\"\\";
	const char *at = byte ? strchr(letters, byte) : NULL;
	if (at) {
		out[0] = '\\';
		out[1] = names[at - letters];
		return 2;
	}
	if (byte >= 0x20 && byte < 0x7f) {
		out[0] = (char)byte;
		return 1;
	}
	return (size_t)snprintf(out, 5, "\\x%02x", byte);
}

void framing_violations_show(struct framing_violations *violations, enum violation_kind kind,
	const char *text, struct slice bytes)
{
	enum { SHOWN = 60 };
	char quoted[4 * SHOWN + 1] = "";
	if (framing_violations_has(violations, kind))
		return;
	size_t len = 0;
	for (size_t i = 0; i < bytes.len && i < SHOWN; i++)
		len += escape(bytes.ptr[i], quoted + len);
	quoted[len] = 0;
	framing_violations_add(
		violations, kind, "%s: \"%s\"%s", text, quoted, bytes.len > SHOWN ? "..." : "");
}
