#include "sut/nursery.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sut/crew.h"
#include "sut/descend.h"
#include "sut/host.h"
#include "sut/sut.h"

/*
 * Nothing is ever left running. The test makes itself a child subreaper: what escapes from everything below it becomes
 * its child, so that "no child is left" means that no descendant is alive, by whatever name or session.
 */

static void role_linger(char **argv)
{
	(void)argv;
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause();
}

/* As daemon(3) does it, with the second fork that keeps it from ever getting a terminal. */
static void role_daemon(char **argv)
{
	if (fork() > 0)
		_exit(0);
	setsid();
	if (fork() > 0)
		_exit(0);
	role_linger(argv);
}

/* Stays in the foreground and lets a daemon loose. */
static void role_breed(char **argv)
{
	if (fork() == 0)
		role_daemon(argv);
	role_linger(argv);
}

static const struct {
	const char *name;
	void (*run)(char **argv);
} roles[] = { { "linger", role_linger }, { "daemon", role_daemon }, { "breed", role_breed } };

static char self[4096];
static const char *const bare[] = { "LANG=C", NULL };

static struct process_spec spec_of(const char **argv)
{
	return (struct process_spec){ .name = "sut",
		.argv = argv,
		.env = bare,
		.ready = { .kind = READY_OUTPUT, .pattern = "ready", .within_ns = 20 * NS_PER_S },
		.stop_signal = SIGTERM,
		.stop_within_ns = 50 * NS_PER_MS };
}

/* True once this process has no child: not even a zombie of one. */
static bool childless_within(int64_t within_ns)
{
	int64_t until_ns = clock_now_ns() + within_ns;
	while (clock_now_ns() < until_ns) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);
		if (pid < 0)
			return true;
		if (pid == 0)
			poll(NULL, 0, 1);
	}
	return false;
}

static bool gone_within(pid_t pid, int64_t within_ns)
{
	int64_t until_ns = clock_now_ns() + within_ns;
	while (kill(pid, 0) == 0 && clock_now_ns() < until_ns)
		poll(NULL, 0, 1);
	return kill(pid, 0) != 0;
}

/* A number of /proc/PID/status; 0 where there is no such process. */
static uint64_t status_of(pid_t pid, const char *key, int base)
{
	char path[64], line[256];
	uint64_t number = 0;
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, key, strlen(key)) == 0)
			number = strtoull(line + strlen(key), NULL, base);
	if (file)
		fclose(file);
	return number;
}

static pid_t parent_of(pid_t pid)
{
	return (pid_t)status_of(pid, "PPid:", 10);
}

/* The one of its processes that stays ignores SIGTERM, see role_linger. */
static bool stays(pid_t pid)
{
	return status_of(pid, "SigIgn:", 16) & (UINT64_C(1) << (SIGTERM - 1));
}

