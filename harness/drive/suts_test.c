#include <sys/stat.h>

#include "drive/drive_testing.h"
#include "drive/suts.h"
#include "sut/cap.h"

#define T "{\"title\": \"t\", "
/* A SUT that is a line of shell, which listens nowhere. */
#define SPOKEN_TO(script, how, output)                                                             \
	"{\"sut\": {\"command\": [\"sh\", \"-c\", \"" script "; exec sleep 60\"], " how            \
	", \"ready\": {\"output\": \"" output "\"}}}"
#define SHELL(line) "\"command\": [\"sh\", \"-c\", \"" line "\"], \"listen\": \"none\""
#define SUITE(line) "{\"sut\": {" SHELL(line) "}}"
#define SLEEPS      SUITE("exec sleep 60")
/* A step that needs the SUT and holds. */
#define LOOKS "{\"exec\": [\"test\", \"-d\", \"${files}\"], \"expect\": {\"exit\": 0}}"

static const struct {
	const char *suite, *text, *summary, *why;
} runs[] = {
	{ SLEEPS, T "\"steps\": [" LOOKS "]}", "passed 1/0/1", "TERM ends it, as it was asked to" },
	{ "{\"sut\": {" SHELL("exec sleep 60") ", \"stop\": {\"signal\": \"INT\"}}}",
		T "\"steps\": [" LOOKS "]}", "passed 1/0/1", "so does another stop signal" },
	{ SUITE("trap 'exit 0' TERM; while :; do sleep 0.01; done"), T "\"steps\": [" LOOKS "]}",
		"passed 1/0/1", "exit status 0" },
	{ SUITE("trap 'exit 9' TERM; while :; do sleep 0.01; done"), T "\"steps\": [" LOOKS "]}",
		"failed 1/0/1; /sut stop", "exit status 9" },
	{ SUITE("trap 'kill -KILL $$' TERM; while :; do sleep 0.01; done"),
		T "\"steps\": [" LOOKS "]}", "failed 1/0/1; /sut stop", "another signal" },
	{ "{\"sut\": {" SHELL(
		  "trap '' TERM; while :; do sleep 0.01; done") ", \"stop\": {\"within\": \"${n}ms\"}}, \"variables\": {\"n\": 50}}",
		T "\"steps\": [" LOOKS "]}", "failed 1/0/1; /sut stop", "it had to be killed" },
	{ SUITE("echo $$ > ${files}/pid; exit 3"),
		T
		"\"steps\": [{\"exec\": [\"sh\", \"-c\", \"until test -s ${files}/pid && ! kill -0"
		" $(cat ${files}/pid); do sleep 0.01; done; sleep 0.3\"]}, " LOOKS "]}",
		"failed 0/0/1; /sut process", "it ends by itself: once, and nothing goes on" },
	{ "{\"sut\": {" SHELL(
		  "echo '==1==ERROR: AddressSanitizer: x' >&2; exec sleep 60") ", \"ready\": {\"output\": \"Sanitizer\"}}}",
		T "\"steps\": [" LOOKS "]}", "failed 1/0/1; /sut sanitizer", "a report" },
	{ "{\"sut\": {" SHELL("exec sleep 60") ", \"ready\": {\"output\": \"never\", \"within\":"
					       " \"50ms\"}}}",
		T "\"steps\": [" LOOKS "]}", NULL, "it does not become ready" },
	{ "{\"sut\": {\"command\": [\"onus-no-such\"], \"listen\": \"none\"}}",
		T "\"steps\": [" LOOKS "]}", NULL, "it can't be executed" },
	{ SLEEPS,
		T
		"\"suts\": {\"a\": {}, \"b\": {\"to\": \"a\"}}, \"steps\": [{\"to\": \"b\","
		" \"exec\": [\"sh\", \"-c\", \"basename ${files}\"], \"expect\": {\"stdout\": \"b-2\\n\"}},"
		" {\"pause\": \"1ms\", \"why\": \"w\"}, {\"group\": [{\"exec\": [\"true\"]}]}]}",
		"passed 1/0/1", "several, and steps that speak to none of them" },
	{ SLEEPS,
		T
		"\"matrix\": {\"a\": [1, 2]}, \"steps\": [{\"exec\": [\"sh\", \"-c\","
		" \"test ! -e ${files}/mark && touch ${files}/mark\"], \"expect\": {\"exit\": 0}}]}",
		"passed 2/0/2", "a fresh folder for each cell" },
	{ "{\"sut\": {" SHELL("exec sleep 60") ", \"files\": {\"x.conf\": \"template\"}}}",
		T "\"steps\": [{\"exec\": [\"cat\", \"${files}/x.conf\"], \"expect\": {\"stdout\":"
		  " {\"matches\": \"^seed 0x2a in /.*/sut; [$][{]literal}$\"}}}]}",
		"passed 1/0/1", "files are rendered" },
	{ "{\"sut\": {" SHELL("exec sleep 60") "}, \"services\": [{\"name\": \"db\", "
					       "\"command\": [\"sleep\", \"60\"], \"ready\":"
					       " {\"output\": \"never\", \"within\": \"20ms\"}}]}",
		T "\"steps\": [" LOOKS "]}", NULL, "a service that does not become ready" },
	{ "{\"sut\": {" SHELL(
		  "echo ${services.db.port}; exec sleep 60") ", \"ready\": {\"output\": \"^[1-9]\"}}, \"services\": [{\"name\": \"db\","
							     " \"command\": [\"sh\", \"-c\", \"echo up; exec sleep 60\"], \"ready\":"
							     " {\"output\": \"up\"}}]}",
		T "\"steps\": [" LOOKS "]}", "passed 1/0/1", "a service's port" },
	{ SLEEPS,
		T "\"sut\": {\"memory_max\": \"${n}\"}, \"variables\": {\"n\": \"0B\"}, "
		  "\"steps\": [" LOOKS "]}",
		"error 0/0/0; !usage memory_max: expected more than 0, found \"0B\"",
		"a cap of nothing" },
	{ SLEEPS,
		T "\"sut\": {\"memory_max\": \"${n}\"}, \"variables\": {\"n\": \"much\"}, "
		  "\"steps\": [" LOOKS "]}",
		"error 0/0/0; !usage expected a number with its unit such as \"20ms\" or \"64KiB\", found"
		" \"much\"",
		"a variable that is no size" },
	{ SPOKEN_TO("echo ${sut.url} ${sut.socket}", "\"listen\": \"unix\"",
		  "^http://localhost /.*/sut/socket$"),
		T "\"steps\": [" LOOKS "]}", "passed 1/0/1",
		"a Unix socket has a path, and no port" },
	{ "{\"sut\": {\"command\": [\"sh\", \"-c\", \"echo $0; exec sleep 60\", \"${sut.port}\"],"
	  " \"ready\": {\"output\": \"^[1-9][0-9]+$\"}}}",
		T "\"steps\": [" LOOKS "]}", "passed 1/0/1",
		"a number alone is a word of a command" },
	{ SPOKEN_TO("echo ${sut.url}",
		  "\"tls\": {\"cacert\": \"/dev/null\", \"name\": \"sut.example\"}",
		  "^https://127.0.0.1:[0-9]+$"),
		T "\"steps\": [" LOOKS "]}", "passed 1/0/1", "over TLS" },
	{ SPOKEN_TO("echo up", "\"tls\": {\"cacert\": \"${files}/no.pem\"}", "up"),
		T "\"steps\": [" LOOKS "]}", NULL,
		"certificates that are not there once it is ready" },
	/* refuses */
	{ SUITE("exit $A"), T "\"steps\": [{\"refuses\": {\"env\": {\"A\": 2}}}]}", "passed 1/0/1",
		"any status but 0 is implied" },
	{ SUITE("exit $A"), T "\"steps\": [{\"refuses\": {\"env\": {\"A\": 0}}}]}",
		"failed 1/0/1; /steps/0/expect/exit exit", "0 is no refusal" },
	{ SUITE("kill -SEGV $$"), T "\"steps\": [{\"refuses\": {\"env\": {}}}]}",
		"failed 1/0/1; /steps/0/expect/exit exit", "a crash is none either" },
	{ SUITE("echo 'x.c:1:2: runtime error: y' >&2; exit 2"),
		T "\"steps\": [{\"refuses\": {\"env\": {}}}]}",
		"failed 1/0/1; /steps/0/refuses sanitizer", "nor is a sanitizer's report" },
	{ SUITE("exec sleep 60"),
		T "\"steps\": [{\"refuses\": {\"env\": {}}, \"within\": \"50ms\"}]}",
		"failed 1/0/1; /steps/0/refuses start", "it neither starts nor ends" },
	{ SUITE("echo \\\"$A\\\" >&2; exit 2"),
		T "\"steps\": [{\"refuses\": {\"env\": {\"A\": \"$${x} ${seed}\"}}, \"expect\":"
		  " {\"stderr\": \"$${x} 0x2a\\n\"}}]}",
		"passed 2/0/1", "settings are resolved once" },
	{ "{\"sut\": {" SHELL(
		  "test $A = 1 || exit 2; echo up; exec sleep 60") ", \"ready\": {\"output\": \"up\"}}}",
		T "\"steps\": [{\"refuses\": {\"env\": {\"A\": 0}}, \"control\": {\"env\": {\"A\": "
		  "1}}}]}",
		"passed 2/0/1", "a control that starts" },
	{ SUITE("exit 2"),
		T "\"steps\": [{\"refuses\": {\"env\": {\"A\": 0}}, \"control\": {\"env\": {\"A\": "
		  "1}}}]}",
		"failed 2/0/1; /steps/0/control control", "a control that does not" },
};

