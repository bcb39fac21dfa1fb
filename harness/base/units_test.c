#include "base/units.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum { DRAWS = 20000 };

static const struct {
	const char *why, *text;
	enum unit unit;
	double value;
	const char *printed, *exact;
} good[] = {
	{ "a count", "3", UNIT_COUNT, 3, "3", "3" },
	{ "a fraction", "0.5", UNIT_COUNT, 0.5, "0.5", "0.5" },
	{ "the largest count", "9007199254740992", UNIT_COUNT, 9007199254740992.0,
		"9007199254740992", "9007199254740992" },
	{ "microseconds", "83us", UNIT_NS, 83e3, "83 us", "83us" },
	{ "less than one", "0.5us", UNIT_NS, 500, "0.5 us", "0.5us" },
	{ "read exactly although 83123.456 is no double", "83123.456us", UNIT_NS, 83123456,
		"83.12 ms", "83123.456us" },
	{ "milliseconds", "150ms", UNIT_NS, 150e6, "150 ms", "150000us" },
	{ "rounded up to the next unit", "999.96ms", UNIT_NS, 999960000, "1.000 s", "999960us" },
	{ "seconds", "2.1 s", UNIT_NS, 2100e6, "2.1 s", "2100000us" },
	{ "minutes", "1.5min", UNIT_NS, 90e9, "90 s", "90000000us" },
	{ "many minutes", "90 min", UNIT_NS, 5400e9, "90 min", "5400000000us" },
	{ "bytes", "47B", UNIT_BYTES, 47, "47 B", "47B" },
	{ "thousands", "5.12kB", UNIT_BYTES, 5120, "5.12 kB", "5120B" },
	{ "a space between", "64 KiB", UNIT_BYTES, 65536, "65.54 kB", "65536B" },
	{ "1024 times 1024", "8MiB", UNIT_BYTES, 8388608, "8.389 MB", "8388608B" },
	{ "exact millions", "3MB", UNIT_BYTES, 3e6, "3 MB", "3000000B" },
	{ "zeros say that it was rounded", "3000123B", UNIT_BYTES, 3000123, "3.000 MB",
		"3000123B" },
	{ "1024 to the third", "1GiB", UNIT_BYTES, 1073741824, "1.074 GB", "1073741824B" },
	{ "a billion", "1GB", UNIT_BYTES, 1e9, "1 GB", "1000000000B" },
	{ "a rate", "500/s", UNIT_PER_S, 500, "500/s", "500/s" },
	{ "a large rate keeps its whole part", "12345.67/s", UNIT_PER_S, 12345.67, "12346/s",
		"12345.67/s" },
	{ "a share", "25%", UNIT_PERCENT, 25, "25%", "25%" },
	{ "a share of thirds", "33.333333 %", UNIT_PERCENT, 33.333333, "33.33%", "33.333333%" },
	{ "spaces around", "  7 ", UNIT_COUNT, 7, "7", "7" },
	{ "nothing", "0ms", UNIT_NS, 0, "0 us", "0us" },
	{ "leading zeros do no harm", "007B", UNIT_BYTES, 7, "7 B", "7B" },
};

START_TEST(quantities)
{
	struct quantity q = { 0 };
	struct err err = { 0 };
	char text[64];
	ck_assert_msg(
		quantity_parse(good[_i].text, &q, &err) == RC_OK, "%s: %s", good[_i].why, err.text);
	ck_assert_msg(q.unit == good[_i].unit, "%s", good[_i].why);
	ck_assert_msg(q.value == good[_i].value, "%s: %.17g", good[_i].why, q.value);
	quantity_print(q, text, sizeof text);
	ck_assert_str_eq(text, good[_i].printed);
	quantity_exact(q, text, sizeof text);
	ck_assert_str_eq(text, good[_i].exact);
}
END_TEST

