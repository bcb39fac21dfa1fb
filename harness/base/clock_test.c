#include "base/clock.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
	const char *why;
	int64_t now_ns, deadline_ns;
	int ms;
} polls[] = {
	{ "whole milliseconds", 0, 5 * NS_PER_MS, 5 },
	{ "rounded up, so that a wait never ends too early", 0, 5 * NS_PER_MS + 1, 6 },
	{ "a nanosecond is a millisecond", 7, 8, 1 },
	{ "now", 9, 9, 0 },
	{ "past", 10, 9, 0 },
	{ "never", 10, CLOCK_NEVER, -1 },
	{ "further than poll can count", 0, CLOCK_NEVER - NS_PER_S, INT_MAX },
};

START_TEST(poll_ms)
{
	ck_assert_msg(clock_poll_ms(polls[_i].now_ns, polls[_i].deadline_ns) == polls[_i].ms, "%s",
		polls[_i].why);
}
END_TEST

START_TEST(monotonic)
{
	struct timespec t;
	int64_t last = clock_now_ns();
	for (int i = 0; i < 10000; i++) {
		int64_t now = clock_now_ns();
		ck_assert_int_ge(now, last);
		last = now;
	}
	clock_gettime(CLOCK_MONOTONIC, &t);
	int64_t after = (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
	ck_assert_int_ge(after, last);
	ck_assert_int_lt(after - last, 10 * NS_PER_S);
}
END_TEST

/* Read back by strptime and timegm, it is now. */
START_TEST(wall)
{
	char text[21];
	struct tm utc = { 0 };
	time_t before = time(NULL);
	clock_wall(text, sizeof text);
	ck_assert_uint_eq(strlen(text), 20);
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc);
	ck_assert(end && !*end);
	time_t read = timegm(&utc);
	ck_assert(read >= before && read <= time(NULL));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("clock");
	tcase_add_loop_test(tests, poll_ms, 0, (int)(sizeof polls / sizeof *polls));
	tcase_add_test(tests, monotonic);
	tcase_add_test(tests, wall);
	Suite *suite = suite_create("base/clock");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
