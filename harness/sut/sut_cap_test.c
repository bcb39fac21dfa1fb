#include "sut/sut.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sut/cap.h"
#include "sut/memory_testing.h"

/* A SUT is this very program with a word as first argument, as in sut_test.c. */

#define MIB  ((size_t)1024 * 1024)
#define FULL "killed by the kernel: its memory cap of 32 MiB was full"

static char self[4096];

static void role(const char *name)
{
	sigset_t awaited;
	int got;
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGUSR1);
	sigprocmask(SIG_BLOCK, &awaited, NULL);
	if (strcmp(name, "early") != 0)
		puts("up");
	fflush(stdout);
	/* Those that do not become ready otherwise are told when they were seen to be. */
	if (strcmp(name, "early") != 0 && strcmp(name, "little") != 0)
		sigwait(&awaited, &got);
	if (strcmp(name, "little") == 0)
		memory_take(8 * MIB);
	if (strcmp(name, "much") == 0 || strcmp(name, "early") == 0)
		memory_take(64 * MIB);
	if (strcmp(name, "crash") == 0)
		raise(SIGKILL);
	if (strcmp(name, "worker") == 0 && fork() == 0)
		memory_take(64 * MIB);
	puts("done");
	fflush(stdout);
	pause();
}

struct world {
	struct sut_host *host;
	struct arena *arena;
	struct err err;
};

static void open_world(struct world *w)
{
	*w = (struct world){ .arena = arena_new() };
	ck_assert(sut_init(&w->host, &w->err) == RC_OK);
}

static void close_world(struct world *w)
{
	sut_close(w->host);
	arena_free(w->arena);
}

static enum rc start(struct world *w, const char *name, const char *awaited, struct sut **sut)
{
	const char *argv[] = { self, name, NULL };
	const char *env[] = { NULL };
	struct process_spec spec = {
		.name = "sut",
		.argv = argv,
		.env = env,
		.ready = { READY_OUTPUT, .pattern = awaited, .within_ns = 20 * NS_PER_S },
		.stop_signal = SIGTERM,
		.stop_within_ns = 5 * NS_PER_S,
		.memory_max_bytes = 32 * MIB,
	};
	return sut_start(w->host, &spec, 1, sut, NULL, &w->err);
}

/* Ends with the test where no group can be made: there is nothing to see then. */
static bool possible(void)
{
	struct cap cap;
	char why[1024];
	if (cap_open(&cap, MIB)) {
		cap_close(&cap);
		return true;
	}
	cap_why(&cap, errno, why, sizeof why);
	printf("%s: skipped\n", why);
	return false;
}

/* The name of the group that a process is in: others may have theirs at the same time. */
static void name_group(int pid, char *name, size_t size)
{
	char path[64], text[4096];
	snprintf(path, sizeof path, "/proc/%d/cgroup", pid);
	FILE *file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	const char *found = strstr(text, "/onus-");
	ck_assert_ptr_nonnull(found);
	snprintf(name, size, "%.*s", (int)strcspn(found, "\n"), found);
}

static bool is_there(const char *name)
{
	struct cap_place place;
	struct stat status;
	char path[1024];
	for (bool have = cap_place_read("", &place); have; have = cap_place_up(&place)) {
		snprintf(path, sizeof path, "%s%s", place.folder, name);
		if (stat(path, &status) == 0)
			return true;
	}
	return false;
}

static bool goes(const char *name)
{
	int64_t until_ns = clock_now_ns() + 20 * NS_PER_S;
	while (is_there(name) && clock_now_ns() < until_ns)
		usleep(1000);
	return !is_there(name);
}

static const struct {
	const char *name, *found, *why;
	bool oom;
} ends[] = {
	{ "little", NULL, "below its cap", false },
	{ "much", FULL, "itself above", true },
	{ "worker", FULL, "a worker of it", true },
	{ "crash", "ended by signal 9 (Killed)", "killed by somebody else", false },
};

