#include "expect/operator.h"

#include <stdlib.h>

#include "expect/difference.h"
#include "expect/list_difference.h"

enum { SHORT_BYTES = 100 }; /* texts that people compare at a glance */

static const struct shape null_shape = { .kind = SHAPE_NULL, .name = "null" };
static const struct shape bool_shape = { .kind = SHAPE_BOOL, .name = "true or false" };
static const struct shape number_shape = { .kind = SHAPE_NUMBER, .name = "a number" };
static const struct shape string_shape = { .kind = SHAPE_STRING, .name = "text" };
static const struct shape any_shape = { .kind = SHAPE_ANY, .name = "JSON" };
static const struct shape scalar_shape = {
	.kind = SHAPE_CHOICE,
	.name = "text, a number, true or false",
	.choices = (const struct shape *const[]){ &string_shape, &number_shape, &bool_shape, NULL },
};
static const struct shape scalar_or_null_shape = {
	.kind = SHAPE_CHOICE,
	.name = "text, a number, true, false or null (absent)",
	.choices = (const struct shape *const[]){ &string_shape, &number_shape, &bool_shape,
		&null_shape, NULL },
};

#define ONE_OF_SHAPE(matcher)                                                                      \
	{                                                                                          \
		.kind = SHAPE_LIST, .name = "a list of matchers", .items = &(matcher),             \
		.min_items = 1                                                                     \
	}
static const struct shape one_of_header = ONE_OF_SHAPE(matcher_header_shape);
static const struct shape one_of_body = ONE_OF_SHAPE(matcher_body_shape);
static const struct shape one_of_text = ONE_OF_SHAPE(matcher_text_shape);
static const struct shape one_of_json = ONE_OF_SHAPE(matcher_json_shape);
static const struct shape one_of_number = ONE_OF_SHAPE(matcher_number_shape);
static const struct shape one_of_value = ONE_OF_SHAPE(matcher_value_shape);

static bool null_is_absent(const struct matching *m)
{
	return m->place != PLACE_JSON;
}

static bool text_equals(struct matching *m, struct slice text)
{
	const struct subject *subject = &m->subject;
	struct side mine = { .total = subject->total, .kept = subject->bytes };
	struct side asked = side_of_text(text);
	if (mine.total == asked.total && mine.kept.len < mine.total) {
		judge_error(m->j, m->pointer, "expected text of at most %zu bytes to compare with",
			mine.kept.len);
		return false;
	}
	struct difference difference = difference_find(&mine, &asked);
	if (difference.differs && (mine.total > SHORT_BYTES || asked.total > SHORT_BYTES))
		m->found = difference_words(m->j, &difference, &mine);
	return !difference.differs;
}

/* Of two lists people are told the first item in which they part. */
static bool lists_equal(struct matching *m, const cJSON *found, const cJSON *asked)
{
	struct list_difference difference = list_difference_find(asked, found);
	if (difference.differs)
		m->found = list_difference_words(m->j, &difference);
	return !difference.differs;
}

static bool equals_holds(struct matching *m, const cJSON *argument)
{
	switch (m->subject.kind) {
	case SUBJECT_ABSENT: return cJSON_IsNull(argument) && null_is_absent(m);
	case SUBJECT_NUMBER:
		return cJSON_IsNumber(argument) && argument->valuedouble == m->subject.number;
	case SUBJECT_JSON:
		if (cJSON_IsArray(argument) && cJSON_IsArray(m->subject.json))
			return lists_equal(m, m->subject.json, argument);
		return json_equal(m->subject.json, argument);
	case SUBJECT_BYTES: break;
	case SUBJECT_FIELDS: return false;
	}
	if (cJSON_IsString(argument))
		return text_equals(m, slice_of(argument->valuestring));
	if (cJSON_IsNull(argument))
		return false;
	char *text = json_print(argument);
	bool holds = text_equals(m, slice_of(text));
	free(text);
	return holds;
}