START_TEST(started_and_ended)
{
	struct bench b;
	struct job job;
	bench_open(&b, NULL, 0);
	ck_assert_int_eq(chdir(b.dir), 0);
	FILE *file = fopen("template", "we");
	ck_assert_ptr_nonnull(file);
	fputs("seed ${seed} in ${files}; $${literal}", file);
	ck_assert_int_eq(fclose(file), 0);
	bench_suite(&b, runs[_i].suite);
	struct case_file *one = bench_load(&b, runs[_i].text, "x");
	bench_run(&b, one, &job);
	const char *text = bench_summary(&b, &job.result);
	if (runs[_i].summary)
		ck_assert_msg(strcmp(text, runs[_i].summary) == 0, "%s: %s", runs[_i].why, text);
	else
		ck_assert_msg(strncmp(text, "error 0/0/0; !environment ", 26) == 0, "%s: %s",
			runs[_i].why, text);
	arena_free(job.arena);
	case_free(one);
	bench_close(&b);
}
END_TEST

/* What the SUT printed is shown where the case failed, without what came from the environment. */
START_TEST(output_is_masked)
{
	struct bench b;
	struct job job;
	setenv("ONUS_TEST_TOKEN", "hush", 1);
	bench_open(&b, NULL, 0);
	bench_suite(&b,
		"{\"sut\": {" SHELL(
			"echo token $TOKEN; exec sleep 60") ", \"env\": {\"TOKEN\": \"${env.ONUS_TEST_TOKEN}\"},"
							    " \"ready\": {\"output\": \"token\"}}}");
	struct case_file *one = bench_load(
		&b, T "\"steps\": [{\"exec\": [\"test\", \"-e\", \"${files}/none\"]}]}", "x");
	bench_run(&b, one, &job);
	ck_assert_int_eq(job.result.outcome, OUTCOME_FAILED);
	ck_assert_pstr_eq(job.result.output, "token ****");
	arena_free(job.arena);
	case_free(one);
	bench_close(&b);
}
END_TEST

