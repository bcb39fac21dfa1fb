#include "sut/sample.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "sut/burner_testing.h"
#include "sut/cap.h"

/* A sanitizer remembers something of each byte, and has a thread of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1, SLACK_BYTES = 128 * MIB };
#else
enum { SANITIZED = 0, SLACK_BYTES = 2 * MIB };
#endif

static void take_memory(int go, int done)
{
	(void)go;
	(void)done;
	memory_take(64 * MIB);
}

static void take_descriptors(int go, int done)
{
	(void)done;
	for (int i = 0; i < 100; i++)
		if (dup(go) < 0)
			_exit(1);
}

static void *wait_for_ever(void *self)
{
	pause();
	return self;
}

static void take_threads(int go, int done)
{
	pthread_t thread;
	(void)go;
	(void)done;
	for (int i = 0; i < 5; i++)
		if (pthread_create(&thread, NULL, wait_for_ever, NULL))
			_exit(1);
}

static void take_processes(int go, int done)
{
	(void)done;
	for (int i = 0; i < 4; i++)
		if (fork() == 0) {
			await_byte(go);
			_exit(0);
		}
}

/* What is there after less what was there before. */
START_TEST(what_is_held_is_seen)
{
	static const struct {
		void (*burn)(int go, int done);
		int64_t memory, descriptors, threads, processes;
	} holds[] = {
		{ take_memory, 64 * MIB, 0, 0, 0 },
		{ take_descriptors, 0, 100, 0, 0 },
		{ take_threads, 0, 0, 5, 0 },
	};
	for (int i = 0; i < COUNT(holds); i++) {
		struct burner burner;
		struct cost_row before, after;
		burner_start(&burner, holds[i].burn);
		struct sample *sample = start(&(struct sample_source){ .pid = burner.pid });
		ck_assert(sample_last(sample, &before));
		send_byte(burner.go);
		ck_assert(await_byte(burner.done));
		sample_mark(sample);
		ck_assert(sample_last(sample, &after));
		sample_free(sample);
		burner_end(&burner);
		int64_t memory = after.memory_bytes - before.memory_bytes;
		ck_assert_int_ge(memory, holds[i].memory);
		ck_assert_int_le(memory, holds[i].memory + SLACK_BYTES);
		ck_assert_int_ge(after.anonymous_bytes, holds[i].memory);
		ck_assert_int_ge(after.pss_bytes, holds[i].memory);
		ck_assert_int_eq(after.descriptors - before.descriptors, holds[i].descriptors);
		ck_assert_int_eq(after.threads - before.threads, holds[i].threads);
		ck_assert_int_eq(after.processes, 1);
	}
}
END_TEST

START_TEST(all_processes_are_seen)
{
	struct burner burner;
	struct cost_row before, row = { 0 };
	burner_start(&burner, take_processes);
	struct sample *sample = start(&(struct sample_source){ .pid = burner.pid });
	ck_assert(sample_last(sample, &before));
	send_byte(burner.go);
	ck_assert(await_byte(burner.done));
	/* How often it looks for new ones is its own affair. */
	for (int64_t until_ns = clock_now_ns() + 10 * NS_PER_S;
		row.processes != 5 && clock_now_ns() < until_ns; sample_last(sample, &row))
		usleep(10000);
	sample_free(sample);
	burner_end(&burner);
	ck_assert_int_eq(row.processes, 5);
	ck_assert_int_ge(row.threads, 5);
	ck_assert_int_le(row.threads, 5 * before.threads);
	ck_assert_int_eq(row.descriptors, 5 * before.descriptors);
}
END_TEST

static void sleep_often(int go, int done)
{
	struct timespec moment = { .tv_nsec = 100000 };
	(void)go;
	(void)done;
	for (int i = 0; i < 200; i++)
		nanosleep(&moment, NULL);
}

START_TEST(switches_are_counted)
{
	struct cost_sum sum;
	measure(sleep_often, &sum);
	/* One that was about to sleep when its time was up counts as involuntary. */
	ck_assert_int_ge(sum.voluntary + sum.involuntary, 200);
	ck_assert_int_ge(sum.voluntary, 150);
	ck_assert_int_le(sum.voluntary, 210);
}
END_TEST

static void spin_a_while(int go, int done)
{
	(void)go;
	(void)done;
	spin(300 * NS_PER_MS);
}

