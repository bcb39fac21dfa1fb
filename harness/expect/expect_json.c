#include "expect/expect_rows.h"

#include "expect/matcher.h"

enum { POINTER_BYTES = 512 };

static const struct shape json_shape = {
	.kind = SHAPE_MAP,
	.name = "JSON pointers and what each must lead to",
	.valid = json_pointer_valid,
	.items = &matcher_json_shape,
};

static void check_one(
	struct judgement *j, const cJSON *root, const cJSON *matcher, const char *path)
{
	char pointer[POINTER_BYTES];
	snprintf(pointer, sizeof pointer, "%s", path);
	json_pointer_add(pointer, sizeof pointer, matcher->string);
	struct err err;
	if (!json_pointer_valid(matcher->string, &err)) {
		judge_error(j, pointer, "%s", err.text);
		return;
	}
	bool owned;
	cJSON *found = json_pointer(root, matcher->string, true, &owned);
	struct matching m = {
		.j = j,
		.pointer = pointer,
		.place = PLACE_JSON,
		.subject = subject_json(found),
		.key = matcher->string,
	};
	matcher_judge(&m, matcher, arena_print(j->arena, "json %s", matcher->string));
	if (owned)
		cJSON_Delete(found);
}

static cJSON *body_json(struct judgement *j, const char **why)
{
	const struct layer *body = &j->exchange->layers[LAYER_DECODED];
	struct err err = { .text = "" };
	if (j->exchange->coding_error) {
		*why = arena_print(
			j->arena, "a body that can't be decoded: %s", j->exchange->coding_error);
		return NULL;
	}
	if (!body->whole) {
		*why = arena_print(j->arena, "a body of %llu bytes, too long to read",
			(unsigned long long)body->bytes);
		return NULL;
	}
	cJSON *root = json_parse(body->kept, &err);
	if (!root)
		*why = arena_print(j->arena, "%s: %s", err.text,
			judge_quote(j, slice_part(body->kept, 0, JUDGE_QUOTE_BYTES)));
	return root;
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	const char *why;
	cJSON *root = body_json(j, &why);
	if (!root) {
		judge_check(j, false, pointer, row->name, "a body of JSON", why);
		return;
	}
	for (const cJSON *matcher = value->child; matcher; matcher = matcher->next)
		check_one(j, root, matcher, pointer);
	cJSON_Delete(root);
}

static bool reads_text(const cJSON *value)
{
	(void)value;
	return true;
}

const struct expectation expect_json = {
	.name = "json",
	.shape = &json_shape,
	.help = "JSON of the decoded body by pointer, with `*` for all items of an array: a value, "
		"null for null, {\"exists\": false} for absent, or operators",
	.source = "RFC 6901; RFC 8620 section 3.7; RFC 8259",
	.subjects = EXPECT_EXCHANGE,
	.check = check,
	.reads_text = reads_text,
};
