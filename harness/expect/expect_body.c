#include "expect/expect_rows.h"

#include <string.h>

#include "expect/matcher.h"

static void check_layer(struct judgement *j, const struct expectation *row, enum layer_name layer,
	const cJSON *value, const char *pointer)
{
	const struct exchange *x = j->exchange;
	struct matching m = {
		.j = j,
		.pointer = pointer,
		.place = PLACE_BODY,
		.subject = subject_layer(&x->layers[layer]),
		.layer = layer,
	};
	if (layer == LAYER_DECODED && x->coding_error) {
		const char *found =
			arena_print(j->arena, "a body that can't be decoded: %s", x->coding_error);
		judge_check(j, false, pointer, row->name, matcher_words(&m, value), found);
		return;
	}
	matcher_judge(&m, value, row->name);
}

static void check_decoded(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_layer(j, row, LAYER_DECODED, value, pointer);
}

static void check_dechunked(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_layer(j, row, LAYER_DECHUNKED, value, pointer);
}

static void check_wire(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_layer(j, row, LAYER_WIRE, value, pointer);
}

/* Equality and same_as do with the length, the start and the digest of a body. */
static bool reads_text(const cJSON *value)
{
	if (!cJSON_IsObject(value))
		return false;
	for (const cJSON *part = value->child; part; part = part->next)
		if (strcmp(part->string, "same_as") != 0 && strcmp(part->string, "equals") != 0)
			return true;
	return false;
}

const struct expectation expect_body = {
	.name = "body",
	.shape = &matcher_body_shape,
	.help = "The body without transfer and content codings: text (\"\" for an empty one) or "
		"operators",
	.source = "RFC 9110 section 6.4",
	.subjects = EXPECT_EXCHANGE,
	.check = check_decoded,
	.reads_text = reads_text,
};

const struct expectation expect_body_dechunked = {
	.name = "body.dechunked",
	.shape = &matcher_body_shape,
	.help = "The body without its transfer coding, still content-coded",
	.source = "RFC 9112 section 7.1",
	.subjects = EXPECT_EXCHANGE,
	.check = check_dechunked,
	.reads_text = reads_text,
};

const struct expectation expect_body_wire = {
	.name = "body.wire",
	.shape = &matcher_body_shape,
	.help = "The body as it came behind the head, chunk lines included",
	.source = "RFC 9112 section 6",
	.subjects = EXPECT_EXCHANGE,
	.check = check_wire,
	.reads_text = reads_text,
};
