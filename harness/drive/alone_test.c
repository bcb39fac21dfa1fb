#include <check.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "drive/alone.h"

enum { THREADS = 8, ROUNDS = 400 };

struct crowd {
	struct alone alone;
	atomic_int shared, exclusive; /* how many are inside now */
	atomic_int together;          /* the most that were inside with others */
	atomic_int broken, alone_done, shared_done;
	atomic_bool over;
	pthread_barrier_t start;
};

static void enter(struct crowd *crowd, bool by_itself)
{
	alone_enter(&crowd->alone, by_itself);
	int shared = atomic_fetch_add(by_itself ? &crowd->exclusive : &crowd->shared, 1) + 1;
	sched_yield();
	if (by_itself && (crowd->exclusive != 1 || crowd->shared != 0))
		crowd->broken++;
	if (!by_itself && crowd->exclusive)
		crowd->broken++;
	if (!by_itself && shared > crowd->together)
		crowd->together = shared;
	atomic_fetch_sub(by_itself ? &crowd->exclusive : &crowd->shared, 1);
	alone_leave(&crowd->alone, by_itself);
}

/* Every fourth step of each thread is one that must be alone. */
static void *mixed(void *self)
{
	struct crowd *crowd = self;
	pthread_barrier_wait(&crowd->start);
	for (int i = 0; i < ROUNDS; i++) {
		enter(crowd, i % 4 == 0);
		if (i % 4 == 0)
			crowd->alone_done++;
		else
			crowd->shared_done++;
	}
	return NULL;
}

/* Steps without an end, until somebody has been alone. */
static void *endless(void *self)
{
	struct crowd *crowd = self;
	pthread_barrier_wait(&crowd->start);
	while (!crowd->over)
		enter(crowd, false);
	return NULL;
}

static void run(struct crowd *crowd, void *(*work)(void *self), pthread_t *threads, unsigned extra)
{
	*crowd = (struct crowd){ 0 };
	alone_init(&crowd->alone);
	pthread_barrier_init(&crowd->start, NULL, THREADS + extra);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work, crowd), 0);
}

static void end(struct crowd *crowd, pthread_t *threads)
{
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&crowd->start);
	alone_release(&crowd->alone);
}

START_TEST(nobody_beside)
{
	struct crowd crowd;
	pthread_t threads[THREADS];
	run(&crowd, mixed, threads, 0);
	end(&crowd, threads);
	ck_assert_int_eq(crowd.broken, 0);
	ck_assert_int_eq(crowd.alone_done, THREADS * ROUNDS / 4);
	ck_assert_int_eq(crowd.shared_done, THREADS * ROUNDS * 3 / 4);
	/* Else the test above would have shown nothing. */
	ck_assert_int_gt(crowd.together, 1);
}
END_TEST

/* Others come all the time, and still one that wants to be alone gets its turn: without that this would not end. */
START_TEST(not_kept_waiting)
{
	struct crowd crowd;
	pthread_t threads[THREADS];
	run(&crowd, endless, threads, 1);
	pthread_barrier_wait(&crowd.start);
	for (int i = 0; i < 50; i++)
		enter(&crowd, true);
	crowd.over = true;
	end(&crowd, threads);
	ck_assert_int_eq(crowd.broken, 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("alone");
	tcase_add_test(tests, nobody_beside);
	tcase_add_test(tests, not_kept_waiting);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("drive/alone");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
