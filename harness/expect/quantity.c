#include "expect/quantity.h"

#include "base/units.h"

/* A comparison with a variable is looked at again once that is known. */
static bool of_unit(const char *text, enum unit unit, const char *like, struct err *err)
{
	struct comparison comparison;
	if (!comparison_valid(text, err))
		return false;
	if (shape_has_variable(text) || comparison_parse(text, &comparison, err) != RC_OK)
		return true;
	if (comparison.unit == unit)
		return true;
	err_set(err, RC_INVALID, "", "expected %s, found \"%s\"", like, text);
	return false;
}

static bool time_valid(const char *text, struct err *err)
{
	return of_unit(text, UNIT_NS, "a time with its unit, such as \"<= 20ms\"", err);
}

static bool size_valid_comparison(const char *text, struct err *err)
{
	return of_unit(text, UNIT_BYTES, "a size with its unit, such as \"< 1000B\"", err);
}

static bool share_valid(const char *text, struct err *err)
{
	return of_unit(text, UNIT_PERCENT, "a share, such as \"<= 25%\"", err);
}

static bool count_valid(const char *text, struct err *err)
{
	return of_unit(text, UNIT_COUNT, "a number without a unit, such as \">= 20\"", err);
}

const struct shape quantity_time_shape = {
	.kind = SHAPE_STRING,
	.name = "a comparison of times such as \"<= 20ms\"",
	.valid = time_valid,
};
const struct shape quantity_size_shape = {
	.kind = SHAPE_STRING,
	.name = "a comparison of sizes such as \"< 50% of ${bytes.decoded}\"",
	.valid = size_valid_comparison,
};
const struct shape quantity_share_shape = {
	.kind = SHAPE_STRING,
	.name = "a comparison of shares such as \"<= 25%\"",
	.valid = share_valid,
};
static bool rate_valid(const char *text, struct err *err)
{
	return of_unit(text, UNIT_PER_S, "a rate with its unit, such as \">= 500/s\"", err);
}

const struct shape quantity_rate_shape = {
	.kind = SHAPE_STRING,
	.name = "a comparison of rates such as \">= 500/s\"",
	.valid = rate_valid,
};
static const struct shape count_text = {
	.kind = SHAPE_STRING,
	.name = "a comparison of counts such as \">= 20\"",
	.valid = count_valid,
};
static const struct shape count_number = { .kind = SHAPE_COUNT, .name = "a count" };
const struct shape quantity_count_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a count, or a comparison of counts such as \">= 20\"",
	.choices = (const struct shape *const[]){ &count_number, &count_text, NULL },
};

static bool part_valid(const char *text, struct err *err)
{
	struct comparison comparison;
	if (!shape_has_variable(text) && comparison_parse(text, &comparison, NULL) == RC_OK &&
		comparison.unit == UNIT_PERCENT)
		return true;
	return of_unit(text, UNIT_COUNT,
		"a number without a unit, or a share, such as \">= 20\" or \"<= 1%\"", err);
}

static const struct shape part_text = {
	.kind = SHAPE_STRING,
	.name = "a comparison of counts such as \">= 20\", or of shares such as \"<= 1%\"",
	.valid = part_valid,
};
const struct shape quantity_part_shape = {
	.kind = SHAPE_CHOICE,
	.name = "a count, or a comparison of counts or shares such as \">= 20\" or \"<= 1%\"",
	.choices = (const struct shape *const[]){ &count_number, &part_text, NULL },
};

static enum rc read(const cJSON *value, struct comparison *comparison, struct err *err)
{
	char text[32];
	if (cJSON_IsString(value))
		return comparison_parse(value->valuestring, comparison, err);
	snprintf(text, sizeof text, "%.0f", value->valuedouble);
	return comparison_parse(text, comparison, err);
}

/* Sizes are told to the byte as well: a limit is often missed by a few. */
static const char *words(struct judgement *j, struct quantity found, const char *note)
{
	char text[32];
	const char *all = text;
	quantity_print(found, text, sizeof text);
	if (found.unit == UNIT_BYTES && found.value >= 1000)
		all = arena_print(j->arena, "%s (%.0f bytes)", text, found.value);
	return arena_print(
		j->arena, "%s%s%s%s", all, note ? " (" : "", note ? note : "", note ? ")" : "");
}

void quantity_judge(const struct expectation *row, struct judgement *j, struct quantity found,
	const char *note, const cJSON *value, const char *pointer)
{
	struct comparison comparison;
	struct err err;
	char expected[128];
	bool holds;
	if (read(value, &comparison, &err) != RC_OK ||
		comparison_holds(&comparison, found, &holds, &err) != RC_OK) {
		judge_error(j, pointer, "%s", err.text);
		return;
	}
	comparison_print(&comparison, expected, sizeof expected);
	judge_check(j, holds, pointer, row->name, expected, words(j, found, note));
}

void quantity_absent(const struct expectation *row, struct judgement *j, const char *why,
	const cJSON *value, const char *pointer)
{
	struct comparison comparison;
	struct err err;
	char expected[128];
	if (read(value, &comparison, &err) != RC_OK) {
		judge_error(j, pointer, "%s", err.text);
		return;
	}
	comparison_print(&comparison, expected, sizeof expected);
	judge_check(j, false, pointer, row->name, expected, why);
}

/* Some of a whole as a share of it, where that is asked for. */
static struct quantity as_asked(const struct measure *measure, const cJSON *value)
{
	struct comparison comparison;
	struct quantity found = measure->quantity;
	if (!measure->whole || read(value, &comparison, NULL) != RC_OK ||
		comparison.unit != UNIT_PERCENT)
		return found;
	return (struct quantity){ UNIT_PERCENT, 100 * found.value / measure->whole };
}

/* What can't be read is told where it is judged. */
static bool may_judge(const struct measure *measure, const cJSON *value)
{
	struct comparison comparison;
	bool holds = false;
	if (!measure->spoil.text || read(value, &comparison, NULL) != RC_OK)
		return true;
	if (comparison_holds(&comparison, as_asked(measure, value), &holds, NULL) != RC_OK)
		return true;
	return spoil_leaves(&measure->spoil, &comparison, holds);
}

void quantity_check_measure(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	const struct measure *measure = measures_find(j->measures, row->name);
	if (measure && !may_judge(measure, value))
		judge_spoiled(j, pointer, row->name, measure->spoil.text);
	else if (measure)
		quantity_judge(row, j, as_asked(measure, value), measure->note, value, pointer);
	else
		quantity_absent(row, j, "absent: nothing was measured", value, pointer);
}
