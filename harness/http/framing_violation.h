/*
 * framing_violation: how an answer can break HTTP/1.x framing, as a table, and a list that collects what one answer
 * did.
 *
 * To add one: a word in the enum, a row in framing_violation.c at the same place, and a test row that provokes it
 * (framing_test.c fails where a row lacks one).
 */
#ifndef HTTP_FRAMING_VIOLATION_H
#define HTTP_FRAMING_VIOLATION_H

#include "model/exchange.h"

enum violation_kind {
	VIOLATION_BAD_STATUS_LINE,
	VIOLATION_BARE_LF,
	VIOLATION_BARE_CR,
	VIOLATION_OBS_FOLD,
	VIOLATION_BAD_HEADER_NAME,
	VIOLATION_SPACE_BEFORE_COLON,
	VIOLATION_NUL_IN_HEADER,
	VIOLATION_CONTROL_IN_HEADER,
	VIOLATION_BAD_LENGTH,
	VIOLATION_LENGTHS_DIFFER,
	VIOLATION_LENGTH_REPEATED,
	VIOLATION_LENGTH_AND_CHUNKED,
	VIOLATION_LENGTH_IN_1XX,
	VIOLATION_LENGTH_IN_204,
	VIOLATION_TRANSFER_CODING_IN_1XX,
	VIOLATION_TRANSFER_CODING_IN_204,
	VIOLATION_UNKNOWN_TRANSFER_CODING,
	VIOLATION_CHUNKED_NOT_LAST,
	VIOLATION_CHUNKED_TWICE,
	VIOLATION_CHUNKED_IN_HTTP10,
	VIOLATION_BAD_CHUNK_SIZE,
	VIOLATION_BAD_CHUNK_EXTENSION,
	VIOLATION_BAD_CHUNK_END,
	VIOLATION_TRAILER_NOT_ALLOWED,
	VIOLATION_BODY_ON_HEAD,
	VIOLATION_BODY_ON_204,
	VIOLATION_BODY_ON_304,
	VIOLATION_SURPLUS,
	VIOLATION_UNASKED,
	VIOLATION_TRUNCATED,
	VIOLATION_UNREADABLE,
	VIOLATION_OTHER_VERSION,
	VIOLATION_STREAM_RESET,
	VIOLATION_REFUSED_STREAM,
	VIOLATION_GOAWAY,
	VIOLATION_CONNECTION_ERROR,
	VIOLATION_COUNT
};

/* A row: what `onus list` and the manual print. */
struct framing_violation {
	const char *name, *help, *source;
};

/* Row by index (an enum violation_kind), NULL behind the last. */
const struct framing_violation *framing_violation_at(size_t index);

/* What one answer did: the first of each kind, in the order in which they were seen. */
struct framing_violations {
	struct arena *arena; /* the texts' */
	struct violation
		*list; /* of the arena, with room for one of each kind; NULL while there is none */
	size_t count;
};

/* The arena must outlive the list. */
void framing_violations_init(struct framing_violations *violations, struct arena *arena);
/* The text says what and where, for people. Only the first of a kind is kept. */
void framing_violations_add(struct framing_violations *violations, enum violation_kind kind,
	const char *format, ...) PRINTF(3, 4);
bool framing_violations_has(const struct framing_violations *violations, enum violation_kind kind);

/* The same, with the bytes behind the text: `text: "bytes"`, escaped as in C and cut to 60 bytes. */
void framing_violations_show(struct framing_violations *violations, enum violation_kind kind,
	const char *text, struct slice bytes);

#endif
