#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "measure/load_validity.h"

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

#define OPEN(...)   OPEN_P50(2 * NS_PER_MS, .sent_per_s = 1000, __VA_ARGS__)
#define MISSED(...) OPEN_P50(2 * NS_PER_MS, __VA_ARGS__)
#define OPEN_P50(p50, ...)                                                                         \
	{                                                                                          \
		.model = LOAD_OPEN, .due = 10000, .due_per_s = 1000, .measured = 10000,            \
		.response_p50_ns = (p50), __VA_ARGS__                                              \
	}
#define CLOSED(...)                                                                                \
	{                                                                                          \
		.model = LOAD_CLOSED, .measured = 10000, .service_p50_ns = 2 * NS_PER_MS,          \
		__VA_ARGS__                                                                        \
	}

/* reason: its word, or "" for none; spoils: which families, NULL for a warning. */
static const struct {
	struct load_facts facts;
	const char *reason;
	unsigned spoils;
	const char *why;
} rows[] = {
	{ OPEN(.send_lag_p99_ns = NS_PER_MS), "", 0, "a send lag of 1 ms is allowed" },
	{ OPEN(.send_lag_p99_ns = NS_PER_MS + 1), "send-lag", LOAD_LATENCIES, "more is not" },
	{ OPEN_P50(50 * NS_PER_MS, .sent_per_s = 1000, .send_lag_p99_ns = 5 * NS_PER_MS), "", 0,
		"a tenth of the median is allowed" },
	{ OPEN_P50(50 * NS_PER_MS, .sent_per_s = 1000, .send_lag_p99_ns = 5 * NS_PER_MS + 1),
		"send-lag", LOAD_LATENCIES, "more is not" },
	{ OPEN(.send_lag_p99_ns = NS_PER_S, .bound_hits = 101), "", 0,
		"the server filled the bound: a verdict on it" },
	{ OPEN(.send_lag_p99_ns = NS_PER_S, .bound_hits = 100), "send-lag", LOAD_LATENCIES,
		"so few that waited for the bound are not in p99" },
	{ OPEN(.bound_hits = 5000, .bound_hits_own = 100), "", 0, "so few are not in p99" },
	{ OPEN(.bound_hits = 5000, .bound_hits_own = 101), "own-bound",
		LOAD_LATENCIES | LOAD_RATES | LOAD_LAGS, "onus was held up" },
	{ OPEN(.bound_hits = 101, .busiest_thread = 0.81), "own-bound",
		LOAD_LATENCIES | LOAD_RATES | LOAD_LAGS, "onus was busy" },
	{ OPEN(.bound_hits = 101, .busiest_thread = 0.8), "", 0, "80% of a core is allowed" },
	{ OPEN(.send_lag_p99_ns = NS_PER_S, .bound_hits = 150, .bound_hits_own = 50), "send-lag",
		LOAD_LATENCIES, "what the server had wait is not in p99" },
	{ MISSED(.sent_per_s = 10, .bound_hits = 50, .bound_hits_own = 50), "rate-missed",
		LOAD_LATENCIES | LOAD_RATES, "none of them is the server's" },
	{ CLOSED(.bound_hits = 5000, .bound_hits_own = 5000), "", 0, "a closed loop has no bound" },
	{ CLOSED(.send_lag_p99_ns = NS_PER_S), "", 0, "a closed loop has no schedule" },
	{ MISSED(.sent_per_s = 911), "", 0, "5%, and four deviations of 10000 arrivals: 4%" },
	{ MISSED(.sent_per_s = 909), "rate-missed", LOAD_LATENCIES | LOAD_RATES, "missed" },
	{ MISSED(.sent_per_s = 10, .bound_hits = 1), "", 0, "missed for the bound" },
	{ MISSED(.sent_per_s = 10, .partial = true), "", 0, "interrupted" },
	{ CLOSED(.sent_per_s = 10), "", 0, "no rate was asked for" },
	{ CLOSED(.busiest_thread = 0.8), "", 0, "80% of a core is allowed" },
	{ CLOSED(.busiest_thread = 0.81), "busy-generator", LOAD_LATENCIES | LOAD_RATES,
		"more is not" },
	{ OPEN(.busiest_thread = 0.99), "", 0, "an open loop has its send lag for that" },
	{ CLOSED(.steal_share = 0.01), "", 0, "steal" },
	{ CLOSED(.steal_share = 0.011), "steal", LOAD_LATENCIES | LOAD_RATES | LOAD_LAGS, "steal" },
	{ OPEN(.steal_share = 0.5), "steal", LOAD_LATENCIES | LOAD_RATES | LOAD_LAGS, "steal" },
	{ CLOSED(.throttled_ns = 1), "throttled", LOAD_LATENCIES | LOAD_RATES | LOAD_LAGS,
		"a quota" },
	{ CLOSED(.throttled_ns = -1), "", 0, "another group than before" },
	{ CLOSED(.local_failures = 1), "exhausted",
		LOAD_LATENCIES | LOAD_RATES | LOAD_LAGS | LOAD_ERRORS | LOAD_BYTES,
		"what could not be sent is in no number" },
	{ CLOSED(.listen_overflows = 1), "listen-queue", LOAD_LATENCIES, "a full queue" },
	{ CLOSED(.ceiling_per_s = 1000, .rate_per_s = 499), "", 0, "below half of the ceiling" },
	{ CLOSED(.ceiling_per_s = 1000, .rate_per_s = 500), "near-ceiling", 0, "half of it" },
	{ CLOSED(.rate_per_s = 500), "", 0, "no null server was driven" },
	{ CLOSED(.floor_ns = NS_PER_MS), "", 0, "twice the floor" },
	{ CLOSED(.floor_ns = NS_PER_MS + 1), "near-floor", 0, "less than that" },
	{ CLOSED(.asked_for_coding = true, .answered = 9), "no-coding", 0, "asked, and got none" },
	{ CLOSED(.asked_for_coding = true, .answered = 9, .coded = 8), "no-coding", 0,
		"not with every answer" },
	{ CLOSED(.asked_for_coding = true, .answered = 9, .coded = 9), "", 0, "every answer" },
	{ CLOSED(.asked_for_coding = true), "", 0, "no answer at all" },
	{ CLOSED(.answered = 9), "", 0, "not asked" },
	{ CLOSED(.answered = 9, .redirects = 1), "redirects", 0, "3xx" },
	{ CLOSED(.censored = 1), "time-outs", 0, "in the percentiles" },
};

