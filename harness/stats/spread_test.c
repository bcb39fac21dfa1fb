#include "stats/spread.h"

#include <check.h>
#include <stdlib.h>

/* Right values: the nearest-rank method by hand, for the numbers 1 to count in some other order. */
static const struct {
	size_t count;
	struct spread want;
	const char *why;
} rows[] = {
	{ 0, { 0 }, "nothing was taken" },
	{ 1, { 1, 1, 1, 1, 1, 1, 1 }, "one value is every percentile" },
	{ 2, { 2, 1, 1, 2, 2, 2, 2 }, "half of two is one" },
	{ 4, { 4, 1, 2, 4, 4, 4, 4 }, "3.6 rounds up" },
	{ 10, { 10, 1, 5, 9, 10, 10, 10 }, "9 of 10 are 90%" },
	{ 1000, { 1000, 1, 500, 900, 990, 999, 1000 }, "no rounding error at exact shares" },
	{ 1001, { 1001, 1, 501, 901, 991, 1000, 1001 }, "one above an exact share rounds up" },
};

START_TEST(test_rows)
{
	size_t count = rows[_i].count;
	int64_t *values = calloc(count + 1, sizeof *values);
	/* 7 has no divisor in common with any of the counts but 1001: there 2 stands in for it. */
	size_t stride = count % 7 ? 7 : 2;
	for (size_t i = 0; i < count; i++)
		values[i * stride % count] = (int64_t)i + 1;
	struct spread got = spread_of(values, count);
	const struct spread *want = &rows[_i].want;
	ck_assert_msg(got.count == want->count && got.min_ns == want->min_ns &&
			      got.p50_ns == want->p50_ns && got.p90_ns == want->p90_ns &&
			      got.p99_ns == want->p99_ns && got.p999_ns == want->p999_ns &&
			      got.max_ns == want->max_ns,
		"%zu: %s: p50 %lld p90 %lld p99 %lld p999 %lld", count, rows[_i].why,
		(long long)got.p50_ns, (long long)got.p90_ns, (long long)got.p99_ns,
		(long long)got.p999_ns);
	free(values);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("spread");
	TCase *tests = tcase_create("rows");
	tcase_add_loop_test(tests, test_rows, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
