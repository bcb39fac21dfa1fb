/*
 * drive_testing: what the tests of this folder share: a run with a folder of its own against a tiny server in this
 * process, cases from text, and main(). For tests alone.
 */
#ifndef DRIVE_DRIVE_TESTING_H
#define DRIVE_DRIVE_TESTING_H

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "case/load.h"
#include "drive/files.h"
#include "drive/run.h"
#include "http/server_testing.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

struct bench {
	struct arena *arena;
	struct server server;
	struct target target;
	struct suite *suite;
	struct run run;
	atomic_int stop;
	char dir[64];
};

static inline struct case_file *bench_load(struct bench *b, const char *text, const char *id)
{
	char path[64];
	struct errors errors = { 0 };
	struct case_file *one;
	int fd = memfd_create("case", MFD_CLOEXEC);
	ck_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	enum rc rc = case_load(path, b->suite, &one, &errors);
	ck_assert_msg(rc == RC_OK, "%s: %s", text, errors.count ? errors.list[0].text : "not read");
	errors_release(&errors);
	close(fd);
	one->id = arena_text(one->arena, id);
	return one;
}

/* scenarios NULL: nothing listens. With a server the cases speak to it as to a --target. */
static inline void bench_open(struct bench *b, const struct scenario *scenarios, size_t count)
{
	struct err err = { 0 };
	struct errors errors = { 0 };
	*b = (struct bench){ .arena = arena_new() };
	/* What starts processes forks, and so comes before the server's threads. */
	ck_assert_msg(sut_init(&b->run.host, &err) == RC_OK, "%s", err.text);
	ck_assert_msg(http_init(&err) == RC_OK, "%s", err.text);
	ck_assert(suite_load(NULL, &b->suite, &errors) == RC_OK);
	snprintf(b->dir, sizeof b->dir, "/tmp/drive_test.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(b->dir));
	b->run.suite = b->suite;
	b->run.seed = 42;
	b->run.run_dir = b->dir;
	b->run.from = "";
	b->run.workers = 1;
	b->run.again = "";
	b->run.stop = &b->stop;
	b->run.stop_fd = eventfd(0, EFD_CLOEXEC);
	if (scenarios) {
		server_start(&b->server, scenarios, count);
		b->target = (struct target){
			.scheme = "http", .host = "127.0.0.1", .port = b->server.port
		};
		b->run.target = &b->target;
	}
}

/* Puts a suite in the place of the empty one. */
static inline void bench_suite(struct bench *b, const char *text)
{
	char path[64];
	struct errors errors = { 0 };
	int fd = memfd_create("suite", MFD_CLOEXEC);
	ck_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	suite_free(b->suite);
	enum rc rc = suite_load(path, &b->suite, &errors);
	ck_assert_msg(rc == RC_OK, "%s: %s", text, errors.count ? errors.list[0].text : "not read");
	errors_release(&errors);
	close(fd);
	b->run.suite = b->suite;
}

/* "passed 2/3/1": outcome, checks, requests, cells; then "; POINTER what" a finding, "; !KIND text" a problem. */
static inline const char *bench_summary(struct bench *b, const struct case_result *r)
{
	const char *text = arena_print(b->arena, "%s %zu/%zu/%zu", outcome_word(r->outcome),
		r->checks, r->requests, r->cells);
	for (size_t i = 0; i < r->finding_count; i++)
		text = arena_print(b->arena, "%s; %s %s", text, r->findings[i].place.pointer,
			r->findings[i].what);
	for (size_t i = 0; i < r->problem_count; i++)
		text = arena_print(b->arena, "%s; !%s %s", text, problem_word(r->problems[i].kind),
			r->problems[i].text);
	return text;
}

static inline void bench_close(struct bench *b)
{
	if (b->run.target)
		server_stop(&b->server);
	sut_close(b->run.host);
	close(b->run.stop_fd);
	suite_free(b->suite);
	files_remove(b->dir);
	arena_free(b->arena);
}

static inline void ignore_job(void *self, const struct job *job)
{
	(void)self;
	(void)job;
}

/* Runs one case; the job's arena is the caller's, and so is the case. */
static inline void bench_run(struct bench *b, struct case_file *one, struct job *job)
{
	*job = (struct job){ .one = one };
	run_jobs(&b->run, job, 1, ignore_job, NULL);
}

static inline int run_tests(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
