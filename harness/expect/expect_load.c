/* The rows of model/load_numbers.h as expectations. */
#include "expect/expect_rows.h"

#include "expect/quantity.h"
#include "model/load_numbers.h"

#define ROW(key, kind, index, family, of, how, words)                                              \
	{ .name = (key),                                                                           \
		.shape = &quantity_##how##_shape,                                                  \
		.help = (words),                                                                   \
		.source = "measuring: load",                                                       \
		.subjects = EXPECT_LOAD,                                                           \
		.judges_time = true,                                                               \
		.quantity = true,                                                                  \
		.unit = (of),                                                                      \
		.selftest = "load",                                                                \
		.check = quantity_check_measure },
#define TIME(key, words) ROW(key, , , , UNIT_NS, time, words)
#define SPREAD(key, what, counted)                                                                 \
	ROW(key ".count", , , , UNIT_COUNT, count, counted)                                        \
	TIME(key ".min", "The shortest of " what)                                                  \
	TIME(key ".mean", "The mean of " what)                                                     \
	TIME(key ".p50", "The median of " what)                                                    \
	TIME(key ".p90", "What 90% of " what " do not exceed")                                     \
	TIME(key ".p99", "What 99% of " what " do not exceed")                                     \
	TIME(key ".p999", "What 99.9% of " what " do not exceed")                                  \
	TIME(key ".max", "The longest of " what)

const struct expectation expect_load[] = { LOAD_SPREADS(SPREAD) LOAD_NUMBERS(ROW) };
const size_t expect_load_count = sizeof expect_load / sizeof *expect_load;