static const char *equals_words(const struct matching *m, const cJSON *argument)
{
	if (cJSON_IsNull(argument) && null_is_absent(m))
		return "absent";
	if (cJSON_IsString(argument))
		return judge_quote(m->j, slice_of(argument->valuestring));
	const char *json = subject_json_words(m->j, argument);
	if (cJSON_IsArray(argument) && slice_of(json).len > SHORT_BYTES)
		return arena_print(m->j->arena, "%d values: %.*s...", cJSON_GetArraySize(argument),
			SHORT_BYTES, json);
	if (m->subject.kind == SUBJECT_BYTES)
		return judge_quote(m->j, slice_of(json));
	return json;
}

static bool not_holds(struct matching *m, const cJSON *argument)
{
	bool holds = !matcher_holds(m, argument);
	m->found = NULL;
	return holds;
}

static const char *not_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "not %s", matcher_words(m, argument));
}

static bool one_of_holds(struct matching *m, const cJSON *argument)
{
	for (const cJSON *one = argument->child; one; one = one->next)
		if (matcher_holds(m, one))
			return true;
	m->found = NULL;
	return false;
}

static const char *one_of_words(const struct matching *m, const cJSON *argument)
{
	const char *words = "one of";
	const cJSON *one;
	cJSON_ArrayForEach (one, argument) {
		words = arena_print(m->j->arena, "%s%s %s", words, one->prev->next ? "," : "",
			matcher_words(m, one));
		if (slice_of(words).len > JUDGE_TEXT_BYTES)
			break;
	}
	return words;
}

static bool exists_holds(struct matching *m, const cJSON *argument)
{
	return cJSON_IsTrue(argument) == (m->subject.kind != SUBJECT_ABSENT);
}

static const char *exists_words(const struct matching *m, const cJSON *argument)
{
	(void)m;
	return cJSON_IsTrue(argument) ? "present" : "absent";
}

#define EQUALS(where, argument_shape)                                                              \
	{                                                                                          \
		.key = { "equals", &(argument_shape), "equal; what a plain value means", false },  \
		.places = (where), .takes_absent = true, .holds = equals_holds,                    \
		.words = equals_words                                                              \
	}
#define NOT(where, argument_shape)                                                                 \
	{                                                                                          \
		.key = { "not", &(argument_shape), "present, and this matcher does not hold",      \
			false },                                                                   \
		.places = (where), .holds = not_holds, .words = not_words                          \
	}
#define ONE_OF(where, argument_shape)                                                              \
	{                                                                                          \
		.key = { "one_of", &(argument_shape), "at least one of these matchers holds",      \
			false },                                                                   \
		.places = (where), .takes_absent = true, .holds = one_of_holds,                    \
		.words = one_of_words                                                              \
	}

const struct operator_row operators_value[] = {
	EQUALS(PLACE_HEADER, scalar_or_null_shape),
	EQUALS(PLACE_BODY | PLACE_TEXT, scalar_shape),
	EQUALS(PLACE_JSON | PLACE_VALUE, any_shape),
	EQUALS(PLACE_NUMBER, number_shape),
	NOT(PLACE_HEADER, matcher_header_shape),
	NOT(PLACE_BODY, matcher_body_shape),
	NOT(PLACE_TEXT, matcher_text_shape),
	NOT(PLACE_JSON, matcher_json_shape),
	NOT(PLACE_NUMBER, matcher_number_shape),
	NOT(PLACE_VALUE, matcher_value_shape),
	ONE_OF(PLACE_HEADER, one_of_header),
	ONE_OF(PLACE_BODY, one_of_body),
	ONE_OF(PLACE_TEXT, one_of_text),
	ONE_OF(PLACE_JSON, one_of_json),
	ONE_OF(PLACE_NUMBER, one_of_number),
	ONE_OF(PLACE_VALUE, one_of_value),
	{
		.key = { "exists", &bool_shape, "true: present, be it empty or null; false: absent",
			false },
		.places = PLACE_HEADER | PLACE_JSON | PLACE_VALUE,
		.takes_absent = true,
		.holds = exists_holds,
		.words = exists_words,
	},
	{ .key = { .name = NULL } },
};
