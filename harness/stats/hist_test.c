#include "stats/hist.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

static const double shares[] = { 0.0, 0.001, 0.1, 0.25, 0.5, 0.55, 0.75, 0.9, 0.95, 0.99, 0.999,
	0.9999, 0.99999, 1.0 };
enum { SHARES = sizeof shares / sizeof *shares };

/* Right values: hdr-histogram-js 3.0.1, with the same three parameters. */
static const struct {
	int64_t ns, low_ns, high_ns;
	size_t number;
} buckets[] = {
	{ 0, 0, 511, 0 },
	{ 511, 0, 511, 0 },
	{ 512, 512, 1023, 1 },
	{ 1000, 512, 1023, 1 },
	{ 1048575, 1048064, 1048575, 2047 },
	{ 1048576, 1048576, 1049599, 2048 },
	{ 1049600, 1049600, 1050623, 2049 },
	{ 2097151, 2096128, 2097151, 3071 },
	{ 2097152, 2097152, 2099199, 3072 },
	{ 1000000000, 999817216, 1000341503, 12147 },
	{ 3599999999999, 3599182594048, 3601330077695, 24204 },
	{ 3600000000000, 3599182594048, 3601330077695, 24204 },
};

START_TEST(lies_in_the_bucket)
{
	struct hist *hist = hist_new();
	struct hist_bucket bucket;
	size_t at = 0;
	hist_record(hist, buckets[_i].ns);
	ck_assert(hist_next(hist, &at, &bucket));
	ck_assert_int_eq(bucket.low_ns, buckets[_i].low_ns);
	ck_assert_int_eq(bucket.high_ns, buckets[_i].high_ns);
	ck_assert_uint_eq(at - 1, buckets[_i].number);
	ck_assert_uint_eq(bucket.count, 1);
	ck_assert(!hist_next(hist, &at, &bucket));
	for (size_t i = 0; i < SHARES; i++)
		ck_assert_int_eq(hist_quantile(hist, shares[i]), buckets[_i].ns);
	hist_free(hist);
}
END_TEST

/* Values of Lehmer's generator (48271, 2^31 - 1) from 1, times scale/1000; percentiles by hdr-histogram-js 3.0.1. */
static const struct {
	size_t count;
	int64_t scale;
	int64_t want_ns[6]; /* p50 p55 p90 p99 p99.9 p99.99 */
} sequences[] = {
	{ 10000, 1, { 1079295, 1191935, 1934335, 2127871, 2146303, 2146303 } },
	{ 10000, 1000, { 1080033279, 1192230911, 1934622719, 2126512127, 2145386495, 2146435071 } },
	{ 100000, 1676000,
		{ 1795296329727, 1976758697983, 3238405341183, 3562675372031, 3597035110399,
			3599182594047 } },
	{ 7, 40, { 44236799, 44236799, 83165183, 83165183, 83165183, 83165183 } },
};

START_TEST(is_what_another_implementation_finds)
{
	static const double wanted[] = { 0.5, 0.55, 0.9, 0.99, 0.999, 0.9999 };
	struct hist *hist = hist_new();
	int64_t x = 1, max_ns = 0;
	for (size_t i = 0; i < sequences[_i].count; i++) {
		x = x * 48271 % 2147483647;
		int64_t ns = x * sequences[_i].scale / 1000;
		hist_record(hist, ns);
		max_ns = ns > max_ns ? ns : max_ns;
	}
	ck_assert_int_eq(hist_max(hist), max_ns);
	for (size_t i = 0; i < 6; i++) {
		/* The other implementation lets a percentile be above the maximum. */
		int64_t want_ns = sequences[_i].want_ns[i];
		ck_assert_int_eq(
			hist_quantile(hist, wanted[i]), want_ns < max_ns ? want_ns : max_ns);
	}
	hist_free(hist);
}
END_TEST

/* HdrHistogram's own HistogramDataAccessTest: 10,000 values of 1 ms and one of 100 s. */
static const struct {
	double share;
	double want_ns;
} access_rows[] = {
	{ 0.30, 1e6 },
	{ 0.99, 1e6 },
	{ 0.9999, 1e6 },
	{ 0.99999, 100e9 },
	{ 1.0, 100e9 },
};

START_TEST(is_what_its_inventors_test)
{
	struct hist *hist = hist_new();
	hist_record_many(hist, 1000 * NS_PER_US, 10000);
	hist_record(hist, 100 * NS_PER_S);
	double got = (double)hist_quantile(hist, access_rows[_i].share);
	ck_assert_double_eq_tol(got, access_rows[_i].want_ns, access_rows[_i].want_ns * 0.001);
	ck_assert_double_eq_tol(hist_mean(hist), (1e6 * 10000 + 100e9) / 10001, 1e-3);
	ck_assert_uint_eq(hist_count(hist), 10001);
	hist_free(hist);
}
END_TEST

static int64_t any_small(struct rng *rng)
{
	return (int64_t)rng_below(rng, 3000);
}

static int64_t any_magnitude(struct rng *rng)
{
	return (int64_t)exp(rng_share(rng) * log((double)HIST_HIGHEST_NS));
}

