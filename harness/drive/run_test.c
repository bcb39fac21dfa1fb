#include "drive/drive_testing.h"

enum { JOBS = 24 };

struct order {
	const struct job *jobs;
	size_t next;
	pthread_t thread;
};

static void in_order(void *self, const struct job *job)
{
	struct order *order = self;
	ck_assert_ptr_eq(job, &order->jobs[order->next]);
	ck_assert(pthread_equal(pthread_self(), order->thread));
	order->next++;
}

static void run_all(struct bench *b, struct job *jobs, size_t count)
{
	struct order order = { .jobs = jobs, .thread = pthread_self() };
	run_jobs(&b->run, jobs, count, in_order, &order);
	ck_assert_uint_eq(order.next, count);
}

static void free_jobs(struct job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		arena_free(jobs[i].arena);
		case_free((struct case_file *)jobs[i].one);
	}
}

static struct case_file *load(struct bench *b, size_t i, const char *command)
{
	const char *text = arena_print(b->arena,
		"{\"title\": \"t\", \"steps\": [{\"exec\": [\"sh\", \"-c\", \"%s\"],"
		" \"expect\": {\"exit\": 0}}]}",
		command);
	return bench_load(b, text, arena_print(b->arena, "case-%zu", i));
}

static const unsigned workers[] = { 1, 2, 7, JOBS + 5, 0 };

/* The first ones take longest, so that later ones are through before them. */
START_TEST(handed_over_in_order)
{
	struct bench b;
	struct job jobs[JOBS] = { 0 };
	bench_open(&b, NULL, 0);
	b.run.workers = workers[_i];
	for (size_t i = 0; i < JOBS; i++)
		jobs[i].one = load(&b, i, i < 3 ? "sleep 0.1" : i % 5 ? "exit 0" : "exit 1");
	run_all(&b, jobs, JOBS);
	for (size_t i = 0; i < JOBS; i++) {
		enum outcome due = i < 3 || i % 5 ? OUTCOME_PASSED : OUTCOME_FAILED;
		ck_assert_int_eq(jobs[i].result.outcome, due);
		ck_assert_str_eq(jobs[i].result.id, jobs[i].one->id);
		ck_assert_uint_eq(jobs[i].result.checks, 1);
	}
	free_jobs(jobs, JOBS);
	bench_close(&b);
}
END_TEST

/* Several at a time: each of two cases waits for the file that the other makes. */
START_TEST(side_by_side)
{
	struct bench b;
	struct job jobs[2] = { 0 };
	static const char *const MEET[] = {
		"touch a; for i in $(seq 500); do test -e b && exit 0; sleep 0.02; done; exit 1",
		"touch b; for i in $(seq 500); do test -e a && exit 0; sleep 0.02; done; exit 1"
	};
	bench_open(&b, NULL, 0);
	ck_assert_int_eq(chdir(b.dir), 0);
	b.run.workers = 2;
	for (size_t i = 0; i < 2; i++)
		jobs[i].one = load(&b, i, MEET[i]);
	run_all(&b, jobs, 2);
	for (size_t i = 0; i < 2; i++)
		ck_assert_int_eq(jobs[i].result.outcome, OUTCOME_PASSED);
	free_jobs(jobs, 2);
	bench_close(&b);
}
END_TEST

START_TEST(fail_fast)
{
	struct bench b;
	struct job jobs[4] = { 0 };
	bench_open(&b, NULL, 0);
	b.run.fail_fast = true;
	for (size_t i = 0; i < 4; i++)
		jobs[i].one = load(&b, i, i == 1 ? "exit 1" : "exit 0");
	run_all(&b, jobs, 4);
	ck_assert_int_eq(jobs[0].result.outcome, OUTCOME_PASSED);
	ck_assert_int_eq(jobs[1].result.outcome, OUTCOME_FAILED);
	for (size_t i = 2; i < 4; i++) {
		ck_assert_int_eq(jobs[i].result.outcome, OUTCOME_SKIPPED);
		ck_assert_str_eq(jobs[i].result.skip_reason, "--fail-fast: another case failed");
	}
	free_jobs(jobs, 4);
	bench_close(&b);
}
END_TEST

START_TEST(stopped_before)
{
	struct bench b;
	struct job jobs[2] = { 0 };
	bench_open(&b, NULL, 0);
	b.stop = 2;
	b.run.workers = 2;
	for (size_t i = 0; i < 2; i++)
		jobs[i].one = load(&b, i, "exit 0");
	run_all(&b, jobs, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(jobs[i].result.outcome, OUTCOME_SKIPPED);
		ck_assert_str_eq(jobs[i].result.skip_reason, "interrupted");
	}
	free_jobs(jobs, 2);
	bench_close(&b);
}
END_TEST

START_TEST(no_jobs)
{
	struct bench b;
	struct job none = { 0 };
	bench_open(&b, NULL, 0);
	run_all(&b, &none, 0);
	bench_close(&b);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("run");
	tcase_add_loop_test(tests, handed_over_in_order, 0, COUNT(workers));
	tcase_add_test(tests, side_by_side);
	tcase_add_test(tests, fail_fast);
	tcase_add_test(tests, stopped_before);
	tcase_add_test(tests, no_jobs);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("drive/run");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
