#include "expect/expect_rows.h"

#include "expect/quantity.h"

#define ROW(key, words, of, how)                                                                   \
	{                                                                                          \
		.name = (key), .shape = &quantity_##how##_shape, .help = (words),                  \
		.source = "measuring: hold", .subjects = EXPECT_HOLD, .judges_time = true,         \
		.quantity = true, .unit = (of), .selftest = "hold",                                \
		.check = quantity_check_measure                                                    \
	}

const struct expectation expect_streams_held = ROW("streams.held",
	"How many streams were held at once when the steps last held for all of them", UNIT_COUNT,
	count);
const struct expectation expect_streams_memory_each = ROW("streams.memory_each",
	"What each stream more added to the resident memory of the SUT's processes: the slope over the rounds",
	UNIT_BYTES, size);
const struct expectation expect_streams_delivered = ROW("streams.delivered",
	"How many events came over all the streams together", UNIT_COUNT, count);
