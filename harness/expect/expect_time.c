#include "expect/expect_rows.h"

#include "base/units.h"

/* Times have units; a comparison with a variable is looked at again once that is known. */
static bool time_comparison_valid(const char *text, struct err *err)
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

static const struct shape time_comparison = {
	.kind = SHAPE_STRING,
	.name = "a comparison of times such as \"<= 20ms\"",
	.valid = time_comparison_valid,
};

/* at_ns is when it happened: 0 for not at all. */
static void check_time(struct judgement *j, const struct expectation *row, int64_t at_ns,
	const cJSON *value, const char *pointer)
{
	struct comparison comparison;
	struct err err;
	char expected[128], found[32] = "never came";
	bool holds = false;
	struct quantity since = {
		.unit = UNIT_NS,
		.value = (double)(at_ns - j->exchange->timing.start_ns),
	};
	if (comparison_parse(value->valuestring, &comparison, &err) != RC_OK ||
		comparison_holds(&comparison, since, &holds, &err) != RC_OK) {
		judge_error(j, pointer, "%s", err.text);
		return;
	}
	comparison_print(&comparison, expected, sizeof expected);
	if (at_ns)
		quantity_print(since, found, sizeof found);
	judge_check(j, at_ns && holds, pointer, row->name, expected, found);
}

static void check_headers(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_time(j, row, j->exchange->timing.headers_ns, value, pointer);
}

static void check_first_byte(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_time(j, row, j->exchange->timing.first_byte_ns, value, pointer);
}

/* An answer that was given up has an end, but not its own. */
static void check_total(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	bool complete = j->exchange->failure == FAILURE_NONE;
	check_time(j, row, complete ? j->exchange->timing.end_ns : 0, value, pointer);
}

const struct expectation expect_time_headers = {
	.name = "time.headers",
	.shape = &time_comparison,
	.help = "From the start of sending, connecting included, to the end of the head",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.judges_time = true,
	.check = check_headers,
};

const struct expectation expect_time_first_byte = {
	.name = "time.first_byte",
	.shape = &time_comparison,
	.help = "From the start of sending, connecting included, to the answer's first byte",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.judges_time = true,
	.check = check_first_byte,
};

const struct expectation expect_time_total = {
	.name = "time.total",
	.shape = &time_comparison,
	.help = "From the start of sending, connecting included, to the answer's last byte",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.judges_time = true,
	.check = check_total,
};