static int64_t exponential(struct rng *rng)
{
	return (int64_t)(-log(1 - rng_share(rng)) * 2e6);
}

static int64_t two_humps(struct rng *rng)
{
	return (int64_t)(rng_below(rng, 100) ? 150000 + rng_below(rng, 20000)
					     : 40000000 + rng_below(rng, 4000000));
}

static int64_t always_the_same(struct rng *rng)
{
	(void)rng;
	return 1234567;
}

static const struct {
	int64_t (*draw)(struct rng *rng);
	size_t count;
	const char *why;
} draws[] = {
	{ any_small, 5000, "values of a few units" },
	{ any_magnitude, 20000, "every bucket's width" },
	{ exponential, 100000, "as waiting times are" },
	{ two_humps, 9999, "percentiles between two humps" },
	{ always_the_same, 77, "one value is every percentile" },
	{ any_magnitude, 1, "one value" },
	{ any_magnitude, 2, "two values" },
	{ exponential, 10, "shares that few values can't tell apart" },
};

static int compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

/* The smallest value that at least `share` of all do not exceed, in whole numbers. */
static int64_t by_sorting(const int64_t *sorted, size_t count, double share)
{
	uint64_t millionths = (uint64_t)llround(share * 1e6);
	uint64_t rank = (count * millionths + 999999) / 1000000;
	return sorted[rank ? rank - 1 : 0];
}

START_TEST(is_what_sorting_finds)
{
	size_t count = draws[_i].count;
	int64_t *values = calloc(count, sizeof *values);
	struct hist *hist = hist_new();
	struct rng rng;
	double sum = 0;
	rng_init(&rng, 5, draws[_i].why);
	for (size_t i = 0; i < count; i++) {
		values[i] = draws[_i].draw(&rng);
		sum += (double)values[i];
		hist_record(hist, values[i]);
	}
	qsort(values, count, sizeof *values, compare);
	ck_assert_int_eq(hist_min(hist), values[0]);
	ck_assert_int_eq(hist_max(hist), values[count - 1]);
	ck_assert_uint_eq(hist_count(hist), count);
	ck_assert_double_eq_tol(hist_mean(hist), sum / (double)count, sum / (double)count * 1e-9);
	for (size_t i = 0; i < SHARES; i++) {
		int64_t want = by_sorting(values, count, shares[i]);
		int64_t got = hist_quantile(hist, shares[i]);
		int64_t surplus = want / 1024 > 511 ? want / 1024 : 511;
		ck_assert_msg(got >= want && got <= want + surplus && got <= values[count - 1],
			"%s: share %g: expected %" PRId64 ", found %" PRId64, draws[_i].why,
			shares[i], want, got);
	}
	hist_free(hist);
	free(values);
}
END_TEST

/* Whole-number ranks, which rounding must not raise (0.55 * 100 is above 55): value i units for i of 1..count, so that the rank shows. */
START_TEST(rank_is_exact)
{
	size_t count = (size_t)_i;
	struct hist *hist = hist_new();
	for (size_t i = 1; i <= count; i++)
		hist_record(hist, (int64_t)i * 512);
	for (size_t per_mille = 1; per_mille <= 1000; per_mille++) {
		size_t rank = (count * per_mille + 999) / 1000;
		int64_t got = hist_quantile(hist, (double)per_mille / 1000);
		ck_assert_msg(got / 512 == (int64_t)rank, "%zu per mille of %zu: %" PRId64,
			per_mille, count, got / 512);
	}
	hist_free(hist);
}
END_TEST

static void assert_same(const struct hist *a, const struct hist *b)
{
	struct hist_bucket left, right;
	size_t at_left = 0, at_right = 0;
	ck_assert_uint_eq(hist_count(a), hist_count(b));
	ck_assert_uint_eq(hist_over(a), hist_over(b));
	ck_assert_int_eq(hist_min(a), hist_min(b));
	ck_assert_int_eq(hist_max(a), hist_max(b));
	ck_assert(hist_mean(a) == hist_mean(b));
	while (hist_next(a, &at_left, &left)) {
		ck_assert(hist_next(b, &at_right, &right));
		ck_assert_int_eq(left.low_ns, right.low_ns);
		ck_assert_uint_eq(left.count, right.count);
	}
	ck_assert(!hist_next(b, &at_right, &right));
}

START_TEST(adding_loses_nothing)
{
	struct hist *all = hist_new(), *sum = hist_new(),
		    *part[3] = { hist_new(), hist_new(), hist_new() };
	struct rng rng;
	rng_init(&rng, 6, "parts");
	for (size_t i = 0; i < 30000; i++) {
		int64_t ns = i % 1000 ? exponential(&rng) : HIST_HIGHEST_NS + 1;
		hist_record(all, ns);
		hist_record(part[i % 3], ns);
	}
	for (size_t i = 3; i-- > 0;)
		hist_add(sum, part[i]);
	ck_assert_uint_eq(hist_over(sum), 30);
	assert_same(all, sum);
	hist_clear(part[0]);
	assert_same(part[0], part[0]);
	hist_add(sum, part[0]);
	assert_same(all, sum);
	/* What was cleared is as good as new. */
	hist_add(part[0], all);
	assert_same(all, part[0]);
	for (size_t i = 0; i < 3; i++)
		hist_free(part[i]);
	hist_free(all);
	hist_free(sum);
}
END_TEST

