#include "expect/matcher.h"

#include "expect/operator.h"

/*
 * The operators of a place as keys of a shape. A shape asks for keys by index alone, so each place has its own
 * function; they differ in nothing else.
 */
static const struct shape_key *key_of(enum matcher_place place, size_t index)
{
	const struct operator_row *row;
	for (size_t i = 0; (row = operator_at(i)); i++)
		if ((row->places & place) && index-- == 0)
			return &row->key;
	return NULL;
}

static const struct shape_key *header_key(size_t index)
{
	return key_of(PLACE_HEADER, index);
}

static const struct shape_key *fields_key(size_t index)
{
	return key_of(PLACE_FIELDS, index);
}

static const struct shape_key *body_key(size_t index)
{
	return key_of(PLACE_BODY, index);
}

static const struct shape_key *text_key(size_t index)
{
	return key_of(PLACE_TEXT, index);
}

static const struct shape_key *json_key(size_t index)
{
	return key_of(PLACE_JSON, index);
}

static const struct shape_key *number_key(size_t index)
{
	return key_of(PLACE_NUMBER, index);
}

static const struct shape_key *value_key(size_t index)
{
	return key_of(PLACE_VALUE, index);
}

static const struct shape null_shape = { .kind = SHAPE_NULL, .name = "null" };
static const struct shape bool_shape = { .kind = SHAPE_BOOL, .name = "true or false" };
static const struct shape any_number_shape = { .kind = SHAPE_NUMBER, .name = "a number" };
static const struct shape string_shape = { .kind = SHAPE_STRING, .name = "text" };
static const struct shape any_shape = { .kind = SHAPE_ANY, .name = "JSON" };
static const struct shape list_shape = {
	.kind = SHAPE_LIST,
	.name = "a list that it equals",
	.items = &any_shape,
};

static const struct shape header_operators = {
	.kind = SHAPE_OBJECT,
	.name = "operators on a header",
	.key_at = header_key,
};
static const struct shape body_operators = {
	.kind = SHAPE_OBJECT,
	.name = "operators on a body",
	.key_at = body_key,
};
static const struct shape text_operators = {
	.kind = SHAPE_OBJECT,
	.name = "operators on text",
	.key_at = text_key,
};
static const struct shape json_operators = {
	.kind = SHAPE_OBJECT,
	.name = "operators on JSON (an object that it equals: {\"equals\": {...}})",
	.key_at = json_key,
};
static const struct shape number_operators = {
	.kind = SHAPE_OBJECT,
	.name = "operators on a number",
	.key_at = number_key,
};
static const struct shape value_operators = {
	.kind = SHAPE_OBJECT,
	.name = "operators on a variable (an object that it equals: {\"equals\": {...}})",
	.key_at = value_key,
};

const struct shape matcher_header_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a header's text, null (absent) or operators such as {\"has\": \"gzip\"}",
	.schema_name = "header_matcher",
	.choices = (const struct shape *const[]){ &string_shape, &null_shape, &any_number_shape,
		&bool_shape, &header_operators, NULL },
};
const struct shape matcher_fields_shape = {
	.kind = SHAPE_OBJECT,
	.name = "operators on all headers: {\"same_as\": \"page\", \"except\": [\"Date\"]}",
	.schema_name = "fields_matcher",
	.key_at = fields_key,
};
const struct shape matcher_body_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a body's text (\"\": empty) or operators such as {\"same_as\": \"root:a.css\"}",
	.schema_name = "body_matcher",
	.choices = (const struct shape *const[]){ &string_shape, &any_number_shape, &bool_shape,
		&body_operators, NULL },
};
const struct shape matcher_text_shape = {
	.kind = SHAPE_CHOICE,
	.name = "text (\"\": empty) or operators such as {\"matches\": \"^usage\"}",
	.schema_name = "text_matcher",
	.choices = (const struct shape *const[]){ &string_shape, &any_number_shape, &bool_shape,
		&text_operators, NULL },
};
const struct shape matcher_json_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a JSON value or operators such as {\"exists\": true}",
	.schema_name = "json_matcher",
	.choices = (const struct shape *const[]){ &string_shape, &null_shape, &any_number_shape,
		&bool_shape, &list_shape, &json_operators, NULL },
};
const struct shape matcher_number_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a number or operators such as {\"one_of\": [1, 2]}",
	.schema_name = "number_matcher",
	.choices = (const struct shape *const[]){ &any_number_shape, &number_operators, NULL },
};
const struct shape matcher_value_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a value, null (absent) or operators such as {\"contains\": \"gzip\"}",
	.schema_name = "value_matcher",
	.choices = (const struct shape *const[]){ &string_shape, &null_shape, &any_number_shape,
		&bool_shape, &list_shape, &value_operators, NULL },
};

static const struct operator_row *row_for(const struct matching *m, const char *name)
{
	const struct operator_row *row = operator_find(name, m->place);
	if (!row)
		BUG("operator \"%s\" went past the shape of place %d", name, m->place);
	return row;
}

static bool operator_holds(
	struct matching *m, const struct operator_row *row, const cJSON *argument)
{
	if (m->subject.kind == SUBJECT_ABSENT && !row->takes_absent)
		return false;
	return row->holds(m, argument);
}

/* The first operator that does not hold (the matcher itself where it is a plain value), or NULL. */
static const cJSON *first_broken(struct matching *m, const cJSON *matcher)
{
	if (!cJSON_IsObject(matcher)) {
		m->found = NULL;
		return row_for(m, "equals")->holds(m, matcher) ? NULL : matcher;
	}
	const cJSON *outer = m->matcher, *argument, *broken = NULL;
	size_t asked = 0;
	m->matcher = matcher;
	cJSON_ArrayForEach (argument, matcher) {
		const struct operator_row *row = row_for(m, argument->string);
		asked += row->holds != NULL;
		m->found = NULL;
		if (!row->holds || operator_holds(m, row, argument))
			continue;
		broken = argument;
		break;
	}
	m->matcher = outer;
	if (!asked)
		judge_error(m->j, m->pointer, "expected at least one operator, found none");
	return broken;
}

static const char *found_words(const struct matching *m)
{
	return m->found ? m->found : subject_words(m->j, &m->subject);
}

bool matcher_holds(struct matching *m, const cJSON *matcher)
{
	if (!first_broken(m, matcher))
		return true;
	m->found = found_words(m);
	return false;
}

/* Words of one operator of the object `matcher`, or of a plain value. */
static const char *words_of(const struct matching *m, const cJSON *matcher, const cJSON *part)
{
	struct matching asked = *m;
	asked.matcher = matcher;
	if (part == matcher)
		return row_for(m, "equals")->words(&asked, part);
	return row_for(m, part->string)->words(&asked, part);
}

const char *matcher_words(const struct matching *m, const cJSON *matcher)
{
	if (!cJSON_IsObject(matcher))
		return words_of(m, matcher, matcher);
	const char *words = "";
	const cJSON *part;
	cJSON_ArrayForEach (part, matcher) {
		if (!row_for(m, part->string)->holds)
			continue;
		const char *more = words_of(m, matcher, part);
		words = words[0] ? arena_print(m->j->arena, "%s and %s", words, more) : more;
	}
	return words;
}

void matcher_judge(struct matching *m, const cJSON *matcher, const char *what)
{
	const cJSON *broken = first_broken(m, matcher);
	if (!broken)
		judge_check(m->j, true, m->pointer, what, "", "");
	else
		judge_check(m->j, false, m->pointer, what, words_of(m, matcher, broken),
			found_words(m));
}