/* Of what started and measured it here, by the names that expectations have. */
START_TEST(cost_is_measured)
{
	static const char *const NAMES[] = { "sut.cpu", "sut.cpu_total", "sut.memory",
		"sut.descriptors", "sut.threads" };
	const char *argv[] = { "sleep", "60", NULL }, *env[] = { NULL };
	struct process_spec spec = { .name = "sut", .argv = argv, .env = env };
	struct running running = { 0 };
	struct measures measures;
	struct err err = { 0 };
	struct cap cap;
	struct bench b;
	bench_open(&b, NULL, 0);
	measures_init(&measures, b.arena);
	ck_assert_ptr_null(suts_sample(&running));
	suts_cost(&running, NULL, 0, 1, &measures);
	ck_assert_uint_eq(measures.count, 0);
	if (cap_open(&cap, 1 << 20)) {
		cap_close(&cap);
		spec.memory_max_bytes = 32 << 20;
	}
	ck_assert_msg(
		sut_start(b.run.host, &spec, 1, &running.sut, NULL, &err) == RC_OK, "%s", err.text);
	struct sample *sample = suts_sample(&running);
	ck_assert_ptr_nonnull(sample);
	int64_t from_ns = sample_mark(sample), to_ns = sample_mark(sample);
	suts_cost(&running, sample, from_ns, to_ns, &measures);
	for (int i = 0; i < COUNT(NAMES); i++)
		ck_assert_msg(measures_find(&measures, NAMES[i]) != NULL, "%s", NAMES[i]);
	ck_assert_double_eq(measures_find(&measures, "sut.threads")->quantity.value, 1);
	ck_assert((measures_find(&measures, "sut.memory_peak") != NULL) ==
		  (spec.memory_max_bytes > 0));
	sample_free(sample);
	sut_stop(running.sut, NULL, b.arena);
	bench_close(&b);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("suts");
	tcase_add_loop_test(tests, started_and_ended, 0, COUNT(runs));
	tcase_add_test(tests, output_is_masked);
	tcase_add_test(tests, cost_is_measured);
	tcase_set_timeout(tests, 60);
	Suite *suite = suite_create("drive/suts");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
