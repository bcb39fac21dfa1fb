#include "expect/expect_rows.h"

#include "expect/quantity.h"

/* at_ns is when it happened: 0 for not at all. */
static void check_time(struct judgement *j, const struct expectation *row, int64_t at_ns,
	const cJSON *value, const char *pointer)
{
	struct quantity since = { UNIT_NS, (double)(at_ns - j->exchange->timing.start_ns) };
	if (at_ns)
		quantity_judge(row, j, since, NULL, value, pointer);
	else
		quantity_absent(row, j, "never came", value, pointer);
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
	.shape = &quantity_time_shape,
	.help = "From the start of sending, connecting included, to the end of the head",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.quantity = true,
	.unit = UNIT_NS,
	.judges_time = true,
	.check = check_headers,
};

const struct expectation expect_time_first_byte = {
	.name = "time.first_byte",
	.shape = &quantity_time_shape,
	.help = "From the start of sending, connecting included, to the answer's first byte",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.quantity = true,
	.unit = UNIT_NS,
	.judges_time = true,
	.check = check_first_byte,
};

const struct expectation expect_time_total = {
	.name = "time.total",
	.shape = &quantity_time_shape,
	.help = "From the start of sending, connecting included, to the answer's last byte",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.quantity = true,
	.unit = UNIT_NS,
	.judges_time = true,
	.check = check_total,
};