static const struct {
	const char *why, *text, *says;
} bad[] = {
	{ "nothing", "", "expected a number with its unit" },
	{ "negative", "-3ms", "without a sign" },
	{ "signed", "+3", "without a sign" },
	{ "not a number", "NaN", "found \"NaN\"" },
	{ "infinite", "inf", "found \"inf\"" },
	{ "an exponent", "1e3", "without exponent" },
	{ "a negative exponent", "1e-3s", "without exponent" },
	{ "hexadecimal", "0x10", "hexadecimal numbers are not taken" },
	{ "no digits behind the point", "1.ms", "digits behind the point" },
	{ "no digits before the point", ".5s", "found \".5s\"" },
	{ "a comma", "1,5ms", "found \"1,5ms\"" },
	{ "a unit in another case", "5KB", "found \"KB\"; did you mean \"kB\"?" },
	{ "no such unit", "5 hours", "one of the units us ms s min B kB MB GB KiB MiB GiB /s %" },
	{ "a unit that only starts like one", "5msx", "found \"msx\"" },
	{ "nanoseconds are none of the units", "83ns", "found \"ns\"" },
	{ "two quantities", "3ms 4ms", "one number" },
	{ "a multiple of nothing", "5x ", "one number" },
	{ "past what a double counts", "9007199254740994", "at most 2^53" },
	{ "past 2^53 bytes", "9000000000000GiB", "at most 2^53" },
	{ "more than 292 years", "160000000min", "at most 292 years" },
	{ "endless digits", "000000000000000000000000000000000000000000000000000000000000000001",
		"at most 56 digits" },
	{ "a unit alone", "ms", "found \"ms\"" },
	{ "a variable is not resolved here", "${x}", "found \"${x}\"" },
};

START_TEST(no_quantities)
{
	struct quantity q;
	struct err err = { 0 };
	ck_assert_msg(quantity_parse(bad[_i].text, &q, &err) == RC_INVALID, "%s", bad[_i].why);
	ck_assert_msg(strstr(err.text, bad[_i].says) != NULL, "%s: %s", bad[_i].why, err.text);
}
END_TEST

START_TEST(durations)
{
	int64_t ns = 0;
	struct err err = { 0 };
	ck_assert(duration_parse("150ms", &ns, &err) == RC_OK && ns == 150000000);
	/* Rounded, not cut. */
	ck_assert(duration_parse("0.0007us", &ns, &err) == RC_OK && ns == 1);
	ck_assert(duration_valid("2s", &err));
	ck_assert(!duration_valid("150", &err));
	ck_assert_str_eq(err.text, "expected a duration such as \"150ms\", found \"150\"");
	ck_assert(!duration_valid("64MiB", &err));
}
END_TEST

START_TEST(sizes)
{
	uint64_t bytes = 0;
	struct err err = { 0 };
	ck_assert(size_parse("64MiB", &bytes, &err) == RC_OK && bytes == 67108864);
	ck_assert(size_parse("1.5kB", &bytes, &err) == RC_OK && bytes == 1500);
	ck_assert(!size_valid("1.5B", &err));
	ck_assert_str_eq(err.text, "expected a size of whole bytes, found \"1.5B\"");
	ck_assert(!size_valid("20ms", &err));
	ck_assert_str_eq(err.text, "expected a size such as \"64MiB\", found \"20ms\"");
}
END_TEST

/* What quantity_exact writes reads back as the same double, for any size that occurs. */
START_TEST(exact_round_trip)
{
	static const double spans[] = { 1e-3, 1, 1e6, 1e15 };
	struct rng rng;
	rng_init(&rng, 17, "exact");
	for (int i = 0; i < DRAWS; i++) {
		struct quantity back = { 0 }, q = { (enum unit)rng_below(&rng, UNIT_PERCENT + 1),
			rng_share(&rng) * spans[i % 4] + 1e-9 };
		char text[64];
		quantity_exact(q, text, sizeof text);
		ck_assert_msg(quantity_parse(text, &back, NULL) == RC_OK, "%s", text);
		ck_assert_msg(back.unit == q.unit && back.value == q.value, "%s: %.17g, not %.17g",
			text, back.value, q.value);
	}
}
END_TEST

START_TEST(unusual_values)
{
	char text[64];
	quantity_print((struct quantity){ UNIT_BYTES, -3500 }, text, sizeof text);
	ck_assert_str_eq(text, "-3.5 kB");
	quantity_exact((struct quantity){ UNIT_BYTES, -3500 }, text, sizeof text);
	ck_assert_str_eq(text, "-3500B");
	quantity_print((struct quantity){ UNIT_NS, 1.0 / 0.0 }, text, sizeof text);
	ck_assert_str_eq(text, "unknown");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("units");
	tcase_add_loop_test(tests, quantities, 0, (int)(sizeof good / sizeof *good));
	tcase_add_loop_test(tests, no_quantities, 0, (int)(sizeof bad / sizeof *bad));
	tcase_add_test(tests, durations);
	tcase_add_test(tests, sizes);
	tcase_add_test(tests, exact_round_trip);
	tcase_add_test(tests, unusual_values);
	Suite *suite = suite_create("base/units");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
