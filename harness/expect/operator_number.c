#include "expect/operator.h"

#include "base/units.h"

static const struct shape number_shape = { .kind = SHAPE_NUMBER, .name = "a number" };
static const struct shape count_shape = { .kind = SHAPE_COUNT, .name = "a whole number" };
static const struct shape comparison_shape = {
	.kind = SHAPE_STRING,
	.name = "a comparison such as \"<= 20ms\" or \"1..2\"",
	.valid = comparison_valid,
};
static const struct shape number_or_comparison = {
	.kind = SHAPE_CHOICE,
	.name = "a number or a comparison such as \"1..2\"",
	.choices = (const struct shape *const[]){ &comparison_shape, &number_shape, NULL },
};
static const struct shape count_or_comparison = {
	.kind = SHAPE_CHOICE,
	.name = "a whole number or a comparison such as \">= 2\"",
	.choices = (const struct shape *const[]){ &comparison_shape, &count_shape, NULL },
};

/* Quantities are short; longer text is none. */
enum { QUANTITY_BYTES = 64 };

static bool as_quantity(const struct subject *subject, struct quantity *quantity)
{
	struct slice text;
	char copy[QUANTITY_BYTES + 1];
	*quantity = (struct quantity){ .unit = UNIT_COUNT };
	if (subject->kind == SUBJECT_NUMBER) {
		quantity->value = subject->number;
		return true;
	}
	if (subject->kind == SUBJECT_JSON && cJSON_IsNumber(subject->json)) {
		quantity->value = subject->json->valuedouble;
		return true;
	}
	if (!subject_as_text(subject, &text))
		return false;
	/* A program ends its line. */
	while (text.len && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
		text.len--;
	text = slice_trim(text);
	if (text.len > QUANTITY_BYTES || slice_find_byte(text, 0) != SIZE_MAX)
		return false;
	for (size_t i = 0; i < text.len; i++)
		copy[i] = (char)text.ptr[i];
	copy[text.len] = 0;
	return quantity_parse(copy, quantity, NULL) == RC_OK;
}

static bool compare(struct matching *m, const cJSON *argument, struct quantity found)
{
	struct comparison comparison;
	struct err err;
	bool holds = false;
	if (cJSON_IsNumber(argument))
		return found.unit == UNIT_COUNT && found.value == argument->valuedouble;
	if (comparison_parse(argument->valuestring, &comparison, &err) != RC_OK)
		judge_error(m->j, m->pointer, "%s", err.text);
	else if (comparison_holds(&comparison, found, &holds, &err) != RC_OK)
		m->found = arena_print(
			m->j->arena, "%s: %s", subject_words(m->j, &m->subject), err.text);
	return holds;
}

static const char *comparison_words(const struct matching *m, const cJSON *argument)
{
	struct comparison comparison;
	char text[128];
	if (!cJSON_IsString(argument))
		return subject_json_words(m->j, argument);
	if (comparison_parse(argument->valuestring, &comparison, NULL) != RC_OK)
		return argument->valuestring;
	comparison_print(&comparison, text, sizeof text);
	return arena_print(m->j->arena, "%s", text);
}

static bool number_holds(struct matching *m, const cJSON *argument)
{
	struct quantity quantity;
	if (as_quantity(&m->subject, &quantity))
		return compare(m, argument, quantity);
	m->found = arena_print(
		m->j->arena, "%s, which is no number", subject_words(m->j, &m->subject));
	return false;
}

static const char *number_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "number %s", comparison_words(m, argument));
}

static bool lines_hold(struct matching *m, const cJSON *argument)
{
	struct quantity lines = { .unit = UNIT_COUNT, .value = (double)m->subject.line_count };
	bool holds = compare(m, argument, lines);
	m->found = arena_print(
		m->j->arena, "%zu: %s", m->subject.line_count, judge_quote(m->j, m->subject.bytes));
	return holds;
}

static const char *lines_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "lines: %s", comparison_words(m, argument));
}

static bool count_holds(struct matching *m, const cJSON *argument)
{
	const cJSON *list = m->subject.json;
	if (!cJSON_IsArray(list) && !cJSON_IsObject(list)) {
		m->found = arena_print(
			m->j->arena, "%s, which is no list", subject_words(m->j, &m->subject));
		return false;
	}
	int items = cJSON_GetArraySize(list);
	struct quantity count = { .unit = UNIT_COUNT, .value = items };
	bool holds = compare(m, argument, count);
	m->found = arena_print(m->j->arena, "%d", items);
	return holds;
}

static const char *count_words(const struct matching *m, const cJSON *argument)
{
	return arena_print(m->j->arena, "count: %s", comparison_words(m, argument));
}

const struct operator_row operators_number[] = {
	{
		.key = { "number", &number_or_comparison,
			"the text or JSON is a number that compares so", false },
		.places = PLACE_HEADER | PLACE_BODY | PLACE_TEXT | PLACE_JSON | PLACE_NUMBER |
			  PLACE_VALUE,
		.holds = number_holds,
		.words = number_words,
	},
	{
		.key = { "lines", &count_or_comparison, "how many lines the field has", false },
		.places = PLACE_HEADER,
		.holds = lines_hold,
		.words = lines_words,
	},
	{
		.key = { "count", &count_or_comparison,
			"how many items the list, or members the object, has", false },
		.places = PLACE_JSON | PLACE_VALUE,
		.holds = count_holds,
		.words = count_words,
	},
	{ .key = { .name = NULL } },
};
