#include <signal.h>

#include "drive/drive_testing.h"
#include "drive/steps.h"

#define OK      "HTTP/1.1 200 OK\r\n"
#define TEXT(t) t, sizeof(t) - 1

static const struct scenario scenarios[] = {
	{ "/", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 0, 0, NULL },
	{ "/json",
		TEXT(OK "Content-Length: 54\r\n\r\n"
			"{\"token\":\"hush\",\"list\":[{\"id\":7},{\"id\":8}],\"x\":\"${y}\"}"),
		AFTER_KEEP, 0, 0, NULL },
	{ "/hush", TEXT("HTTP/1.1 404 hush\r\nX: hush\r\nContent-Length: 4\r\n\r\nhush"),
		AFTER_KEEP, 0, 0, NULL },
	{ "/long",
		TEXT("HTTP/1.1 200 OK\r\nContent-Length: 61\r\n\r\n"
		     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"),
		AFTER_KEEP, 0, 0, NULL },
	{ "/gone", TEXT(""), AFTER_CLOSE, 0, 0, NULL },
	{ "/7", TEXT(OK "Content-Length: 0\r\n\r\n"), AFTER_KEEP, 0, 0, NULL },
	{ "/8", TEXT(OK "Content-Length: 0\r\n\r\n"), AFTER_KEEP, 0, 0, NULL },
	{ "/hold", TEXT(""), AFTER_HOLD, 0, 0, NULL },
	{ "/slow", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 20, 60, NULL },
};

#define T "{\"title\": \"t\", "
/* A command that holds from its third run on. */
#define THIRD "\"exec\": [\"sh\", \"-c\", \"echo >> tries; test $(wc -l < tries) -ge 3\"]"

static const struct {
	const char *text, *summary, *why;
} runs[] = {
	{ T "\"steps\": [{\"get\": \"/\", \"expect\": {\"body\": \"hello\"}}]}", "passed 1/1/1",
		"a check" },
	{ T "\"steps\": [\"/\"]}", "error 0/1/1; !floor no check was made: this case cannot fail",
		"no check" },
	{ T "\"steps\": [{\"get\": \"/\", \"expect\": {\"body\": \"other\"}}]}",
		"failed 1/1/1; /steps/0/expect/body body", "a finding" },
	{ T "\"steps\": [\"/hush\", {\"get\": \"/\", \"expect\": {\"status\": 200}}]}",
		"failed 1/2/1; /steps/0/expect/status status", "2xx is implied; the rest runs" },
	{ T "\"steps\": [{\"get\": \"/gone\", \"name\": \"x\"}, \"/${x.status}\"]}",
		"failed 0/1/1; /steps/0 answer", "later steps lack what did not come" },
	{ T "\"steps\": [{\"group\": [{\"get\": \"/gone\", \"name\": \"x\"}, \"/${x.status}\"]},"
	    " {\"get\": \"/\", \"expect\": {\"status\": 200}}]}",
		"failed 1/2/1; /steps/0/group/0 answer", "only those of its list" },
	{ T "\"steps\": [{\"get\": \"/json\", \"capture\": {\"id\": {\"json\": \"/list/0/id\"}}},"
	    " {\"get\": \"/${id}\", \"expect\": {\"status\": 200}}]}",
		"passed 1/2/1", "a capture" },
	{ T "\"steps\": [{\"get\": \"/json\", \"capture\": {\"id\": {\"json\": \"/list\","
	    " \"where\": {\"/id\": {\"number\": \"> 7\"}}, \"at\": \"/id\"}}},"
	    " {\"get\": \"/${id}\", \"expect\": {\"status\": 200}}]}",
		"passed 1/2/1", "the one item that matches" },
	{ T "\"steps\": [{\"get\": \"/json\", \"capture\": {\"id\": {\"json\": \"/list\","
	    " \"where\": {\"/id\": {\"exists\": true}}, \"at\": \"/id\"}}}, \"/${id}\"]}",
		"error 0/1/1; !environment capture id: expected exactly one item that matches "
		"`where`, found 2 of 2",
		"two items" },
	{ T "\"steps\": [{\"get\": \"/long\", \"capture\": {\"x\": {\"body\": true, \"matches\":"
	    " \"^((?:a|aa)+)$\"}}, \"expect\": {\"status\": 200}}]}",
		"error 1/1/1; !usage capture x: expected a pattern that can be tried, found: match limit "
		"exceeded",
		"a pattern that takes too long is the case's fault" },
	{ T "\"steps\": [{\"get\": \"/long\", \"expect\": {\"body\": {\"matches\": \"^((?:a|aa)+)$\"}}}]}",
		"error 1/1/1; /steps/0/expect/body body; !usage expected a pattern that can be tried, found: match limit exceeded",
		"in an expectation, too" },
	{ T "\"steps\": [{\"get\": \"/json\", \"capture\": {\"x\": {\"json\": \"/x\"}}},"
	    " {\"get\": \"/\", \"headers\": {\"X\": \"${x}\"}, \"expect\": {\"status\": 200}}]}",
		"passed 1/2/1", "received text is never scanned" },
	{ T "\"steps\": [{\"get\": \"/json\", \"capture\": {\"list\": {\"json\": \"/list\"}}},"
	    " {\"get\": \"/${one.id}\", \"matrix\": {\"one\": \"${list}\"},"
	    " \"expect\": {\"status\": 200}}]}",
		"passed 2/3/2", "a matrix over what was received" },
	{ T "\"steps\": [{\"get\": \"/\", \"matrix\": {\"a\": [1, 2]}, \"expect\": {\"status\": 200}},"
	    " {\"matrix\": {\"b\": [1, 2]}, \"group\": [{\"get\": \"/\", \"matrix\": {\"c\": [1, 2,"
	    " 3]}, \"expect\": {\"status\": 200}}]}]}",
		"passed 8/8/8", "cells: 2, and 2 times 3" },
	{ T "\"matrix\": {\"m\": [1, 2]}, \"steps\": [{\"get\": \"/\", \"expect\": {\"status\": "
	    "200}}]}",
		"passed 2/2/2", "cells of the case" },
	{ T "\"steps\": [{\"get\": \"/\", \"repeat\": 3, \"name\": \"x\", \"expect\": {\"status\": "
	    "200}},"
	    " {\"get\": \"/\", \"expect\": {\"body\": {\"same_as\": \"x\"}}}]}",
		"passed 4/4/1", "repeat, and the last one's name" },
	{ T "\"steps\": [{\"get\": \"/hush\", \"repeat\": 3, \"expect\": {\"status\": 200}}]}",
		"failed 1/1/1; /steps/0/expect/status status", "no more after a finding" },
	{ T "\"variables\": {\"n\": 0}, \"steps\": [{\"get\": \"/\", \"repeat\": \"${n}\"}]}",
		"error 0/0/1; !usage repeat: expected at least 1, found 0", "none at all" },
	{ T "\"steps\": [{" THIRD ", \"retry\": \"20s\", \"expect\": {\"exit\": 0}}]}",
		"passed 1/0/1", "only the last try counts" },
	{ T "\"steps\": [{\"group\": [{" THIRD ", \"expect\": {\"exit\": 0}},"
	    " {\"get\": \"/\", \"name\": \"x\", \"expect\": {\"status\": 200}}], \"retry\": \"20s\"}]}",
		"passed 2/1/1", "a group as a whole" },
	{ T "\"steps\": [{\"exec\": [\"false\"], \"retry\": \"30ms\"}]}",
		"failed 0/0/1; /steps/0/expect/exit exit", "until its time is over" },
	{ T "\"steps\": [{\"get\": \"/hold\", \"within\": \"40ms\"}]}",
		"failed 0/1/1; /steps/0/within answer", "outlasting within is a finding" },
	{ T "\"steps\": [{\"exec\": [\"sleep\", \"30\"], \"within\": \"40ms\"}]}",
		"failed 0/0/1; /steps/0/within within", "of a command, too" },
	{ T "\"steps\": [{\"within\": \"50ms\", \"group\": [{\"pause\": \"9s\", \"why\": \"w\"},"
	    " \"/\", \"/\"]}, {\"get\": \"/\", \"expect\": {\"status\": 200}}]}",
		"failed 1/1/1; /steps/0/within within",
		"a group's time is its steps' together: none is begun after it" },
	{ T "\"steps\": [{\"get\": \"/json\", \"name\": \"p\", \"expect\": {\"status\": 200}},"
	    " {\"get\": \"/\", \"expect\": [{\"when\": {\"p.status\": 500}, \"status\": 200}]}]}",
		"error 1/2/1; !floor no `when` matches this cell, so that nothing is expected of it",
		"a `when` that only a run can tell" },
	{ T "\"steps\": [{\"get\": \"/json\", \"name\": \"p\"}, {\"get\": \"/\", \"expect\":"
	    " [{\"when\": {\"p.status\": 500}, \"status\": 404}, {\"when\": \"otherwise\","
	    " \"status\": 200}]}]}",
		"passed 1/2/1", "otherwise" },
	{ T "\"floor\": {\"requests\": 2, \"cells\": 2}, \"steps\": [{\"get\": \"/\", \"expect\":"
	    " {\"status\": 200}}]}",
		"error 1/1/1; !floor expected at least 2 cells, found 1; !floor expected at least 2 "
		"requests, found 1",
		"floors" },
	{ T "\"must_fail\": [\"/steps/0/expect/status\"], \"steps\": [{\"get\": \"/\", \"expect\":"
	    " {\"status\": 404}}]}",
		"passed 1/1/1", "a self-test" },
	{ T "\"must_fail\": [\"/steps/0/expect/status\"], \"steps\": [{\"get\": \"/\", \"expect\":"
	    " {\"status\": 200}}]}",
		"failed 1/1/1; /steps/0/expect/status /steps/0/expect/status", "it did not fail" },
	{ T "\"must_fail\": [\"/steps/0/expect/status\"], \"steps\": [{\"get\": \"/\", \"expect\":"
	    " {\"status\": 404, \"body\": \"\"}}]}",
		"failed 2/1/1; /steps/0/expect/body body", "it failed in another way, too" },
	{ T "\"steps\": [{\"raw\": [\"GET / HTTP/1.1\", \"Host: x\", \"\"], \"expect\": {\"body\":"
	    " \"hello\"}}]}",
		"passed 1/1/1", "raw" },
	{ T "\"variables\": {\"v\": {}}, \"steps\": [{\"raw\": [\"GET / HTTP/1.1\", \"${v}\"]}]}",
		"error 0/0/1; !usage raw: expected one of pause, text, hex, close and reset",
		"an item that is nothing" },
	{ T "\"requires\": [{\"command\": \"onus-no-such\"}], \"steps\": [\"/\"]}", "skipped 0/0/0",
		"what it needs is not there" },
	{ T "\"sut\": {\"env\": {}}, \"steps\": [\"/\"]}", "skipped 0/0/0",
		"it sets up a SUT, and this one runs already" },
	{ T "\"steps\": [{\"exec\": [\"sh\", \"-c\", \"test \\\"$A\\\" = 1 -a -z \\\"$ONUS_X\\\"\"],"
	    " \"env\": {\"A\": 1}, \"expect\": {\"exit\": 0}}]}",
		"passed 1/0/1", "a command's environment is what the case says" },
	{ T "\"steps\": [{\"exec\": [\"cat\"], \"input\": \"seed ${seed}\", \"expect\": {\"stdout\":"
	    " \"seed 0x2a\"}}]}",
		"passed 1/0/1", "a command's input" },
	{ T "\"steps\": [{\"exec\": [\"sh\", \"-c\", \"test ${sut.port} -gt 0; echo ${sut.url}\"],"
	    " \"expect\": {\"stdout\": {\"matches\": \"^http://127\"}}}]}",
		"passed 1/0/1", "a command speaks to the SUT" },
};

START_TEST(runs_and_sums_up)
{
	struct bench b;
	struct job job;
	bench_open(&b, scenarios, COUNT(scenarios));
	setenv("ONUS_X", "seen", 1);
	ck_assert_int_eq(chdir(b.dir), 0);
	struct case_file *one = bench_load(&b, runs[_i].text, "x");
	bench_run(&b, one, &job);
	const char *text = bench_summary(&b, &job.result);
	ck_assert_msg(strcmp(text, runs[_i].summary) == 0, "%s: %s", runs[_i].why, text);
	bool bad = job.result.outcome == OUTCOME_FAILED || job.result.outcome == OUTCOME_ERROR;
	ck_assert_int_eq(job.result.run_dir != NULL, bad);
	arena_free(job.arena);
	case_free(one);
	bench_close(&b);
}
END_TEST

/* A secret is nowhere: not in findings, not in saved exchanges. */
START_TEST(secrets_are_masked)
{
	struct bench b;
	struct job job;
	char saved[8192] = "";
	bench_open(&b, scenarios, COUNT(scenarios));
	struct case_file *one = bench_load(&b,
		T
		"\"steps\": [{\"get\": \"/json\", \"capture\": {\"t\": {\"json\": \"/token\","
		" \"secret\": true}}}, {\"get\": \"/hush\", \"headers\": {\"A\": \"Bearer ${t}\"},"
		" \"expect\": {\"headers\": {\"X\": \"${t}!\"}}}]}",
		"x");
	bench_run(&b, one, &job);
	ck_assert_int_eq(job.result.outcome, OUTCOME_FAILED);
	ck_assert_uint_eq(job.result.finding_count, 2);
	for (size_t i = 0; i < job.result.finding_count; i++) {
		const struct finding *f = &job.result.findings[i];
		const char *const texts[] = { f->request, f->details, f->what, f->expected,
			f->found, f->again };
		for (int t = 0; t < COUNT(texts); t++)
			ck_assert_msg(!strstr(texts[t], "hush"), "%s", texts[t]);
		FILE *file = fopen(f->exchange, "re");
		ck_assert_ptr_nonnull(file);
		ck_assert_uint_gt(fread(saved, 1, sizeof saved - 1, file), 100);
		fclose(file);
		ck_assert_msg(!strstr(saved, "hush"), "%s", saved);
	}
	ck_assert_str_eq(job.result.findings[0].request, "GET /****");
	ck_assert_str_eq(job.result.findings[0].details, "A: Bearer ****");
	arena_free(job.arena);
	case_free(one);
	bench_close(&b);
}
END_TEST

/* Two cases whose ids look the same without slashes, and what another run left, never meet. */
START_TEST(folders_never_meet)
{
	struct bench b;
	struct job jobs[2];
	bench_open(&b, NULL, 0);
	static const char FAILS[] = T "\"steps\": [{\"exec\": [\"false\"]}]}";
	struct case_file *first = bench_load(&b, FAILS, "a/b"),
			 *second = bench_load(&b, FAILS, "a-b");
	bench_run(&b, first, &jobs[0]);
	bench_run(&b, second, &jobs[1]);
	ck_assert_str_eq(jobs[0].result.run_dir, arena_print(b.arena, "%s/a-b", b.dir));
	ck_assert_str_eq(jobs[1].result.run_dir, arena_print(b.arena, "%s/a-b-2", b.dir));
	for (int i = 0; i < 2; i++)
		arena_free(jobs[i].arena);
	case_free(first);
	case_free(second);
	bench_close(&b);
}
END_TEST

struct later {
	struct bench *b;
	int64_t at_ns;
};

/* What a signal's handler does, as soon as the case waits for its answer. */
static void *interrupt(void *self)
{
	struct later *later = self;
	const uint64_t one = 1;
	while (!later->b->server.open)
		usleep(1000);
	later->b->stop = SIGINT;
	later->at_ns = clock_now_ns();
	ck_assert(write(later->b->run.stop_fd, &one, sizeof one) == sizeof one);
	return NULL;
}

static const struct {
	const char *text, *why;
} waits[] = {
	{ T "\"steps\": [{\"get\": \"/hold\", \"within\": \"60s\"}, \"/\"]}", "a request" },
	{ T "\"steps\": [{\"group\": [\"/\", {\"pause\": \"60s\", \"why\": \"w\"}, \"/\"],"
	    " \"matrix\": {\"a\": [1, 2, 3]}}]}",
		"a pause, in one of several cells" },
	{ T "\"matrix\": {\"a\": [1, 2, 3]}, \"steps\": [{\"raw\": [{\"pause\": \"60s\"}],"
	    " \"within\": \"70s\"}]}",
		"raw, in one of several cells of the case" },
	{ T "\"steps\": [\"/\", {\"exec\": [\"false\"], \"retry\": \"60s\"}]}", "tries" },
	{ T "\"steps\": [{\"get\": \"/hold\", \"within\": \"50s\", \"retry\": \"60s\"}]}",
		"one try" },
	{ T "\"steps\": [{\"group\": [{\"get\": \"/hold\", \"within\": \"50s\"}], \"retry\": \"60s\"}]}",
		"one try of a group" },
};

START_TEST(ends_at_once)
{
	struct bench b;
	struct job job;
	pthread_t thread;
	bench_open(&b, scenarios, COUNT(scenarios));
	struct later later = { &b, 0 };
	struct case_file *one = bench_load(&b, waits[_i].text, "x");
	ck_assert_int_eq(pthread_create(&thread, NULL, interrupt, &later), 0);
	bench_run(&b, one, &job);
	pthread_join(thread, NULL);
	const char *text = bench_summary(&b, &job.result);
	ck_assert_msg(job.result.outcome == OUTCOME_ERROR && job.result.finding_count == 0 &&
			      job.result.problem_count == 1,
		"%s: %s", waits[_i].why, text);
	ck_assert_str_eq(job.result.problems[0].text, "interrupted");
	ck_assert_int_eq(job.result.problems[0].kind, PROBLEM_ENVIRONMENT);
	ck_assert_msg(clock_now_ns() - later.at_ns < 10 * NS_PER_S, "%s", waits[_i].why);
	arena_free(job.arena);
	case_free(one);
	bench_close(&b);
}
END_TEST

/* ${unique} starts otherwise in each case, and is told from run to run by the seed. */
START_TEST(unique_to_the_case)
{
	struct bench b;
	struct job jobs[3];
	static const char SAYS[] = T
		"\"steps\": [{\"exec\": [\"echo\", \"${unique}\"], \"expect\": {\"stdout\": \"\"}}]}";
	bench_open(&b, NULL, 0);
	struct case_file *first = bench_load(&b, SAYS, "a"), *second = bench_load(&b, SAYS, "b");
	bench_run(&b, first, &jobs[0]);
	bench_run(&b, second, &jobs[1]);
	b.run.seed++;
	bench_run(&b, first, &jobs[2]);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(jobs[i].result.finding_count, 1);
	ck_assert_str_ne(jobs[0].result.findings[0].found, jobs[1].result.findings[0].found);
	ck_assert_str_ne(jobs[0].result.findings[0].found, jobs[2].result.findings[0].found);
	for (int i = 0; i < 3; i++)
		arena_free(jobs[i].arena);
	case_free(first);
	case_free(second);
	bench_close(&b);
}
END_TEST

START_TEST(every_verb_has_its_function)
{
	for (int verb = 0; verb < VERB_COUNT; verb++)
		ck_assert_msg(
			(steps_find((enum verb)verb) != NULL) == (verb != VERB_GROUP), "%d", verb);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("case_run");
	tcase_add_loop_test(tests, runs_and_sums_up, 0, COUNT(runs));
	tcase_add_test(tests, secrets_are_masked);
	tcase_add_test(tests, folders_never_meet);
	tcase_add_loop_test(tests, ends_at_once, 0, COUNT(waits));
	tcase_add_test(tests, unique_to_the_case);
	tcase_add_test(tests, every_verb_has_its_function);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("drive/case_run");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
