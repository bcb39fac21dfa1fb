#include "expect/expect_rows.h"

#include "expect/quantity.h"

static void check_layer(struct judgement *j, const struct expectation *row, enum layer_name layer,
	const cJSON *value, const char *pointer)
{
	struct quantity found = { UNIT_BYTES, (double)j->exchange->layers[layer].bytes };
	quantity_judge(row, j, found, NULL, value, pointer);
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
	.shape = &quantity_size_shape,
	.help = "How many bytes came behind the head, chunk lines included",
	.source = "RFC 9112 section 6",
	.subjects = EXPECT_EXCHANGE,
	.quantity = true,
	.unit = UNIT_BYTES,
	.check = check_wire,
};

const struct expectation expect_bytes_dechunked = {
	.name = "bytes.dechunked",
	.shape = &quantity_size_shape,
	.help = "How many bytes the body has without its transfer coding",
	.source = "RFC 9112 section 7.1",
	.subjects = EXPECT_EXCHANGE,
	.quantity = true,
	.unit = UNIT_BYTES,
	.check = check_dechunked,
};

const struct expectation expect_bytes_decoded = {
	.name = "bytes.decoded",
	.shape = &quantity_size_shape,
	.help = "How many bytes the body has without its content codings",
	.source = "RFC 9110 section 8.4",
	.subjects = EXPECT_EXCHANGE,
	.quantity = true,
	.unit = UNIT_BYTES,
	.check = check_decoded,
};
