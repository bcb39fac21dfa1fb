#include "expect/expect_rows.h"

#include "base/units.h"

/* Times have units; a comparison with a variable is looked at again once that is known. */
static bool gap_comparison_valid(const char *text, struct err *err)
{
	struct comparison comparison;
	if (!comparison_valid(text, err))
		return false;
	if (shape_has_variable(text) || comparison_parse(text, &comparison, err) != RC_OK)
		return true;
	if (comparison.unit == UNIT_NS)
		return true;
	err_set(err, RC_INVALID, "",
		"expected a time with its unit, such as \"<= 20ms\", found \"%s\"", text);
	return false;
}

static const struct shape gap_comparison = {
	.kind = SHAPE_STRING,
	.name = "a comparison of times such as \"<= 20ms\"",
	.valid = gap_comparison_valid,
};

/* Only a stream is watched while it comes; where its head never came, no silence ran. */
static void check_gap(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	struct comparison comparison;
	struct err err;
	char expected[128], found[32] = "no head";
	bool holds = false, began = j->exchange->timing.headers_ns != 0;
	struct quantity gap = {
		.unit = UNIT_NS,
		.value = (double)j->exchange->gap_max_ns,
	};
	if (!j->exchange->last_event_id) {
		judge_error(j, pointer, "gap.max is told of the step `stream` alone");
		return;
	}
	if (comparison_parse(value->valuestring, &comparison, &err) != RC_OK ||
		comparison_holds(&comparison, gap, &holds, &err) != RC_OK) {
		judge_error(j, pointer, "%s", err.text);
		return;
	}
	comparison_print(&comparison, expected, sizeof expected);
	if (began)
		quantity_print(gap, found, sizeof found);
	judge_check(j, began && holds, pointer, row->name, expected, found);
}

const struct expectation expect_gap_max = {
	.name = "gap.max",
	.shape = &gap_comparison,
	.help = "The longest silence of a stream, from its head to the end of its steps; comments break it",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.judges_time = true,
	.check = check_gap,
};