static size_t open_descriptors(void)
{
	size_t count = 0;
	DIR *dir = opendir("/proc/self/fd");
	ck_assert_ptr_nonnull(dir);
	if (!dir)
		return 0;
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

struct pids_told {
	pid_t nursery, keeper, sut;
};

/* A daemon's first processes may still be there when it has said that it is ready. False: not within 20 s. */
static bool settled(struct sut_host *host, struct sut *sut, struct pids_told *told)
{
	int64_t until_ns = clock_now_ns() + 20 * NS_PER_S;
	*told = (struct pids_told){ .nursery = host->nursery };
	while (sut_alive(sut, NULL, NULL, NULL) && clock_now_ns() < until_ns) {
		told->sut = sut_pid(sut);
		told->keeper = parent_of(told->sut);
		if (stays(told->sut) && parent_of(told->keeper) == told->nursery)
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

/* What onus does in these tests: starts one, tells the process ids, and waits to be killed. */
static _Noreturn void play_onus(const char *role, int tell)
{
	const char *argv[] = { self, role, NULL };
	struct process_spec spec = spec_of(argv);
	struct sut_host *host;
	struct sut *sut;
	struct err err = { 0 };
	if (sut_init(&host, &err) != RC_OK ||
		sut_start(host, &spec, 1, &sut, NULL, &err) != RC_OK) {
		fprintf(stderr, "%s\n", err.text);
		_exit(1);
	}
	struct pids_told told;
	if (!settled(host, sut, &told)) {
		fprintf(stderr, "process %d has no keeper\n", (int)told.sut);
		_exit(1);
	}
	if (write(tell, &told, sizeof told) != sizeof told)
		_exit(1);
	for (;;)
		pause();
}

static pid_t start_onus(const char *role, struct pids_told *told)
{
	int ends[2];
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	pid_t onus = fork();
	if (onus == 0)
		play_onus(role, ends[1]);
	close(ends[1]);
	ck_assert_int_eq(read(ends[0], told, sizeof *told), sizeof *told);
	close(ends[0]);
	return onus;
}

enum victim { ONUS = 1, NURSERY = 2, KEEPER = 4 };

static const struct {
	const char *role;
	unsigned victims;
	const char *why;
} deaths[] = {
	{ "linger", ONUS, "onus is killed" },
	{ "daemon", ONUS, "the SUT has left for a session of its own" },
	{ "breed", ONUS, "and so has a child of the SUT" },
	{ "breed", ONUS | NURSERY, "the keeper alone is left to clean up" },
	{ "breed", ONUS | KEEPER, "the nursery alone is left to clean up" },
};

START_TEST(nothing_outlives_onus)
{
	struct pids_told told;
	unsigned victims = deaths[_i].victims;
	pid_t onus = start_onus(deaths[_i].role, &told);
	ck_assert_int_eq(kill(told.sut, 0), 0);
	if (victims & NURSERY)
		kill(told.nursery, SIGKILL);
	if (victims & KEEPER)
		kill(told.keeper, SIGKILL);
	kill(onus, SIGKILL);
	ck_assert_msg(childless_within(2 * NS_PER_S), "%s: something is left", deaths[_i].why);
}
END_TEST

START_TEST(a_terminals_signals_reach_nobody)
{
	static const int sent[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct pids_told told;
	pid_t onus = start_onus("linger", &told);
	for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
		kill(told.nursery, sent[i]);
		kill(told.keeper, sent[i]);
	}
	ck_assert_int_ne(getpgid(told.nursery), getpgid(onus));
	ck_assert_int_ne(getpgid(told.keeper), getpgid(onus));
	ck_assert_int_ne(getpgid(told.sut), getpgid(onus));
	ck_assert(!gone_within(told.keeper, 50 * NS_PER_MS));
	ck_assert_int_eq(kill(told.nursery, 0), 0);
	ck_assert_int_eq(kill(told.sut, 0), 0);
	kill(onus, SIGKILL);
	ck_assert(childless_within(2 * NS_PER_S));
}
END_TEST

START_TEST(a_lost_keeper_takes_its_processes_along)
{
	const char *argv[] = { self, "daemon", NULL };
	struct process_spec spec = spec_of(argv);
	struct sut_host *host;
	struct sut *sut;
	struct err err = { 0 };
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	ck_assert_msg(sut_start(host, &spec, 1, &sut, NULL, &err) == RC_OK, "%s", err.text);
	struct pids_told told;
	ck_assert(settled(host, sut, &told));
	kill(told.keeper, SIGKILL);
	ck_assert(gone_within(told.sut, 2 * NS_PER_S));
	ck_assert(!sut_alive(sut, NULL, NULL, NULL));
	sut_stop(sut, NULL, NULL);
	sut_close(host);
}
END_TEST

/* A keeper goes on when it is asked to end, however often its own process stops it. */
START_TEST(a_stopped_keeper_goes_on)
{
	static const char *const lines[] = { "echo ready; exec sleep 60",
		"trap '' TERM; trap 'while kill -STOP $PPID; do :; done' USR1; echo ready;"
		" while :; do sleep 0.01; done" };
	const char *argv[] = { "sh", "-c", lines[_i], NULL };
	struct process_spec spec = spec_of(argv);
	struct sut_host *host;
	struct sut *sut;
	struct err err = { 0 };
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	ck_assert_msg(sut_start(host, &spec, 1, &sut, NULL, &err) == RC_OK, "%s", err.text);
	pid_t pid = sut_pid(sut);
	kill(parent_of(pid), SIGSTOP);
	if (_i)
		kill(pid, SIGUSR1);
	int64_t start_ns = clock_now_ns();
	sut_stop(sut, NULL, NULL);
	ck_assert_int_lt(clock_now_ns() - start_ns, 15 * NS_PER_S);
	ck_assert(gone_within(pid, 2 * NS_PER_S));
	sut_close(host);
}
END_TEST

/* One that does nothing any more is killed when patience is over, once for all of its processes. */
START_TEST(a_stuck_keeper_is_killed)
{
	int ends[2], status;
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	pid_t keeper = fork();
	if (keeper == 0)
		for (;;)
			pause();
	close(ends[1]);
	struct crew crew = { .control = ends[0], .interrupt = -1, .keeper = keeper };
	crew.children = mem_alloc(2, sizeof *crew.children);
	crew.count = 2;
	for (int i = 0; i < 2; i++)
		crew.children[i] = (struct child){ .stop_signal = SIGTERM,
			.stop_within_ns = NS_PER_MS,
			.out = { .fd = -1 },
			.err = { .fd = -1 } };
	int64_t start_ns = clock_now_ns();
	ck_assert(crew_stop(&crew, 1));
	ck_assert(crew_stop(&crew, 0));
	crew_release(&crew);
	ck_assert_int_lt(clock_now_ns() - start_ns, 15 * NS_PER_S);
	ck_assert_int_eq(waitpid(keeper, &status, 0), keeper);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}
END_TEST

START_TEST(closing_ends_what_was_not_stopped)
{
	const char *argv[] = { self, "breed", NULL };
	struct process_spec spec = spec_of(argv);
	struct sut_host *host;
	struct sut *sut;
	struct err err = { 0 };
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	ck_assert_msg(sut_start(host, &spec, 1, &sut, NULL, &err) == RC_OK, "%s", err.text);
	sut_close(host);
	ck_assert_msg(waitpid(-1, NULL, WNOHANG) < 0, "something is left");
	sut_stop(sut, NULL, NULL);
}
END_TEST

/* What ends is waited for by the parent alone: it ends with 0 once sut_close() has come back. */
START_TEST(starts_without_standard_descriptors)
{
	pid_t pid = fork();
	if (pid == 0) {
		struct sut_host *host;
		struct err err = { 0 };
		for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
			if (!(_i >> fd & 1))
				close(fd);
		if (sut_init(&host, &err) != RC_OK)
			_exit(1);
		sut_close(host);
		_exit(0);
	}
	bool gone = false;
	int status = -1;
	for (int64_t until_ns = clock_now_ns() + 10 * NS_PER_S; !gone && clock_now_ns() < until_ns;
		poll(NULL, 0, 1))
		gone = waitpid(pid, &status, WNOHANG) == pid;
	if (!gone)
		kill(pid, SIGKILL);
	ck_assert_msg(gone && status == 0, "open: %d", _i);
}
END_TEST

START_TEST(follows_a_daemon)
{
	const char *argv[] = { self, "daemon", NULL };
	struct process_spec spec = spec_of(argv);
	struct sut_host *host;
	struct sut *sut;
	struct err err = { 0 };
	struct process_end end;
	struct arena *arena = arena_new();
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	ck_assert_msg(sut_start(host, &spec, 1, &sut, NULL, &err) == RC_OK, "%s", err.text);
	struct pids_told told;
	ck_assert(settled(host, sut, &told));
	ck_assert(!gone_within(told.sut, 20 * NS_PER_MS));
	ck_assert(sut_alive(sut, NULL, NULL, NULL));
	ck_assert_int_eq(sut_pid(sut), told.sut);
	sut_stop(sut, &end, arena);
	ck_assert_int_ne(kill(told.sut, 0), 0);
	ck_assert_int_eq(end.signal, SIGKILL);
	ck_assert(end.timed_out);
	sut_close(host);
	arena_free(arena);
}
END_TEST

struct worker {
	struct sut_host *host;
	int done;
	char text[sizeof((struct err *)0)->text];
};

static void *start_and_stop(void *argument)
{
	struct worker *worker = argument;
	const char *argv[] = { self, "breed", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	for (int i = 0; i < 3; i++) {
		struct sut *sut;
		if (sut_start(worker->host, &spec, 1, &sut, NULL, &err) == RC_OK) {
			worker->done += sut_alive(sut, NULL, NULL, NULL);
			sut_stop(sut, NULL, NULL);
		}
	}
	memcpy(worker->text, err.text, sizeof worker->text);
	return NULL;
}

START_TEST(eight_threads_at_once)
{
	struct worker workers[8] = { 0 };
	pthread_t threads[8];
	struct sut_host *host;
	struct err err = { 0 };
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	for (int i = 0; i < 8; i++) {
		workers[i].host = host;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, start_and_stop, &workers[i]), 0);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
		ck_assert_msg(workers[i].done == 3, "%s", workers[i].text);
	}
	sut_close(host);
	ck_assert_msg(waitpid(-1, NULL, WNOHANG) < 0, "something escaped");
}
END_TEST

START_TEST(fifty_starts_leave_nothing)
{
	const char *argv[] = { "sh", "-c", "echo ready; read x; exec sleep 60", NULL };
	struct process_spec spec = spec_of(argv);
	struct sut_host *host;
	struct sut *sut;
	struct err err = { 0 };
	spec.stop_within_ns = 20 * NS_PER_S;
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	size_t before = open_descriptors();
	int64_t start_ns = clock_now_ns();
	for (int i = 0; i < 50; i++) {
		ck_assert_msg(sut_start(host, &spec, 1, &sut, NULL, &err) == RC_OK, "%s", err.text);
		sut_stop(sut, NULL, NULL);
	}
	printf("50 starts and stops: %.2f ms each\n",
		(double)(clock_now_ns() - start_ns) / 50 / NS_PER_MS);
	ck_assert_uint_eq(open_descriptors(), before);
	/* The nursery reaps a keeper a moment after the keeper said that it is done. */
	char children[64], ids[64];
	size_t left = 1;
	snprintf(children, sizeof children, "/proc/%d/task/%d/children", (int)host->nursery,
		(int)host->nursery);
	for (int i = 0; left && i < 2000; i++) {
		FILE *file = fopen(children, "r");
		ck_assert_ptr_nonnull(file);
		left = fread(ids, 1, sizeof ids, file);
		fclose(file);
		if (left)
			poll(NULL, 0, 1);
	}
	ck_assert_msg(!left, "zombies are left");
	sut_close(host);
}
END_TEST

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof roles / sizeof *roles; i++)
		if (strcmp(argv[1], roles[i].name) == 0) {
			roles[i].run(argv + 2);
			return 0;
		}
	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		return 1;
	Suite *suite = suite_create("nursery");
	TCase *tests = tcase_create("nursery");
	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, nothing_outlives_onus, 0, sizeof deaths / sizeof *deaths);
	tcase_add_test(tests, a_terminals_signals_reach_nobody);
	tcase_add_test(tests, a_lost_keeper_takes_its_processes_along);
	tcase_add_loop_test(tests, a_stopped_keeper_goes_on, 0, 2);
	tcase_add_test(tests, a_stuck_keeper_is_killed);
	tcase_add_test(tests, closing_ends_what_was_not_stopped);
	tcase_add_loop_test(tests, starts_without_standard_descriptors, 0, 8);
	tcase_add_test(tests, follows_a_daemon);
	tcase_add_test(tests, eight_threads_at_once);
	tcase_add_test(tests, fifty_starts_leave_nothing);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
