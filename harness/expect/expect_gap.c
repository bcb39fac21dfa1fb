#include "expect/expect_rows.h"

#include "expect/quantity.h"

/* Only a stream is watched while it comes; where its head never came, no silence ran. */
static void check_gap(
	const struct expectation *row, struct judgement *j, const cJSON *value, const char *pointer)
{
	struct quantity gap = { UNIT_NS, (double)j->exchange->gap_max_ns };
	if (!j->exchange->last_event_id)
		judge_error(j, pointer, "gap.max is told of the step `stream` alone");
	else if (j->exchange->timing.headers_ns)
		quantity_judge(row, j, gap, NULL, value, pointer);
	else
		quantity_absent(row, j, "no head", value, pointer);
}

const struct expectation expect_gap_max = {
	.name = "gap.max",
	.shape = &quantity_time_shape,
	.help = "The longest silence of a stream, from its head to the end of its steps; comments break it",
	.source = "onus",
	.subjects = EXPECT_EXCHANGE,
	.judges_time = true,
	.check = check_gap,
};
