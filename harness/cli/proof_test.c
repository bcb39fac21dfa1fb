#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "case/load.h"
#include "cli/proof.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))
#define T            "{ \"title\": \"t\", "
#define STEPS        "\"steps\": [\"/\"] }"

struct bench {
	struct options options;
	struct session session;
	struct proof proof;
	struct case_file *cases[4];
};

static const char *file_of(const char *text, char *path, size_t size, int *fd)
{
	*fd = memfd_create("case", MFD_CLOEXEC);
	ck_assert(*fd >= 0 && write(*fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(path, size, "/proc/self/fd/%d", *fd);
	return path;
}

static const char *const FAULTS[] = { "vary-missing", "level-ignored" };

/* Cases "c0", "c1"... of a SUT with two faults, or with none. */
static void open_bench(struct bench *b, const char *const *texts, size_t faults)
{
	static const char SUITE[] =
		"{ \"sut\": { \"command\": [\"x\"] }, \"profiles\": { \"p\": { \"command\": [\"y\"] } } }";
	char path[64];
	int fd;
	struct errors errors = { 0 };
	*b = (struct bench){ .options = { .arena = arena_new() } };
	struct session *s = &b->session;
	*s = (struct session){ .arena = b->options.arena, .options = &b->options };
	s->cases = b->cases;
	ck_assert(suite_load(file_of(SUITE, path, sizeof path, &fd), &s->suite, &errors) == RC_OK);
	close(fd);
	for (; texts[s->case_count]; s->case_count++) {
		struct case_file **one = &b->cases[s->case_count];
		enum rc rc = case_load(file_of(texts[s->case_count], path, sizeof path, &fd),
			s->suite, one, &errors);
		ck_assert_msg(rc == RC_OK, "%s", errors.count ? errors.list[0].text : "");
		close(fd);
		(*one)->id = (*one)->path = arena_print((*one)->arena, "c%zu", s->case_count);
	}
	b->proof = (struct proof){
		.session = s, .faults = (const char **)FAULTS, .fault_count = faults
	};
}

static void close_bench(struct bench *b)
{
	for (size_t i = 0; i < b->session.case_count; i++)
		case_free(b->cases[i]);
	suite_free(b->session.suite);
	arena_free(b->options.arena);
}

#define BOTH T "\"catches\": [\"vary-missing\", \"level-ignored\"], " STEPS

static const struct {
	const char *cases[4];
	size_t faults;
	const char *filter;
	const char *complaints[4]; /* how each ends, behind the case's place */
	int code;
	const char *why;
} checks[] = {
	{ { BOTH }, 2, NULL, { NULL }, EXIT_HELD, "all is claimed" },
	{ { T "\"catches\": [\"vary-missing\"], " STEPS }, 2, NULL,
		{ "fault level-ignored: no case catches it" }, EXIT_BROKEN, "one is not" },
	{ { T "\"catches\": [\"vary-missing\"], " STEPS }, 2, "c*", { NULL }, EXIT_HELD,
		"of some cases nobody can tell" },
	{ { BOTH, T "\"catches\": [\"vary-mising\"], " STEPS }, 2, NULL,
		{ "unknown fault \"vary-mising\"; did you mean \"vary-missing\"?" }, EXIT_USAGE,
		"a typo" },
	{ { BOTH, T STEPS }, 2, NULL, { "c1: catches no fault: nothing proves that it can fail" },
		EXIT_BROKEN, "a case without" },
	{ { BOTH, T "\"why\": \"w\", \"catches\": [], " STEPS }, 2, NULL, { NULL }, EXIT_HELD,
		"which says so" },
	{ { BOTH, T "\"must_fail\": [\"/steps/0\"], " STEPS }, 2, NULL, { NULL }, EXIT_HELD,
		"or is a self-test" },
	{ { BOTH, T "\"sut\": { \"profile\": \"p\" }, " STEPS }, 2, NULL, { NULL }, EXIT_HELD,
		"or has a SUT without faults" },
	{ { BOTH, T
		  "\"suts\": { \"a\": { \"profile\": \"p\" }, \"b\": {} }, \"to\": \"a\", " STEPS },
		2, NULL, { "c1: catches no fault: nothing proves that it can fail" }, EXIT_BROKEN,
		"one of its SUTs has" },
};

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);
	return length >= tail && strcmp(text + length - tail, end) == 0;
}

START_TEST(checked)
{
	struct bench b;
	size_t due = 0;
	open_bench(&b, checks[_i].cases, checks[_i].faults);
	b.options.filters.count = checks[_i].filter != NULL;
	proof_check(&b.proof);
	while (due < 4 && checks[_i].complaints[due])
		due++;
	ck_assert_msg(
		b.proof.complaint_count == due, "%s: %zu", checks[_i].why, b.proof.complaint_count);
	for (size_t i = 0; i < due; i++)
		ck_assert_msg(ends_with(b.proof.complaints[i], checks[_i].complaints[i]), "%s",
			b.proof.complaints[i]);
	ck_assert_int_eq(proof_exit(&b.proof), checks[_i].code);
	close_bench(&b);
}
END_TEST

