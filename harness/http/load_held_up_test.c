#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "http/load_held_up.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

static const struct {
	const char *text;
	int64_t ready_ns;
	const char *why;
} texts[] = {
	{ "6104262 22219812 3\n", 22219812, "the second of three" },
	{ "6104262 0 3\n", 0, "never waited" },
	{ "0 9223372036854775807 1\n", INT64_MAX, "the largest" },
	{ "0 9223372036854775808 1\n", 0, "none that fits" },
	{ "", 0, "nothing" },
	{ "6104262", 0, "one number" },
	{ "a b c\n", 0, "no numbers" },
	{ "1 -2 3\n", 0, "negative" },
};

START_TEST(parsed)
{
	ck_assert_msg(load_held_up_parse(slice_of(texts[_i].text)) == texts[_i].ready_ns, "%s",
		texts[_i].why);
}
END_TEST

/* Where the kernel tells nothing. */
static const struct {
	int64_t late_ns, lag_ns;
	bool explains;
	const char *why;
} lags[] = {
	{ 10 * NS_PER_MS, 10 * NS_PER_MS, true, "all of it" },
	{ 10 * NS_PER_MS, 20 * NS_PER_MS, true, "half of it" },
	{ 10 * NS_PER_MS, 20 * NS_PER_MS + 1, false, "less than half" },
	{ 10 * NS_PER_MS, NS_PER_MS, false, "a lag that spoils nothing" },
	{ 10 * NS_PER_MS, NS_PER_MS + 1, true, "one that does" },
	{ NS_PER_MS, 2 * NS_PER_MS, false, "late as every thread is" },
	{ NS_PER_MS + 1, 2 * NS_PER_MS, true, "later than that" },
};

START_TEST(explained_by_the_beginning)
{
	struct load_held_up held = { .fd = -1 };
	load_held_up_begin(&held, lags[_i].late_ns);
	ck_assert_msg(load_held_up_explains(&held, lags[_i].lag_ns) == lags[_i].explains, "%s",
		lags[_i].why);
}
END_TEST

static void *spin(void *self)
{
	const atomic_bool *over = self;
	while (!atomic_load(over)) {
	}
	return NULL;
}

/* Two that want one core: each is ready to run for as long as the other has it. */
START_TEST(explained_by_the_kernel)
{
	atomic_bool over = false;
	struct load_held_up held;
	pthread_t other;
	cpu_set_t all, one;
	ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
	CPU_ZERO(&one);
	for (int cpu = 0; !CPU_COUNT(&one); cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
	load_held_up_init(&held);
	load_held_up_begin(&held, 0);
	ck_assert(!load_held_up_explains(&held, 3600 * NS_PER_S));
	ck_assert_int_eq(pthread_create(&other, NULL, spin, &over), 0);
	bool explained = held.fd < 0;
	int64_t deadline_ns = clock_now_ns() + 20 * NS_PER_S;
	while (!explained && clock_now_ns() < deadline_ns)
		explained = load_held_up_explains(&held, 10 * NS_PER_MS);
	atomic_store(&over, true);
	pthread_join(other, NULL);
	load_held_up_release(&held);
	ck_assert(explained);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_held_up");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, parsed, 0, COUNT(texts));
	tcase_add_loop_test(tests, explained_by_the_beginning, 0, COUNT(lags));
	tcase_add_test(tests, explained_by_the_kernel);
	Suite *suite = suite_create("http/load_held_up");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
