#include "expect/expect_rows.h"

#include <string.h>

#include "expect/matcher.h"

enum { POINTER_BYTES = 512 };

static const struct shape_key all_fields[] = {
	{ "*", &matcher_fields_shape, "all fields of the head at once", false },
	{ .name = NULL },
};
static const struct shape headers_shape = {
	.kind = SHAPE_MAP,
	.name = "header names and what each must be",
	.keys = all_fields,
	.items = &matcher_header_shape,
};

static void check_one(struct judgement *j, const char *name, const cJSON *matcher, const char *path)
{
	char pointer[POINTER_BYTES];
	snprintf(pointer, sizeof pointer, "%s", path);
	json_pointer_add(pointer, sizeof pointer, name);
	bool all = !strcmp(name, "*");
	const struct headers *headers = &j->exchange->headers;
	struct matching m = {
		.j = j,
		.pointer = pointer,
		.place = all ? PLACE_FIELDS : PLACE_HEADER,
		.subject = all ? subject_fields(headers) : subject_field(j, headers, name),
		.key = name,
	};
	matcher_judge(&m, matcher, all ? "headers" : arena_print(j->arena, "header %s", name));
}

static void check(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	(void)row;
	for (const cJSON *matcher = value->child; matcher; matcher = matcher->next)
		check_one(j, matcher->string, matcher, pointer);
}

const struct expectation expect_headers = {
	.name = "headers",
	.shape = &headers_shape,
	.help = "Header fields by name, in any case: the text of all lines joined by \", \", null "
		"for absent, or operators; \"*\" stands for all fields",
	.source = "RFC 9110 section 5",
	.subjects = EXPECT_EXCHANGE,
	.check = check,
};
