#include <check.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "http/load_series.h"

enum { THREADS = 2, TIMES = 5000, WAIT_MS = 20000 };

struct leaver {
	struct load_series *series;
	size_t index;
	pthread_t thread;
};

static void *leave(void *self)
{
	const struct leaver *leaver = self;
	const struct load_part part = { .sent = 1, .whole = true };
	load_series_add(leaver->series, leaver->index, 0, &part, NULL);
	load_series_leave(leaver->series, leaver->index);
	return NULL;
}

/* As load.c waits: false where nobody woke it up, though all have left. */
static bool is_woken(struct load_series *series, size_t *seconds)
{
	struct pollfd ready = { .fd = load_series_fd(series), .events = POLLIN };
	struct load_second second;
	bool over = false;
	while (!over) {
		if (poll(&ready, 1, WAIT_MS) != 1)
			return false;
		over = load_series_over(series);
		while (load_series_take(series, &second))
			++*seconds;
	}
	return true;
}

/* At whatever moment the last one leaves, whoever waits for it is told. */
START_TEST(the_last_one_wakes)
{
	for (int i = 0; i < TIMES; i++) {
		struct load_series *series = load_series_new(THREADS);
		struct leaver leavers[THREADS];
		size_t seconds = 0;
		for (size_t k = 0; k < THREADS; k++) {
			leavers[k] = (struct leaver){ .series = series, .index = k };
			ck_assert_int_eq(
				pthread_create(&leavers[k].thread, NULL, leave, &leavers[k]), 0);
		}
		ck_assert_msg(is_woken(series, &seconds), "run %d", i);
		ck_assert_uint_eq(seconds, 1);
		for (size_t k = 0; k < THREADS; k++)
			pthread_join(leavers[k].thread, NULL);
		load_series_free(series);
	}
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_series");
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, the_last_one_wakes);
	Suite *suite = suite_create("http/load_series");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
