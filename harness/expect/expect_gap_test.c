#include "expect/expect.h"
#include "expect/matcher_fixture.h"

/* Times in ms; a head of 0 never came. */
static const struct row {
	bool is_stream;
	int head_ms, gap_ms;
	const char *expect;
	const char *found; /* of the finding, or NULL */
	bool misused;
	const char *why;
} rows[] = {
	{ true, 10, 300, "{\"gap.max\": \"<= 300ms\"}", NULL, false, "not longer" },
	{ true, 10, 300, "{\"gap.max\": \"250ms..1s\"}", NULL, false, "within" },
	{ true, 10, 300, "{\"gap.max\": \"< 300ms\"}", "300 ms", false, "too long" },
	{ true, 10, 0, "{\"gap.max\": \"> 0ms\"}", "0 us", false, "not silent at all" },
	{ true, 0, 0, "{\"gap.max\": \"< 1s\"}", "no head", false,
		"what never began was not silent" },
	{ false, 10, 0, "{\"gap.max\": \"< 1s\"}", NULL, true,
		"an ordinary answer is not watched, and says so" },
};

START_TEST(test_rows)
{
	struct fixture f;
	struct err err = { .text = "" };
	const struct row *row = &rows[_i];
	set_up(&f);
	f.own.timing.start_ns = 1000;
	f.own.timing.headers_ns = row->head_ms ? 1000 + row->head_ms * INT64_C(1000000) : 0;
	f.own.gap_max_ns = row->gap_ms * INT64_C(1000000);
	f.own.last_event_id = row->is_stream ? "" : NULL;
	cJSON *group = cJSON_Parse(row->expect);
	ck_assert_int_eq(expect_check(group, &f.j, &err), RC_OK);
	ck_assert_msg(f.j.has_error == row->misused, "%s: %s", row->why, f.j.error.text);
	ck_assert_msg(f.j.checks == !row->misused, "%s: %zu checks", row->why, f.j.checks);
	ck_assert_msg(f.j.broken_count == (row->found != NULL), "%s: %zu findings", row->why,
		f.j.broken_count);
	if (row->found) {
		ck_assert_str_eq(f.j.broken[0].pointer, "/gap.max");
		ck_assert_str_eq(f.j.broken[0].what, "gap.max");
		ck_assert_str_eq(f.j.broken[0].found, row->found);
	}
	cJSON_Delete(group);
	tear_down(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("expect_gap");
	TCase *tc = tcase_create("expect_gap");
	tcase_add_loop_test(tc, test_rows, 0, (int)(sizeof rows / sizeof *rows));
	suite_add_tcase(suite, tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
