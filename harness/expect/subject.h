/*
 * subject: what a matcher is held against: a header field, a body, JSON, a number, or nothing at all.
 *
 * It points into the exchange, the process or the JSON tree it was made from, and lives as long as that.
 */
#ifndef EXPECT_SUBJECT_H
#define EXPECT_SUBJECT_H

#include "base/json.h"
#include "expect/judgement.h"

enum subject_kind {
	SUBJECT_ABSENT,
	SUBJECT_BYTES, /* a field, a layer of a body, the output of a process */
	SUBJECT_JSON,
	SUBJECT_NUMBER,
	SUBJECT_FIELDS, /* all fields of an answer's head */
};

struct subject {
	enum subject_kind kind;
	struct slice bytes; /* BYTES: of a field, all its lines joined by ", " */
	uint64_t
		total; /* BYTES: the whole length, of which bytes is the start where it is shorter */
	const struct slice *lines; /* of a field, else NULL */
	size_t line_count;
	const cJSON *json;
	double number;
	const struct headers *fields;
	const char
		*note; /* where set, what people are told instead of the value: why it is absent */
};

/* note is not copied; NULL reads "absent". */
struct subject subject_absent(const char *note);
/* All lines of the field, its name compared without case (RFC 9110 sections 5.1 and 5.3). */
struct subject subject_field(struct judgement *j, const struct headers *headers, const char *name);
struct subject subject_fields(const struct headers *headers);
struct subject subject_layer(const struct layer *layer);
struct subject subject_text(struct slice text);
/* NULL is absent. */
struct subject subject_json(const cJSON *value);
struct subject subject_number(double number);

/* For people, of j's arena, at most a few hundred bytes. */
const char *subject_words(struct judgement *j, const struct subject *subject);
/* A JSON value on one line for people, of j's arena. */
const char *subject_json_words(struct judgement *j, const cJSON *value);
/* The subject as text: bytes, or a JSON string. False where it is neither. */
bool subject_as_text(const struct subject *subject, struct slice *text);

#endif
