#include "expect/expect_rows.h"

#include "base/units.h"

/* Sizes have units; a comparison with a variable is looked at again once that is known. */
static bool size_comparison_valid(const char *text, struct err *err)
{
	struct comparison comparison;
	if (!comparison_valid(text, err))
		return false;
	if (shape_has_variable(text) || comparison_parse(text, &comparison, err) != RC_OK)
		return true;
	if (comparison.unit == UNIT_BYTES)
		return true;
	err_set(err, RC_INVALID, "",
		"expected a size with its unit, such as \"< 1000B\", found \"%s\"", text);
	return false;
}

static const struct shape size_comparison = {
	.kind = SHAPE_STRING,
	.name = "a comparison of sizes such as \"< 50% of ${bytes.decoded}\"",
	.valid = size_comparison_valid,
};

static void check_layer(struct judgement *j, const struct expectation *row, enum layer_name layer,
	const cJSON *value, const char *pointer)
{
	struct comparison comparison;
	struct err err;
	char expected[128], size[32];
	bool holds;
	uint64_t bytes = j->exchange->layers[layer].bytes;
	struct quantity found = { .unit = UNIT_BYTES, .value = (double)bytes };
	if (comparison_parse(value->valuestring, &comparison, &err) != RC_OK ||
		comparison_holds(&comparison, found, &holds, &err) != RC_OK) {
		judge_error(j, pointer, "%s", err.text);
		return;
	}
	comparison_print(&comparison, expected, sizeof expected);
	quantity_print(found, size, sizeof size);
	judge_check(j, holds, pointer, row->name, expected,
		bytes < 1000 ? size
			     : arena_print(j->arena, "%s (%llu bytes)", size,
				       (unsigned long long)bytes));
}

static void check_wire(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_layer(j, row, LAYER_WIRE, value, pointer);
}

static void check_dechunked(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_layer(j, row, LAYER_DECHUNKED, value, pointer);
}

static void check_decoded(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	check_layer(j, row, LAYER_DECODED, value, pointer);
}

const struct expectation expect_bytes_wire = {
	.name = "bytes.wire",
	.shape = &size_comparison,
	.help = "How many bytes came behind the head, chunk lines included",
	.source = "RFC 9112 section 6",
	.subjects = EXPECT_EXCHANGE,
	.check = check_wire,
};

const struct expectation expect_bytes_dechunked = {
	.name = "bytes.dechunked",
	.shape = &size_comparison,
	.help = "How many bytes the body has without its transfer coding",
	.source = "RFC 9112 section 7.1",
	.subjects = EXPECT_EXCHANGE,
	.check = check_dechunked,
};

const struct expectation expect_bytes_decoded = {
	.name = "bytes.decoded",
	.shape = &size_comparison,
	.help = "How many bytes the body has without its content codings",
	.source = "RFC 9110 section 8.4",
	.subjects = EXPECT_EXCHANGE,
	.check = check_decoded,
};