START_TEST(reasons)
{
	static const enum load_family families[] = { LOAD_LATENCIES, LOAD_RATES, LOAD_LAGS,
		LOAD_ERRORS, LOAD_BYTES };
	struct arena *arena = arena_new();
	struct load_reasons found;
	load_validity_find(&rows[_i].facts, arena, &found);
	ck_assert_msg(found.count == (rows[_i].reason[0] != '\0'), "%s: %zu reasons, %s",
		rows[_i].why, found.count, found.count ? found.list[0].text : "");
	if (found.count) {
		ck_assert_str_eq(found.list[0].word, rows[_i].reason);
		ck_assert_msg(found.list[0].spoils == rows[_i].spoils, "%s", rows[_i].why);
		ck_assert(found.list[0].text[0] && !strchr(found.list[0].text, '\n'));
	}
	for (size_t i = 0; i < 5; i++)
		ck_assert_msg((load_reasons_against(&found, families[i]) != NULL) ==
				      ((rows[_i].spoils & families[i]) != 0),
			"%s", rows[_i].why);
	arena_free(arena);
}
END_TEST

START_TEST(several)
{
	const struct load_facts facts = MISSED(.send_lag_p99_ns = NS_PER_S,
		.throttled_ns = NS_PER_S, .sent_per_s = 1, .censored = 3);
	struct arena *arena = arena_new();
	struct load_reasons found;
	load_validity_find(&facts, arena, &found);
	ck_assert_uint_eq(found.count, 4);
	ck_assert_str_eq(load_reasons_against(&found, LOAD_LAGS), found.list[2].text);
	ck_assert_str_eq(load_reasons_against(&found, LOAD_RATES), found.list[1].text);
	ck_assert_ptr_null(load_reasons_against(&found, LOAD_BYTES));
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_validity");
	tcase_add_loop_test(tests, reasons, 0, COUNT(rows));
	tcase_add_test(tests, several);
	Suite *suite = suite_create("measure/load_validity");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
