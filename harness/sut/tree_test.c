#include "sut/tree.h"

#include "sut/burner_testing.h"

static void burn_nothing(int go, int done)
{
	(void)go;
	(void)done;
}

static void burn_cpu(int go, int done)
{
	(void)go;
	(void)done;
	spin(300 * NS_PER_MS);
}

static void burn_in_children(int go, int done)
{
	(void)go;
	(void)done;
	for (int i = 0; i < 6; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			spin(50 * NS_PER_MS);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Each is waited for by the one above it, which then ends as well. */
static void burn_in_grandchildren(int go, int done)
{
	(void)go;
	(void)done;
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (child == 0) {
			pid_t grandchild = fork();
			spin(50 * NS_PER_MS);
			if (grandchild)
				waitpid(grandchild, NULL, 0);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

/* Too short to be seen, all of them. */
static void burn_in_many(int go, int done)
{
	(void)go;
	(void)done;
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			spin(3 * NS_PER_MS);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Children that nobody has waited for when it is measured. */
static void burn_in_zombies(int go, int done)
{
	(void)go;
	(void)done;
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();
		siginfo_t ended;
		if (pid == 0) {
			spin(100 * NS_PER_MS);
			_exit(0);
		}
		waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT);
	}
}

/* zombies_ns: of children that getrusage(2) does not know yet. */
static const struct {
	void (*burn)(int go, int done);
	int64_t zombies_ns;
	const char *why;
} burns[] = {
	{ burn_nothing, 0, "it waits" },
	{ burn_cpu, 0, "it spins" },
	{ burn_in_children, 0, "children that end" },
	{ burn_in_grandchildren, 0, "theirs that end with them" },
	{ burn_in_many, 0, "children that come and go unseen" },
	{ burn_in_zombies, 300 * NS_PER_MS, "zombies" },
};

START_TEST(cpu_is_counted_once)
{
	struct cost_sum sum;
	measure(burns[_i].burn, &sum);
	int64_t right_ns = *used_ns + burns[_i].zombies_ns;
	/*
	 * Of children that were waited for the kernel tells user and system time in ticks of 10 ms, cut. Before it is
	 * measured a burner has used next to nothing; what a zombie takes to be made and to end is a little, too.
	 */
	ck_assert_msg(sum.cpu_ns >= right_ns - 25 * NS_PER_MS &&
			      sum.cpu_ns <= right_ns + 10 * NS_PER_MS + burns[_i].zombies_ns / 10,
		"%s: %.1f ms, used were %.1f ms", burns[_i].why, (double)sum.cpu_ns / NS_PER_MS,
		(double)right_ns / NS_PER_MS);
	double share = 100.0 * (double)sum.cpu_ns / (double)(sum.to_ns - sum.from_ns);
	ck_assert_double_eq_tol(sum.cpu_percent, share, 0.001);
}
END_TEST

START_TEST(cpu_before_does_not_count)
{
	struct burner burner;
	struct cost_row row;
	burner_start(&burner, burn_in_children);
	send_byte(burner.go);
	ck_assert(await_byte(burner.done));
	struct sample *sample = start(&(struct sample_source){ .pid = burner.pid });
	ck_assert(sample_last(sample, &row));
	sample_free(sample);
	burner_end(&burner);
	ck_assert_int_lt(row.cpu_ns, 10 * NS_PER_MS);
}
END_TEST

static int relay[2];

/* Its child leaves one behind, which then works on. */
static void orphan(int go, int done)
{
	pid_t child = fork();
	if (child == 0) {
		if (fork() == 0) {
			close(relay[1]);
			await_byte(relay[0]);
			spin(100 * NS_PER_MS);
			send_byte(done);
			await_byte(go);
			_exit(0);
		}
		await_byte(go);
		_exit(0);
	}
	close(relay[1]);
	waitpid(child, NULL, 0);
}

START_TEST(what_loses_its_parent_stays)
{
	struct burner burner;
	struct cost_row row = { 0 };
	ck_assert_int_eq(pipe2(relay, O_CLOEXEC), 0);
	burner_start(&burner, orphan);
	struct sample *sample = start(&(struct sample_source){ .pid = burner.pid });
	send_byte(burner.go);
	for (int64_t until_ns = clock_now_ns() + 10 * NS_PER_S;
		row.processes != 3 && clock_now_ns() < until_ns; sample_last(sample, &row))
		usleep(10000);
	ck_assert_int_eq(row.processes, 3);
	int64_t before_ns = row.cpu_ns;
	send_byte(burner.go);
	ck_assert(await_byte(burner.done));
	/* The grandchild goes on once this end is closed: by then its parent has been waited for. */
	close(relay[1]);
	ck_assert(await_byte(burner.done));
	sample_mark(sample);
	ck_assert(sample_last(sample, &row));
	sample_free(sample);
	burner_end(&burner);
	ck_assert_int_eq(row.processes, 2);
	ck_assert_int_ge(row.cpu_ns - before_ns, 99 * NS_PER_MS);
	ck_assert_int_le(row.cpu_ns - before_ns, 130 * NS_PER_MS);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("tree");
	tcase_add_loop_test(tests, cpu_is_counted_once, 0, COUNT(burns));
	tcase_add_test(tests, cpu_before_does_not_count);
	tcase_add_test(tests, what_loses_its_parent_stays);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("sut/tree");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
