#include <check.h>
#include <stdlib.h>

#include "measure/load_host.h"
#include "base/clock.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

/* proc(5): user nice system idle iowait irq softirq steal guest guest_nice. */
START_TEST(processors)
{
	struct load_host host = { 0 };
	load_host_parse_stat(
		slice_of("cpu  100 1 20 300 4 5 6 7 80 0\ncpu0 9 9 9 9 9 9 9 9 9 9\n"), &host);
	ck_assert_uint_eq(host.steal_ticks, 7);
	ck_assert_uint_eq(host.all_ticks, 100 + 1 + 20 + 300 + 4 + 5 + 6 + 7);
	struct load_host old = { 0 };
	load_host_parse_stat(slice_of("cpu  1 2 3 4\n"), &old);
	ck_assert_uint_eq(old.steal_ticks, 0);
	ck_assert_uint_eq(old.all_ticks, 10);
	struct load_host other = { 0 };
	load_host_parse_stat(slice_of("intr 12 34\n"), &other);
	ck_assert_uint_eq(other.all_ticks, 0);
}
END_TEST

static const struct {
	struct load_host before, after;
	double share;
	const char *why;
} steals[] = {
	{ { 10, 1000, 0, 0 }, { 15, 1100, 0, 0 }, 0.05, "5 of 100" },
	{ { 10, 1000, 0, 0 }, { 10, 1100, 0, 0 }, 0, "none" },
	{ { 10, 1000, 0, 0 }, { 10, 1000, 0, 0 }, 0, "no time went by" },
	{ { 10, 1000, 0, 0 }, { 4, 1100, 0, 0 }, 0, "steal of some kernels goes back" },
	{ { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, 0, "nothing is told" },
};

START_TEST(steal)
{
	ck_assert_msg(load_host_steal(&steals[_i].before, &steals[_i].after) == steals[_i].share,
		"%s", steals[_i].why);
}
END_TEST

static const struct {
	const char *text;
	int64_t ns;
	const char *why;
} quotas[] = {
	{ "usage_usec 5\nnr_periods 9\nnr_throttled 2\nthrottled_usec 1500\n", 1500000,
		"version 2, in us" },
	{ "nr_periods 9\nnr_throttled 2\nthrottled_time 1500\n", 1500, "version 1, in ns" },
	{ "usage_usec 5\n", 0, "the root has no quota" },
	{ "", 0, "no file" },
};

START_TEST(quota)
{
	ck_assert_msg(load_host_parse_cpu_stat(slice_of(quotas[_i].text)) == quotas[_i].ns, "%s",
		quotas[_i].why);
}
END_TEST

START_TEST(listen_queues)
{
	struct load_host host = { 0 };
	load_host_parse_netstat(slice_of("TcpExt: SyncookiesSent ListenOverflows ListenDrops\n"
					 "TcpExt: 3 41 59\n"
					 "IpExt: InNoRoutes ListenOverflows\n"
					 "IpExt: 0 99\n"),
		&host);
	ck_assert_uint_eq(host.listen_overflows, 41);
}
END_TEST

/* This machine tells something, and it does not go back. */
START_TEST(this_machine)
{
	struct load_host before, after;
	load_host_read(&before);
	load_host_read(&after);
	ck_assert_uint_gt(before.all_ticks, 0);
	ck_assert_uint_ge(after.all_ticks, before.all_ticks);
	ck_assert_int_ge(after.throttled_ns, before.throttled_ns);
	ck_assert_uint_ge(after.listen_overflows, before.listen_overflows);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_host");
	tcase_add_test(tests, processors);
	tcase_add_loop_test(tests, steal, 0, COUNT(steals));
	tcase_add_loop_test(tests, quota, 0, COUNT(quotas));
	tcase_add_test(tests, listen_queues);
	tcase_add_test(tests, this_machine);
	Suite *suite = suite_create("measure/load_host");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