static const struct {
	enum outcome outcome;
	const char *pointers[3]; /* of its findings */
	const char *claimed;     /* of `catches`, or NULL: any finding */
	enum pair_state state;
	const char *pointer, *reason, *why;
} results[] = {
	{ OUTCOME_FAILED, { "/steps/0/expect/status" }, NULL, PAIR_CAUGHT, "/steps/0/expect/status",
		NULL, "any finding" },
	{ OUTCOME_FAILED, { "/steps/0/expect/status", "/steps/1/x" }, "/steps/1/x", PAIR_CAUGHT,
		"/steps/1/x", NULL, "the one that must appear" },
	{ OUTCOME_FAILED, { "/steps/0/expect/status" }, "/steps/1/x", PAIR_MISSED, NULL,
		"failed, but with another finding: /steps/0/expect/status", "another one" },
	{ OUTCOME_FAILED, { "/steps/0/expect/statusx" }, "/steps/0/expect/status", PAIR_MISSED,
		NULL, "failed, but with another finding: /steps/0/expect/statusx", "exactly" },
	{ OUTCOME_FAILED, { "/sut" }, NULL, PAIR_MISSED, NULL,
		"the SUT itself failed, which never counts: found", "a crash" },
	{ OUTCOME_FAILED, { "/steps/0", "/sut" }, NULL, PAIR_MISSED, NULL,
		"the SUT itself failed, which never counts: found", "what a crash brings about" },
	{ OUTCOME_PASSED, { NULL }, NULL, PAIR_MISSED, NULL, "still green under the fault",
		"green" },
	{ OUTCOME_ERROR, { NULL }, NULL, PAIR_MISSED, NULL, "an error, which never counts: no port",
		"an error" },
	{ OUTCOME_ERROR, { "/steps/0" }, NULL, PAIR_MISSED, NULL,
		"an error, which never counts: no port", "an error beside a finding" },
	{ OUTCOME_SKIPPED, { NULL }, NULL, PAIR_SKIPPED, NULL, "no haproxy", "skipped" },
};

START_TEST(judged)
{
	struct arena *arena = arena_new();
	struct finding findings[3] = { 0 };
	struct problem problem = { .kind = PROBLEM_ENVIRONMENT, .text = "no port" };
	struct case_result result = { .outcome = results[_i].outcome,
		.findings = findings,
		.problems = &problem,
		.skip_reason = "no haproxy" };
	const char *claimed = results[_i].claimed;
	struct catch catch = {
		.fault = "f", .pointers = &claimed, .pointer_count = claimed != NULL
	};
	struct pair pair = { .fault = "f", .catch = &catch };
	for (; result.finding_count < 3 && results[_i].pointers[result.finding_count];
		result.finding_count++) {
		struct finding *f = &findings[result.finding_count];
		f->place.pointer = results[_i].pointers[result.finding_count];
		f->what = "what";
		f->found = "found";
	}
	result.problem_count = results[_i].outcome == OUTCOME_ERROR;
	proof_judge(arena, &pair, &result);
	ck_assert_msg(pair.state == results[_i].state, "%s", results[_i].why);
	if (results[_i].pointer)
		ck_assert_pstr_eq(pair.pointer, results[_i].pointer);
	else
		ck_assert_msg(!pair.pointer, "%s: %s", results[_i].why, pair.pointer);
	if (results[_i].reason)
		ck_assert_pstr_eq(pair.reason, results[_i].reason);
	arena_free(arena);
}
END_TEST

static const struct {
	enum pair_state state;
	bool claimed;
	size_t complaints, environment, usage;
	int code;
	const char *why;
} exits[] = {
	{ PAIR_CAUGHT, true, 0, 0, 0, EXIT_HELD, "caught" },
	{ PAIR_MISSED, true, 0, 0, 0, EXIT_BROKEN, "missed" },
	{ PAIR_MISSED, false, 0, 0, 0, EXIT_HELD, "nobody claims that" },
	{ PAIR_SKIPPED, true, 0, 0, 0, EXIT_HELD, "skipped" },
	{ PAIR_CAUGHT, true, 1, 0, 0, EXIT_BROKEN, "a complaint" },
	{ PAIR_CAUGHT, true, 1, 1, 0, EXIT_ENVIRONMENT, "not of the SUT" },
	{ PAIR_MISSED, true, 2, 1, 0, EXIT_ENVIRONMENT, "3 comes before 1" },
	{ PAIR_MISSED, true, 3, 1, 1, EXIT_USAGE, "2 comes before 3" },
};

START_TEST(exit_code)
{
	struct catch catch = { .fault = "f" };
	struct pair pair = { .catch = exits[_i].claimed ? &catch : NULL, .state = exits[_i].state };
	struct proof proof = { .pairs = &pair,
		.pair_count = 1,
		.complaint_count = exits[_i].complaints,
		.environment = exits[_i].environment,
		.usage = exits[_i].usage };
	ck_assert_msg(proof_exit(&proof) == exits[_i].code, "%s", exits[_i].why);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("proof");
	tcase_add_loop_test(tests, checked, 0, COUNT(checks));
	tcase_add_loop_test(tests, judged, 0, COUNT(results));
	tcase_add_loop_test(tests, exit_code, 0, COUNT(exits));
	Suite *suite = suite_create("cli/proof");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
