#include "expect/expect_rows.h"

#include "expect/quantity.h"

#define ROW_OF(key, words, of, how, whose)                                                         \
	{                                                                                          \
		.name = (key), .shape = &quantity_##how##_shape, .help = (words),                  \
		.source = "measuring: the SUT's own cost", .subjects = (whose),                    \
		.judges_time = true, .quantity = true, .unit = (of), .selftest = "load",           \
		.check = quantity_check_measure                                                    \
	}
#define ROW(key, words, of, how) ROW_OF(key, words, of, how, EXPECT_LOAD | EXPECT_HOLD)

const struct expectation expect_sut_cpu = ROW("sut.cpu",
	"What the SUT's processes took of one core, while it was measured", UNIT_PERCENT, share);
const struct expectation expect_sut_cpu_per_request = ROW_OF("sut.cpu_per_request",
	"The CPU time that the SUT's processes took for each answer", UNIT_NS, time, EXPECT_LOAD);
const struct expectation expect_sut_memory = ROW("sut.memory",
	"The resident memory of the SUT's processes, at most while it was measured", UNIT_BYTES,
	size);
const struct expectation expect_sut_memory_growth = ROW("sut.memory_growth",
	"By how much that memory grew: the median of the last tenth of the time less that of the first",
	UNIT_BYTES, size);
const struct expectation expect_sut_descriptors = ROW("sut.descriptors",
	"The open descriptors of the SUT's processes, at most while it was measured", UNIT_COUNT,
	count);
const struct expectation expect_sut_threads = ROW("sut.threads",
	"The threads of the SUT's processes, at most while it was measured", UNIT_COUNT, count);