START_TEST(many_is_often)
{
	struct hist *many = hist_new(), *often = hist_new();
	hist_record_many(many, 5000, 1000);
	hist_record_many(many, 7777777, 0);
	for (size_t i = 0; i < 1000; i++)
		hist_record(often, 5000);
	assert_same(many, often);
	hist_free(many);
	hist_free(often);
}
END_TEST

START_TEST(ends_of_the_range)
{
	struct hist *hist = hist_new();
	ck_assert_int_eq(hist_quantile(hist, 0.5), 0);
	ck_assert_int_eq(hist_min(hist), 0);
	ck_assert(hist_mean(hist) == 0);
	ck_assert_uint_eq(hist_spread(hist).count, 0);
	hist_record(hist, -5);
	hist_record(hist, INT64_MIN);
	ck_assert_int_eq(hist_max(hist), 0);
	ck_assert_int_eq(hist_quantile(hist, 1), 0);
	hist_record(hist, HIST_HIGHEST_NS);
	ck_assert_uint_eq(hist_over(hist), 0);
	hist_record(hist, INT64_MAX);
	ck_assert_uint_eq(hist_over(hist), 1);
	ck_assert_uint_eq(hist_count(hist), 4);
	ck_assert_int_eq(hist_max(hist), HIST_HIGHEST_NS);
	ck_assert_int_eq(hist_quantile(hist, 0.75), HIST_HIGHEST_NS);
	/* No sum of 64 bits overflows silently. */
	hist_record_many(hist, HIST_HIGHEST_NS, UINT64_C(1) << 40);
	ck_assert_double_eq_tol(hist_mean(hist), (double)HIST_HIGHEST_NS, 100);
	hist_free(hist);
}
END_TEST

START_TEST(widens_within_the_bucket)
{
	struct hist *hist = hist_new();
	hist_widen(hist, 5, 6);
	ck_assert_int_eq(hist_max(hist), 0);
	hist_record(hist, 256 + 512);
	hist_record(hist, 256 + 5120);
	hist_widen(hist, 511, 5632);
	ck_assert_int_eq(hist_min(hist), 768);
	ck_assert_int_eq(hist_max(hist), 5376);
	hist_widen(hist, 512, 5120);
	ck_assert_int_eq(hist_min(hist), 512);
	ck_assert_int_eq(hist_max(hist), 5120);
	ck_assert_int_eq(hist_quantile(hist, 1), 5120);
	ck_assert_int_eq(hist_quantile(hist, 0.9), 5120);
	hist_free(hist);
}
END_TEST

/* `hist_test bench [COUNT]` prints the time that recording takes; no test is judged by the clock. */
static void bench(size_t count)
{
	enum { VALUES = 4096 };
	static int64_t values[VALUES];
	struct hist *hist = hist_new();
	struct rng rng;
	rng_init(&rng, 7, "bench");
	for (size_t i = 0; i < VALUES; i++)
		values[i] = exponential(&rng);
	int64_t start_ns = clock_now_ns();
	for (size_t i = 0; i < count; i++)
		hist_record(hist, values[i % VALUES]);
	double took_ns = (double)(clock_now_ns() - start_ns);
	printf("recording: %.2f ns a value\n", took_ns / (double)count);
	start_ns = clock_now_ns();
	int64_t p99_ns = hist_quantile(hist, 0.99);
	printf("a quantile: %.1f us (p99 %" PRId64 " ns)\n",
		(double)(clock_now_ns() - start_ns) / 1e3, p99_ns);
	hist_free(hist);
}

int main(int argc, char **argv)
{
	if (argc >= 2 && !strcmp(argv[1], "bench")) {
		bench(argc > 2 ? strtoull(argv[2], NULL, 10) : 100000000);
		return EXIT_SUCCESS;
	}
	TCase *tests = tcase_create("hist");
	tcase_add_loop_test(tests, lies_in_the_bucket, 0, sizeof buckets / sizeof *buckets);
	tcase_add_loop_test(tests, is_what_another_implementation_finds, 0,
		sizeof sequences / sizeof *sequences);
	tcase_add_loop_test(
		tests, is_what_its_inventors_test, 0, sizeof access_rows / sizeof *access_rows);
	tcase_add_loop_test(tests, is_what_sorting_finds, 0, sizeof draws / sizeof *draws);
	tcase_add_loop_test(tests, rank_is_exact, 90, 112);
	tcase_add_test(tests, adding_loses_nothing);
	tcase_add_test(tests, many_is_often);
	tcase_add_test(tests, ends_of_the_range);
	tcase_add_test(tests, widens_within_the_bucket);
	Suite *suite = suite_create("stats/hist");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
