#include "model/cost.h"

#include <check.h>
#include <stdlib.h>

#define S INT64_C(1000000000)

static struct cost_row row(int64_t at_ns, int64_t cpu_ns, int64_t memory)
{
	return (struct cost_row){ at_ns, cpu_ns, memory, 3, 2, 1, COST_ABSENT, COST_ABSENT,
		COST_ABSENT, COST_ABSENT, COST_ABSENT };
}

static double value_of(const struct measures *measures, const char *name)
{
	const struct measure *measure = measures_find(measures, name);
	ck_assert_msg(measure != NULL, "%s", name);
	return measure->quantity.value;
}

START_TEST(an_interval_is_summed)
{
	static const struct {
		int64_t from_ns, to_ns, cpu_ns;
		double percent;
		int64_t memory;
		size_t rows;
		const char *why;
	} sums[] = {
		{ 0, 4 * S, 4 * S, 100, 500, 5, "all of it" },
		{ 1 * S, 2 * S, 0, 0, 200, 2, "nothing was used" },
		{ 2 * S, 4 * S, 3 * S, 150, 500, 3, "more than a core" },
		{ S / 2, 3 * S + 1, S, 50, 500, 3, "what lies inside only" },
		{ 4 * S, 9 * S, -1, 0, 0, 0, "one row is no interval" },
		{ 5 * S, 9 * S, -1, 0, 0, 0, "none" },
		{ 3 * S, 2 * S, -1, 0, 0, 0, "the wrong way round" },
	};
	struct cost cost;
	const struct cost_row rows[] = { row(0, 0, 100), row(S, S, 200), row(2 * S, S, 150),
		row(3 * S, 2 * S, 500), row(4 * S, 4 * S, 120) };
	cost_init(&cost, 8);
	for (size_t i = 0; i < 5; i++)
		cost_add(&cost, &rows[i]);
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		struct cost_sum sum;
		bool have = cost_sum(&cost, sums[i].from_ns, sums[i].to_ns, &sum);
		ck_assert_msg(have == (sums[i].cpu_ns >= 0), "%s", sums[i].why);
		if (!have)
			continue;
		ck_assert_msg(sum.cpu_ns == sums[i].cpu_ns, "%s", sums[i].why);
		ck_assert_double_eq_tol(sum.cpu_percent, sums[i].percent, 1e-9);
		ck_assert_int_eq(sum.memory_bytes, sums[i].memory);
		ck_assert_uint_eq(sum.rows, sums[i].rows);
		ck_assert(!sum.grows);
	}
	cost_release(&cost);
}
END_TEST

/* Rows i = 0 to 99 and the growth that follows from how they were made. */
static int64_t steady(int i)
{
	return 1000 + 0 * i;
}

static int64_t linear(int i)
{
	return 1000 + 10 * i;
}

static int64_t falling(int i)
{
	return 5000 - 10 * i;
}

static int64_t with_spikes(int i)
{
	return i == 2 || i == 97 ? 1000000 : 1000;
}

static int64_t saw(int i)
{
	return 1000 + 100 * (i % 10);
}

START_TEST(growth_is_a_slope)
{
	static const struct {
		int64_t (*memory)(int i);
		int64_t growth;
		const char *why;
	} shapes[] = {
		{ steady, 0, "none" },
		{ linear, 900, "medians of rows 0 to 9 and 90 to 99: 4.5 and 94.5" },
		{ falling, -900, "it may shrink" },
		{ with_spikes, 0, "one outlier at an end" },
		{ saw, 0, "what comes and goes" },
	};
	for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
		struct cost cost;
		struct cost_sum sum;
		cost_init(&cost, 128);
		for (int i = 0; i < 100; i++) {
			struct cost_row one = row(i, 0, shapes[s].memory(i));
			cost_add(&cost, &one);
		}
		ck_assert(cost_sum(&cost, 0, 100, &sum) && sum.grows);
		ck_assert_msg(sum.memory_growth_bytes == shapes[s].growth, "%s: %lld",
			shapes[s].why, (long long)sum.memory_growth_bytes);
		cost_release(&cost);
	}
}
END_TEST

/* However long it takes: the room holds, the totals are exact, and the one peak is not lost. */
START_TEST(room_is_bounded)
{
	struct cost cost;
	struct cost_sum sum;
	cost_init(&cost, 16);
	for (int i = 0; i < 100001; i++) {
		struct cost_row one = row(i * S, i * S / 4, i == 77777 ? 9000 : 1000);
		one.voluntary = i % 10 ? COST_ABSENT : i;
		cost_add(&cost, &one);
		ck_assert_uint_le(cost.count, 16);
	}
	ck_assert_uint_gt(cost.count, 4);
	ck_assert_int_eq(cost.rows[cost.count - 1].at_ns, 100000 * S);
	ck_assert_int_eq(cost.rows[cost.count - 1].cpu_ns, 25000 * S);
	ck_assert(cost_sum(&cost, 0, INT64_MAX, &sum));
	ck_assert_int_eq(sum.memory_bytes, 9000);
	ck_assert_double_eq_tol(sum.cpu_percent, 25.0, 1e-9);
	ck_assert_int_gt(sum.voluntary, 80000);
	for (size_t i = 1; i < cost.count; i++)
		ck_assert_int_gt(cost.rows[i].at_ns, cost.rows[i - 1].at_ns);
	cost_release(&cost);
}
END_TEST

START_TEST(what_is_unknown_is_absent)
{
	struct cost cost;
	struct cost_sum sum;
	struct measures measures;
	struct arena *arena = arena_new();
	cost_init(&cost, 8);
	struct cost_row one = row(0, 0, COST_ABSENT);
	one.descriptors = COST_ABSENT;
	cost_add(&cost, &one);
	one.at_ns = 2 * S;
	one.cpu_ns = S;
	cost_add(&cost, &one);
	ck_assert(cost_sum(&cost, 0, 2 * S, &sum));
	measures_init(&measures, arena);
	cost_measures(&sum, &measures);
	ck_assert_double_eq(value_of(&measures, "sut.cpu"), 50);
	ck_assert_double_eq(value_of(&measures, "sut.cpu_total"), 1e9);
	ck_assert_double_eq(value_of(&measures, "sut.threads"), 2);
	ck_assert_ptr_null(measures_find(&measures, "sut.memory"));
	ck_assert_ptr_null(measures_find(&measures, "sut.memory_growth"));
	ck_assert_ptr_null(measures_find(&measures, "sut.descriptors"));
	ck_assert_int_eq(sum.voluntary, COST_ABSENT);
	ck_assert_int_eq(sum.pss_bytes, COST_ABSENT);
	cost_release(&cost);
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("cost");
	tcase_add_test(tests, an_interval_is_summed);
	tcase_add_test(tests, growth_is_a_slope);
	tcase_add_test(tests, room_is_bounded);
	tcase_add_test(tests, what_is_unknown_is_absent);
	Suite *suite = suite_create("model/cost");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
