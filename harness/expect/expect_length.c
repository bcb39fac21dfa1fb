#include "expect/expect_rows.h"

#include <string.h>

#include "expect/subject.h"

static const struct shape length_shape = {
	.kind = SHAPE_STRING,
	.name = "\"exact\" or \"absent\"",
	.words = (const char *const[]){ "exact", "absent", NULL },
};

/* Answers that have no content but may tell how long it would be (RFC 9110 section 8.6). */
static bool tells_only(const struct exchange *x)
{
	return !strcmp(x->method, "HEAD") || x->status == 304;
}

static const char *found(struct judgement *j, const struct subject *field)
{
	if (field->kind == SUBJECT_ABSENT)
		return "no Content-Length";
	return arena_print(j->arena, "Content-Length %s, and %llu bytes on the wire",
		subject_words(j, field), (unsigned long long)j->exchange->layers[LAYER_WIRE].bytes);
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	const struct exchange *x = j->exchange;
	struct subject field = subject_field(j, &x->headers, "Content-Length");
	if (!strcmp(value->valuestring, "absent")) {
		judge_check(j, field.kind == SUBJECT_ABSENT, pointer, row->name,
			"no Content-Length", found(j, &field));
		return;
	}
	bool sent = field.line_count == 1 && x->has_length;
	if (tells_only(x)) {
		judge_check(j, sent, pointer, row->name, "one Content-Length", found(j, &field));
		return;
	}
	judge_check(j, sent && x->length == x->layers[LAYER_WIRE].bytes, pointer, row->name,
		"one Content-Length, equal to the bytes on the wire", found(j, &field));
}

const struct expectation expect_length = {
	.name = "length",
	.shape = &length_shape,
	.help = "\"exact\": Content-Length is sent once and equals the bytes on the wire (to HEAD, "
		"and with 304: is sent once); \"absent\": it is not sent",
	.source = "RFC 9110 section 8.6",
	.subjects = EXPECT_EXCHANGE,
	.check = check,
};
