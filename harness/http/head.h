/*
 * head: a complete head of an HTTP/1.x answer, or complete trailers, to lines: RFC 9112 sections 4 and 5.
 *
 * Of HTTP/2 it takes the head as libcurl writes it out: "HTTP/2 200 " and a line for each field.
 *
 * It finds no ends and keeps no state; framing.c does that. What it can read in spite of a violation it reads as the RFC
 * has it for user agents: an obs-fold is one space, white space before a colon is dropped.
 */
#ifndef HTTP_HEAD_H
#define HTTP_HEAD_H

#include "http/framing_violation.h"

struct head {
	int status, version; /* version is 10, 11 or 20 */
	struct slice reason;
	struct headers headers;
};

/* True where a line (without its end) is a status line in which version and status can be told. */
bool head_status_line(struct slice line, struct head *head, struct framing_violations *violations);

/*
 * bytes run from the status line through the empty line and must live as long as *head does; lists are of the
 * violations' arena. False where the status line can't be read.
 */
bool head_parse(struct slice bytes, struct head *head, struct framing_violations *violations);

/* The same of trailers, which some fields can't be. */
void head_trailers(
	struct slice bytes, struct headers *trailers, struct framing_violations *violations);

/* Header lines through the empty line. */
void head_fields(
	struct slice bytes, struct headers *headers, struct framing_violations *violations);

/* A token of RFC 9110 section 5.6.2. */
bool head_token(struct slice text);

/* The next element of a list header's value (RFC 9110 section 5.6.1), trimmed, empty ones skipped. */
bool head_list_next(struct slice *rest, struct slice *element);

#endif
