/* What it cost the SUT: rows of model/load_numbers.h as expectations. */
#include "expect/expect_rows.h"

#include "expect/quantity.h"
#include "model/load_numbers.h"

#define ROW_OF(key, words, of, how, whose)                                                         \
	{ .name = (key),                                                                           \
		.shape = &quantity_##how##_shape,                                                  \
		.help = (words),                                                                   \
		.source = "measuring: the SUT's own cost",                                         \
		.subjects = (whose),                                                               \
		.judges_time = true,                                                               \
		.quantity = true,                                                                  \
		.unit = (of),                                                                      \
		.selftest = "load",                                                                \
		.check = quantity_check_measure },
#define OF_BOTH(key, kind, index, family, of, how, words)                                          \
	ROW_OF(key, words, of, how, EXPECT_LOAD | EXPECT_HOLD)
#define OF_LOAD(key, kind, index, family, of, how, words) ROW_OF(key, words, of, how, EXPECT_LOAD)

const struct expectation expect_sut[] = { LOAD_SUT_NUMBERS(OF_BOTH) LOAD_SUT_EACH(OF_LOAD) };
const size_t expect_sut_count = sizeof expect_sut / sizeof *expect_sut;
