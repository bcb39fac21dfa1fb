#include "sut/sut.h"

#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

/* As in sut_test.c: what is run is this program itself with a role as first argument, or a shell. */

enum { MEBIBYTE = 1024 * 1024, FLOOD_BYTES = SUT_OUTPUT_MAX_BYTES + MEBIBYTE };

static void role_flood(char **argv)
{
	static char kib[1024];
	(void)argv;
	memset(kib, 'x', sizeof kib);
	for (size_t done = 0; done < FLOOD_BYTES; done += sizeof kib)
		if (fwrite(kib, sizeof kib, 1, stdout) != 1)
			exit(4);
	fflush(stdout);
	fprintf(stderr, "done\n");
}

#define REPORT "foo.c:1:2: runtime error: load of null pointer"

/* A report behind more than is kept. */
static void role_report(char **argv)
{
	role_flood(argv);
	printf("\n" REPORT "\n");
}

static void role_abort(char **argv)
{
	/* No core file in the working directory of whoever runs the tests. */
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	fprintf(stderr, "%s\n", argv[0]);
	abort();
}

/* The whole environment, the signals that are ignored or blocked, and the open descriptors. */
static void role_state(char **argv)
{
	sigset_t blocked;
	(void)argv;
	for (char **e = environ; *e; e++)
		printf("%s\n", *e);
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	for (int i = 1; i < SIGRTMIN; i++) {
		struct sigaction action;
		if (sigaction(i, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
			printf("signal %d is ignored\n", i);
		if (sigismember(&blocked, i) == 1)
			printf("signal %d is blocked\n", i);
	}
	for (int fd = 0; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("fd %d\n", fd);
	printf("own group: %d\n", getpgrp() == getpid());
}

static const struct {
	const char *name;
	void (*run)(char **argv);
} roles[] = { { "flood", role_flood }, { "report", role_report }, { "abort", role_abort },
	{ "state", role_state } };

static char self[4096], folder[] = "/tmp/run_test.XXXXXX", out_path[64], err_path[64];
static struct sut_host *host;
static struct arena *arena;
static const char *const path_only[] = { "PATH=/usr/bin:/bin", NULL };

static void set_up(void)
{
	struct err err = { 0 };
	unlink(out_path);
	unlink(err_path);
	ck_assert_int_eq(sut_init(&host, &err), RC_OK);
	arena = arena_new();
}

static void tear_down(void)
{
	sut_close(host);
	arena_free(arena);
}

static struct process_spec spec_of(const char *const *argv)
{
	return (struct process_spec){ .name = "tool",
		.argv = argv,
		.env = path_only,
		.out_path = out_path,
		.err_path = err_path,
		.stop_signal = SIGTERM,
		.stop_within_ns = 20 * NS_PER_S };
}

static const struct {
	const char *argv[5]; /* "SELF" stands for this program */
	const char *in;
	struct ready ready;
	int64_t within_ns;
	int exit, signal;
	bool answered, timed_out;
	const char *out, *err, *sanitizer, *why;
} runs[] = {
	{ { "sh", "-c", "echo out; echo err >&2; exit 3" }, NULL, { 0 }, 20 * NS_PER_S, 3, 0, false,
		false, "out\n", "err\n", NULL, "status and both outputs" },
	{ { "SELF", "abort", "oops" }, NULL, { 0 }, 20 * NS_PER_S, -1, SIGABRT, false, false, "",
		"oops\n", NULL, "a signal" },
	{ { "cat" }, "some\ninput", { 0 }, 20 * NS_PER_S, 0, 0, false, false, "some\ninput", "",
		NULL, "standard input" },
	{ { "cat" }, NULL, { 0 }, 20 * NS_PER_S, 0, 0, false, false, "", "", NULL,
		"none is /dev/null, which ends at once" },
	{ { "sleep", "60" }, NULL, { 0 }, 100 * NS_PER_MS, -1, SIGTERM, false, true, "", "", NULL,
		"the time is over" },
	{ { "sh", "-c", "echo up; sleep 60" }, NULL, { READY_OUTPUT, NULL, "^up", 20 * NS_PER_S },
		20 * NS_PER_S, -1, SIGTERM, true, false, "up\n", "", NULL,
		"it starts although it should refuse" },
	{ { "sh", "-c", "echo bad >&2; exit 2" }, NULL,
		{ READY_OUTPUT, NULL, "^up", 20 * NS_PER_S }, 20 * NS_PER_S, 2, 0, false, false, "",
		"bad\n", NULL, "it refuses" },
	{ { "sleep", "60" }, NULL, { READY_OUTPUT, NULL, "^up", 100 * NS_PER_MS }, 20 * NS_PER_S,
		-1, SIGTERM, false, true, "", "", NULL, "neither ready nor ended" },
	{ { "sh", "-c", "(trap '' TERM HUP; setsid sleep 60) & exit 0" }, NULL, { 0 },
		20 * NS_PER_S, 0, 0, false, false, "", "", NULL,
		"it is over with its own end; what it left is killed, not waited for" },
	{ { "SELF", "abort", "==17==ERROR: AddressSanitizer: heap-use-after-free on 0x1" }, NULL,
		{ 0 }, 20 * NS_PER_S, -1, SIGABRT, false, false, "",
		"==17==ERROR: AddressSanitizer: heap-use-after-free on 0x1\n",
		"==17==ERROR: AddressSanitizer: heap-use-after-free on 0x1",
		"a sanitizer's report" },
};

START_TEST(runs_to_the_end)
{
	const char *argv[6] = { 0 };
	for (int i = 0; i < 5 && runs[_i].argv[i]; i++)
		argv[i] = strcmp(runs[_i].argv[i], "SELF") == 0 ? self : runs[_i].argv[i];
	struct process_spec spec = spec_of(argv);
	spec.ready = runs[_i].ready;
	struct err err = { 0 };
	struct process_end end;
	int64_t before_ns = clock_now_ns();
	enum rc rc =
		sut_run(host, &spec, slice_of(runs[_i].in), runs[_i].within_ns, &end, arena, &err);
	const char *why = runs[_i].why;
	ck_assert_msg(rc == RC_OK, "%s: %s", why, err.text);
	ck_assert_msg(clock_now_ns() - before_ns < 10 * NS_PER_S, "%s: too long", why);
	ck_assert_msg(end.exit == runs[_i].exit && end.signal == runs[_i].signal,
		"%s: exit %d, signal %d", why, end.exit, end.signal);
	ck_assert_msg(end.answered == runs[_i].answered, "%s: answered %d", why, end.answered);
	ck_assert_msg(end.timed_out == runs[_i].timed_out, "%s: timed_out %d", why, end.timed_out);
	ck_assert_msg(slice_is(end.out, runs[_i].out), "%s: out %.*s", why, SLICE_PRINT(end.out));
	ck_assert_msg(slice_is(end.err, runs[_i].err), "%s: err %.*s", why, SLICE_PRINT(end.err));
	ck_assert_pstr_eq(end.sanitizer, runs[_i].sanitizer);
	ck_assert(!end.running && end.duration_ns > 0);
}
END_TEST

static const struct {
	const char *program, *cwd, *out, *says, *why;
} refusals[] = {
	{ "/nonexistent/tool", NULL, NULL,
		"/nonexistent/tool cannot be executed: No such file or directory",
		"no such program" },
	{ "no-such-tool-in-path", NULL, NULL, "cannot be executed: No such file", "not in PATH" },
	{ "/dev/null", NULL, NULL, "/dev/null cannot be executed: Permission denied",
		"no program" },
	{ "true", "/nonexistent", NULL, "working directory /nonexistent: No such file or directory",
		"no such directory" },
	{ "true", "/dev/null", NULL, "working directory /dev/null: Not a directory", "a file" },
	{ "true", NULL, "/nonexistent/out", "open: No such file or directory",
		"no place for output" },
};

START_TEST(says_why_it_cannot_run)
{
	const char *argv[] = { refusals[_i].program, NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	spec.cwd = refusals[_i].cwd;
	spec.out_path = refusals[_i].out;
	ck_assert_int_eq(sut_run(host, &spec, slice_of(NULL), 20 * NS_PER_S, &end, arena, &err),
		RC_ENVIRONMENT);
	ck_assert_msg(strstr(err.text, refusals[_i].says), "%s: %s", refusals[_i].why, err.text);
}
END_TEST

START_TEST(gives_a_clean_state)
{
	static const char *const env[] = { "B=2", "A=1", "EMPTY=", NULL };
	const char *argv[] = { self, "state", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	spec.env = env;
	ck_assert_int_eq(
		sut_run(host, &spec, slice_of(NULL), 20 * NS_PER_S, &end, arena, &err), RC_OK);
	ck_assert_msg(slice_is(end.out, "B=2\nA=1\nEMPTY=\nfd 0\nfd 1\nfd 2\nown group: 1\n"),
		"%.*s", SLICE_PRINT(end.out));
}
END_TEST

START_TEST(runs_where_it_is_told)
{
	const char *argv[] = { "pwd", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	spec.cwd = "/usr/bin";
	ck_assert_int_eq(
		sut_run(host, &spec, slice_of(NULL), 20 * NS_PER_S, &end, arena, &err), RC_OK);
	ck_assert(slice_is(end.out, "/usr/bin\n"));
}
END_TEST

START_TEST(caps_the_output)
{
	const char *argv[] = { self, "flood", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	struct stat status;
	ck_assert_int_eq(
		sut_run(host, &spec, slice_of(NULL), 60 * NS_PER_S, &end, arena, &err), RC_OK);
	ck_assert_int_eq(end.exit, 0);
	ck_assert(slice_is(end.err, "done\n"));
	ck_assert_int_eq(stat(out_path, &status), 0);
	ck_assert_uint_eq((size_t)status.st_size, SUT_OUTPUT_MAX_BYTES);
	ck_assert_uint_eq(end.out.len, MEBIBYTE);
	ck_assert_uint_eq(end.out_bytes, FLOOD_BYTES);
	ck_assert_uint_eq(end.err_bytes, strlen("done\n"));
	ck_assert_str_eq(
		end.dropped, "stdout: 1048576 more bytes were dropped: expected at most 16777216");
	/* Nothing but what the program wrote: it is judged. */
	for (size_t i = 0; i < end.out.len; i++)
		ck_assert_int_eq(end.out.ptr[i], 'x');
}
END_TEST

START_TEST(outlives_a_full_disk)
{
	const char *argv[] = { self, "flood", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	/* Every write to it is ENOSPC: full(4). */
	spec.out_path = "/dev/full";
	ck_assert_int_eq(
		sut_run(host, &spec, slice_of(NULL), 60 * NS_PER_S, &end, arena, &err), RC_OK);
	ck_assert_int_eq(end.exit, 0);
	ck_assert(slice_is(end.err, "done\n"));
	ck_assert_uint_eq(end.out.len, 0);
	ck_assert_uint_eq(end.out_bytes, FLOOD_BYTES);
	ck_assert_str_eq(
		end.dropped, "stdout: 17825792 more bytes were dropped: No space left on device");
}
END_TEST

/* Neither a flood before it nor a full disk hides a report. */
START_TEST(a_report_that_was_dropped)
{
	const char *argv[] = { self, "report", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	if (_i)
		spec.out_path = "/dev/full";
	ck_assert_int_eq(
		sut_run(host, &spec, slice_of(NULL), 60 * NS_PER_S, &end, arena, &err), RC_OK);
	ck_assert_str_eq(end.sanitizer, REPORT);
}
END_TEST

/* A program that kills its keeper is killed with it, and nobody waits for the keeper to say so. */
START_TEST(loses_its_keeper)
{
	const char *argv[] = { "sh", "-c", "kill -9 $PPID; exec sleep 60", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	int64_t start_ns = clock_now_ns();
	enum rc rc = sut_run(host, &spec, slice_of(NULL), 60 * NS_PER_S, &end, arena, &err);
	/* It may be quicker than the keeper's word that it was started. */
	if (rc == RC_OK) {
		ck_assert_int_eq(end.signal, SIGKILL);
		ck_assert(!end.timed_out);
	} else {
		ck_assert_str_eq(err.text,
			"its keeper process ended or does not answer, so it was not started");
	}
	ck_assert_int_lt(clock_now_ns() - start_ns, 5 * NS_PER_S);
}
END_TEST

/* Readable from the start: a run, and a start that waits to be ready, end what they began. */
START_TEST(ends_at_an_interrupt)
{
	const char *argv[] = { "sleep", "60", NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	struct sut *sut;
	int ends[2];
	int64_t start_ns = clock_now_ns();
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(write(ends[1], "x", 1), 1);
	sut_interrupt(host, ends[0]);
	ck_assert_int_eq(sut_run(host, &spec, slice_of(NULL), 60 * NS_PER_S, &end, arena, &err),
		RC_ENVIRONMENT);
	ck_assert_str_eq(err.text, "interrupted before it ended");
	ck_assert_int_eq(end.signal, SIGTERM);
	spec.ready = (struct ready){ READY_OUTPUT, NULL, "^never", 60 * NS_PER_S };
	ck_assert_int_eq(sut_start(host, &spec, 1, &sut, NULL, &err), RC_ENVIRONMENT);
	ck_assert_str_eq(err.text, "interrupted before it was ready");
	ck_assert_int_lt(clock_now_ns() - start_ns, 10 * NS_PER_S);
	close(ends[0]);
	close(ends[1]);
}
END_TEST

START_TEST(takes_large_arguments_and_keeps_output_in_memory)
{
	enum { LENGTH = 100 * 1000 };
	char *long_text = mem_alloc(LENGTH + 1, 1);
	memset(long_text, 'a', LENGTH);
	const char *argv[] = { "sh", "-c", "echo ${#0} ${#1} ${#2} ${#3}", long_text, long_text,
		long_text, long_text, NULL };
	struct process_spec spec = spec_of(argv);
	struct err err = { 0 };
	struct process_end end;
	spec.out_path = spec.err_path = NULL;
	ck_assert_int_eq(
		sut_run(host, &spec, slice_of(NULL), 20 * NS_PER_S, &end, arena, &err), RC_OK);
	ck_assert(slice_is(end.out, "100000 100000 100000 100000\n"));
	free(long_text);
}
END_TEST

static int find_self(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0 || !mkdtemp(folder))
		return 0;
	snprintf(out_path, sizeof out_path, "%s/out", folder);
	snprintf(err_path, sizeof err_path, "%s/err", folder);
	return 1;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof roles / sizeof *roles; i++)
		if (strcmp(argv[1], roles[i].name) == 0) {
			roles[i].run(argv + 2);
			return 0;
		}
	if (!find_self())
		return 1;
	Suite *suite = suite_create("run");
	TCase *tests = tcase_create("run");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, runs_to_the_end, 0, sizeof runs / sizeof *runs);
	tcase_add_loop_test(tests, says_why_it_cannot_run, 0, sizeof refusals / sizeof *refusals);
	tcase_add_test(tests, gives_a_clean_state);
	tcase_add_test(tests, runs_where_it_is_told);
	tcase_add_test(tests, caps_the_output);
	tcase_add_test(tests, outlives_a_full_disk);
	tcase_add_loop_test(tests, a_report_that_was_dropped, 0, 2);
	tcase_add_test(tests, loses_its_keeper);
	tcase_add_test(tests, ends_at_an_interrupt);
	tcase_add_test(tests, takes_large_arguments_and_keeps_output_in_memory);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	unlink(out_path);
	unlink(err_path);
	rmdir(folder);
	return failed ? 1 : 0;
}
