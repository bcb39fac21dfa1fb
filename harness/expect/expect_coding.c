#include "expect/expect_rows.h"

#include <string.h>

#include "expect/subject.h"

static const struct shape coding_shape = {
	.kind = SHAPE_STRING,
	.name = "\"none\" or a content coding",
	.words = (const char *const[]){ "none", "gzip", "deflate", "br", "zstd", NULL },
};

/* What RFC 9110 section 6.4.1 gives no content has a coding all the same: that of the GET it stands for. */
static bool without_body(const struct exchange *x)
{
	return !strcmp(x->method, "HEAD") || x->status == 204 || x->status == 304;
}

/* Why the answer is not coded once by `coding`, or NULL where it is. */
static const char *fault(struct judgement *j, const char *coding)
{
	const struct exchange *x = j->exchange;
	struct subject field = subject_field(j, &x->headers, "Content-Encoding");
	if (field.kind == SUBJECT_ABSENT)
		return "no Content-Encoding";
	if (field.line_count != 1 || !slice_is_nocase(field.bytes, coding))
		return arena_print(j->arena, "Content-Encoding %s", subject_words(j, &field));
	if (without_body(x))
		return NULL;
	if (x->coding_error)
		return arena_print(j->arena, "a body that can't be decoded: %s", x->coding_error);
	if (x->magic)
		return arena_print(j->arena,
			"the magic number of %s at the start of the decoded body: coded twice",
			x->magic);
	return NULL;
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	const char *coding = value->valuestring;
	if (strcmp(coding, "none") != 0) {
		const char *found = fault(j, coding);
		const char *expected =
			arena_print(j->arena, "%s: one Content-Encoding line, one decode", coding);
		judge_check(j, !found, pointer, row->name, expected, found ? found : "");
		return;
	}
	struct subject field = subject_field(j, &j->exchange->headers, "Content-Encoding");
	judge_check(j, field.kind == SUBJECT_ABSENT, pointer, row->name, "no Content-Encoding",
		arena_print(j->arena, "Content-Encoding %s", subject_words(j, &field)));
}

const struct expectation expect_coding = {
	.name = "coding",
	.shape = &coding_shape,
	.help = "\"none\": no Content-Encoding; a coding: one Content-Encoding line that names it, "
		"one decode, and no magic number left",
	.source = "RFC 9110 section 8.4",
	.subjects = EXPECT_EXCHANGE,
	.check = check,
};