START_TEST(how_it_ended)
{
	struct world w;
	struct sut *sut;
	struct process_end end;
	struct cap_usage usage;
	char group[256];
	if (!possible())
		return;
	open_world(&w);
	ck_assert_msg(start(&w, ends[_i].name, ends[_i].found ? "up" : "done", &sut) == RC_OK, "%s",
		w.err.text);
	ck_assert(sut_memory(sut, &usage));
	if (!ends[_i].found)
		name_group(sut_pid(sut), group, sizeof group);
	if (ends[_i].found)
		ck_assert_int_eq(kill(sut_pid(sut), SIGUSR1), 0);
	int64_t until_ns = clock_now_ns() + 20 * NS_PER_S;
	while (ends[_i].found && sut_alive(sut, NULL, NULL, w.arena) && clock_now_ns() < until_ns)
		usleep(1000);
	ck_assert_int_eq(sut_alive(sut, &end, NULL, w.arena), !ends[_i].found);
	ck_assert(sut_memory(sut, &usage));
	ck_assert_uint_le(usage.peak_bytes, 32 * MIB);
	if (ends[_i].found)
		ck_assert_str_eq(process_end_words(&end, w.arena), ends[_i].found);
	else
		ck_assert_uint_ge(usage.peak_bytes, 8 * MIB);
	sut_stop(sut, &end, w.arena);
	ck_assert_msg(end.oom == ends[_i].oom, "%s", ends[_i].why);
	ck_assert_uint_eq(end.memory_max_bytes, 32 * MIB);
	ck_assert_uint_gt(end.memory_peak_bytes, 0);
	ck_assert(ends[_i].found || !is_there(group));
	close_world(&w);
}
END_TEST

START_TEST(full_before_it_was_ready)
{
	struct world w;
	struct sut *sut;
	if (!possible())
		return;
	open_world(&w);
	ck_assert_int_eq(start(&w, "early", "done", &sut), RC_ENVIRONMENT);
	ck_assert_msg(strstr(w.err.text, "it was " FULL), "%s", w.err.text);
	close_world(&w);
}
END_TEST

/* An onus that is killed: its keeper removes the group, or its nursery where that was quicker. */
START_TEST(onus_is_killed)
{
	int told[2];
	int pid;
	char group[256];
	if (!possible())
		return;
	ck_assert_int_eq(pipe2(told, O_CLOEXEC), 0);
	pid_t onus = fork();
	if (onus == 0) {
		struct world w;
		struct sut *sut;
		open_world(&w);
		if (start(&w, "little", "done", &sut) != RC_OK)
			_exit(1);
		pid = sut_pid(sut);
		if (write(told[1], &pid, sizeof pid) != sizeof pid)
			_exit(1);
		pause();
	}
	ck_assert_int_eq(read(told[0], &pid, sizeof pid), sizeof pid);
	name_group(pid, group, sizeof group);
	ck_assert(is_there(group));
	ck_assert_int_eq(kill(onus, SIGKILL), 0);
	ck_assert_int_eq(waitpid(onus, NULL, 0), onus);
	ck_assert(goes(group));
	close(told[0]);
	close(told[1]);
}
END_TEST

/* A keeper that is killed leaves its group to the nursery. */
START_TEST(a_keeper_is_killed)
{
	struct world w;
	struct sut *sut;
	char path[64], text[4096], group[256];
	if (!possible())
		return;
	open_world(&w);
	ck_assert_msg(start(&w, "little", "done", &sut) == RC_OK, "%s", w.err.text);
	name_group(sut_pid(sut), group, sizeof group);
	snprintf(path, sizeof path, "/proc/%d/stat", sut_pid(sut));
	FILE *file = fopen(path, "re");
	ck_assert_ptr_nonnull(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	int keeper = (int)strtol(strrchr(text, ')') + 4, NULL, 10);
	ck_assert_int_eq(kill(keeper, SIGKILL), 0);
	sut_stop(sut, NULL, w.arena);
	ck_assert(goes(group));
	close_world(&w);
}
END_TEST

int main(int argc, char **argv)
{
	if (argc > 1) {
		role(argv[1]);
		return 0;
	}
	if (!realpath("/proc/self/exe", self))
		return EXIT_FAILURE;
	TCase *tests = tcase_create("sut_cap");
	tcase_add_loop_test(tests, how_it_ended, 0, sizeof ends / sizeof *ends);
	tcase_add_test(tests, full_before_it_was_ready);
	tcase_add_test(tests, onus_is_killed);
	tcase_add_test(tests, a_keeper_is_killed);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("sut/sut_cap");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
