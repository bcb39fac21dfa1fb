#include "expect/expect.h"
#include "expect/matcher_fixture.h"

static const struct {
	struct process_end end;
	const char *expect;
	const char *finding; /* "pointer: expected: found", or NULL */
	const char *why;
} processes[] = {
	{ { .exit = 3 }, "{\"exit\": 3}", NULL, "the status" },
	{ { .exit = 3 }, "{\"exit\": {\"one_of\": [2, 3]}}", NULL, "one of two" },
	{ { .exit = 0 }, "{\"exit\": {\"not\": 0}}", "/exit: not 0: 0", "not 0" },
	{ { .exit = -1, .signal = 11 }, "{\"exit\": {\"not\": 0}}",
		"/exit: not 0: ended by signal 11 (Segmentation fault)",
		"a crash is no exit status" },
	{ { .running = true }, "{\"exit\": 2}", "/exit: 2: still running", "still running" },
	{ { .timed_out = true, .signal = 9 }, "{\"exit\": 2}", "/exit: 2: did not end in time",
		"onus ended it" },
	{ { .exit = 0 }, "{\"stdout\": \"\", \"stderr\": \"\"}", NULL, "no output" },
};

START_TEST(test_processes)
{
	struct fixture f;
	struct err err = { .text = "" };
	set_up(&f);
	f.j.exchange = NULL;
	f.j.process = &processes[_i].end;
	cJSON *group = cJSON_Parse(processes[_i].expect);
	ck_assert_int_eq(expect_check(group, &f.j, &err), RC_OK);
	const struct broken *b = f.j.broken;
	const char *found = f.j.broken_count ? arena_print(f.arena, "%s: %s: %s", b->pointer,
						       b->expected, b->found)
					     : "none";
	ck_assert_str_eq(found, processes[_i].finding ? processes[_i].finding : "none");
	cJSON_Delete(group);
	tear_down(&f);
}
END_TEST

START_TEST(test_output)
{
	struct fixture f;
	struct err err = { .text = "" };
	struct process_end end = { .out = slice_of("usage: x\n"), .err = slice_of("bad") };
	set_up(&f);
	f.j.exchange = NULL;
	f.j.process = &end;
	cJSON *group = cJSON_Parse(
		"{\"stdout\": {\"matches\": \"^usage\"}, \"stderr\": {\"contains\": \"good\"}}");
	ck_assert_int_eq(expect_check(group, &f.j, &err), RC_OK);
	ck_assert_uint_eq(f.j.checks, 2);
	ck_assert_uint_eq(f.j.broken_count, 1);
	ck_assert_str_eq(f.j.broken[0].pointer, "/stderr");
	ck_assert_str_eq(f.j.broken[0].found, "\"bad\"");
	expect_exit_default(&f.j);
	ck_assert_uint_eq(f.j.broken_count, 1);
	cJSON_Delete(group);
	tear_down(&f);
}
END_TEST

/* Of what was cut, the end alone would be judged. */
START_TEST(test_output_that_was_cut)
{
	static const char *const groups[] = { "{\"stdout\": {\"contains\": \"b\"}}",
		"{\"stderr\": \"b\"}", "{\"stdout\": {\"not\": {\"contains\": \"a\"}}}" };
	struct fixture f;
	struct err err = { .text = "" };
	struct process_end end = {
		.out = slice_of("b"), .out_bytes = 3, .err = slice_of("b"), .err_bytes = 2
	};
	set_up(&f);
	f.j.exchange = NULL;
	f.j.process = &end;
	cJSON *group = cJSON_Parse(groups[_i]);
	ck_assert_int_eq(expect_check(group, &f.j, &err), RC_OK);
	ck_assert(f.j.has_error);
	ck_assert_uint_eq(f.j.checks, 0);
	ck_assert_str_eq(f.j.error.text,
		_i == 1 ? "stderr is 2 bytes, of which only the last 1 are kept, so that it cannot be judged"
			: "stdout is 3 bytes, of which only the last 1 are kept, so that it cannot be judged");
	cJSON_Delete(group);
	tear_down(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("expect_process");
	TCase *tc = tcase_create("expect_process");
#define ROWS(table) (int)(sizeof(table) / sizeof *(table))
	tcase_add_loop_test(tc, test_processes, 0, ROWS(processes));
	tcase_add_test(tc, test_output);
	tcase_add_loop_test(tc, test_output_that_was_cut, 0, 3);
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