START_TEST(its_end_is_told)
{
	struct burner burner;
	struct cost_row row;
	struct cost_sum sum;
	burner_start(&burner, spin_a_while);
	struct sample *sample = start(&(struct sample_source){ .pid = burner.pid });
	send_byte(burner.go);
	ck_assert(await_byte(burner.done));
	sample_mark(sample);
	burner_end(&burner);
	sample_mark(sample);
	ck_assert(!sample_last(sample, &row));
	ck_assert_int_eq(row.processes, 0);
	sample_stop(sample);
	ck_assert(cost_sum(sample_cost(sample), 0, INT64_MAX, &sum));
	ck_assert_int_ge(sum.cpu_ns, 299 * NS_PER_MS);
	ck_assert_int_gt(sum.memory_bytes, 0);
	sample_free(sample);
}
END_TEST

static int enter_fd;

static void enter_and_burn(int go, int done)
{
	(void)go;
	(void)done;
	if (write(enter_fd, "0", 1) != 1)
		_exit(1);
	spin(50 * NS_PER_MS);
}

/* Found by the last part of its cgroup's path, as a container is. */
START_TEST(a_container_is_found)
{
	struct cap cap;
	struct burner inside, outside;
	struct cost_row row = { 0 };
	if (!cap_open(&cap, 64 * MIB)) {
		printf("no cgroup can be made: skipped\n");
		return;
	}
	enter_fd = cap_procs(&cap);
	burner_start(&outside, spin_a_while);
	burner_start(&inside, enter_and_burn);
	send_byte(inside.go);
	ck_assert(await_byte(inside.done));
	struct sample *sample =
		start(&(struct sample_source){ .container = strrchr(cap.path, '/') + 1 });
	ck_assert(sample_last(sample, &row));
	ck_assert_int_eq(row.processes, 1);
	send_byte(outside.go);
	ck_assert(await_byte(outside.done));
	sample_mark(sample);
	sample_last(sample, &row);
	ck_assert_int_lt(row.cpu_ns, 10 * NS_PER_MS);
	sample_free(sample);
	burner_end(&inside);
	burner_end(&outside);
	close(enter_fd);
	cap_close(&cap);
}
END_TEST

START_TEST(no_such_source)
{
	struct err err;
	struct sample *sample;
	struct sample_source source = { .pid = INT32_MAX };
	ck_assert_int_eq(sample_start(&source, SAMPLE_EVERY_NS, &sample, &err), RC_ENVIRONMENT);
	ck_assert_str_eq(err.text, "expected a process 2147483647, found none");
	source.container = "0123456789abcdef";
	ck_assert_int_eq(sample_start(&source, SAMPLE_EVERY_NS, &sample, &err), RC_ENVIRONMENT);
	source.container = "01234567";
	ck_assert_int_eq(sample_start(&source, SAMPLE_EVERY_NS, &sample, &err), RC_USAGE);
}
END_TEST

static void be_a_server(int go, int done)
{
	take_memory(go, done);
	take_threads(go, done);
	take_processes(go, done);
}

static void be_many(int go, int done)
{
	(void)done;
	for (int i = 0; i < 99; i++)
		if (fork() == 0) {
			await_byte(go);
			_exit(0);
		}
}

static const struct {
	void (*burn)(int go, int done);
	const char *why;
} servers[] = {
	{ take_memory, "one process of 64 MiB" },
	{ be_a_server, "five processes, of which each has 64 MiB" },
	{ be_many, "a hundred processes" },
};

/* It must not matter to what is measured. */
START_TEST(it_costs_little)
{
	struct burner burner;
	burner_start(&burner, servers[_i].burn);
	struct sample *sample = start(&(struct sample_source){ .pid = burner.pid });
	send_byte(burner.go);
	ck_assert(await_byte(burner.done));
	int64_t from_ns = clock_now_ns();
	sleep(5);
	sample_stop(sample);
	int64_t took_ns = clock_now_ns() - from_ns;
	double share = 100.0 * (double)sample_own_ns(sample) / (double)took_ns;
	sample_free(sample);
	burner_end(&burner);
	printf("%s: the sampler took %.2f%% of a core\n", servers[_i].why, share);
	ck_assert(SANITIZED || share < 1.0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("sample");
	tcase_add_test(tests, what_is_held_is_seen);
	tcase_add_test(tests, all_processes_are_seen);
	tcase_add_test(tests, switches_are_counted);
	tcase_add_test(tests, its_end_is_told);
	tcase_add_test(tests, a_container_is_found);
	tcase_add_test(tests, no_such_source);
	TCase *cost = tcase_create("cost");
	tcase_add_loop_test(cost, it_costs_little, 0, COUNT(servers));
	tcase_set_timeout(cost, 60);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("sut/sample");
	suite_add_tcase(suite, tests);
	suite_add_tcase(suite, cost);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
