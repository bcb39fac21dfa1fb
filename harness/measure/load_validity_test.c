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

#define PACE       (LOAD_LATENCIES | LOAD_RATES | LOAD_AMOUNTS)
#define EVERY_TIME (PACE | LOAD_LAGS)

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
	{ OPEN(.bound_hits = 5000, .bound_hits_own = 101), "own-bound", EVERY_TIME,
		"onus was held up" },
	{ OPEN(.bound_hits = 101, .busiest_thread = 0.81), "own-bound", EVERY_TIME,
		"onus was busy" },
	{ OPEN(.bound_hits = 101, .busiest_thread = 0.8), "", 0, "80% of a core is allowed" },
	{ OPEN(.send_lag_p99_ns = NS_PER_S, .bound_hits = 150, .bound_hits_own = 50), "send-lag",
		LOAD_LATENCIES, "what the server had wait is not in p99" },
	{ MISSED(.sent_per_s = 10, .bound_hits = 50, .bound_hits_own = 50), "rate-missed", PACE,
		"none of them is the server's" },
	{ CLOSED(.bound_hits = 5000, .bound_hits_own = 5000), "", 0, "a closed loop has no bound" },
	{ CLOSED(.send_lag_p99_ns = NS_PER_S), "", 0, "a closed loop has no schedule" },
	{ MISSED(.sent_per_s = 911), "", 0, "5%, and four deviations of 10000 arrivals: 4%" },
	{ MISSED(.sent_per_s = 909), "rate-missed", PACE, "missed" },
	{ MISSED(.sent_per_s = 10, .bound_hits = 1), "", 0, "missed for the bound" },
	{ MISSED(.sent_per_s = 10, .partial = true), "", 0, "interrupted" },
	{ CLOSED(.sent_per_s = 10), "", 0, "no rate was asked for" },
	{ CLOSED(.busiest_thread = 0.8), "", 0, "80% of a core is allowed" },
	{ CLOSED(.busiest_thread = 0.81), "busy-generator", PACE, "more is not" },
	{ OPEN(.busiest_thread = 0.99), "", 0, "an open loop has its send lag for that" },
	{ CLOSED(.waiting_share = 0.1), "", 0, "a tenth of the time is allowed" },
	{ CLOSED(.waiting_share = 0.11), "kept-waiting", PACE, "more is not" },
	{ OPEN(.waiting_share = 0.9), "", 0, "an open loop has its send lag for that too" },
	{ CLOSED(.busiest_thread = 0.9, .counted = true), "busy-generator",
		LOAD_LATENCIES | LOAD_RATES, "as many as were asked for" },
	{ CLOSED(.steal_share = 0.01), "", 0, "steal" },
	{ CLOSED(.steal_share = 0.011), "steal", EVERY_TIME, "steal" },
	{ OPEN(.steal_share = 0.5), "steal", EVERY_TIME, "steal" },
	{ CLOSED(.throttled_ns = 1), "throttled", EVERY_TIME, "a quota" },
	{ CLOSED(.throttled_ns = -1), "", 0, "another group than before" },
	{ CLOSED(.local_failures = 1), "exhausted", EVERY_TIME | LOAD_ERRORS | LOAD_BYTES,
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
		LOAD_ERRORS, LOAD_BYTES, LOAD_AMOUNTS };
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
	for (size_t i = 0; i < sizeof families / sizeof *families; i++)
		ck_assert_msg((load_reasons_against(&found, families[i]).text != NULL) ==
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
	ck_assert_str_eq(load_reasons_against(&found, LOAD_LAGS).text, found.list[2].text);
	ck_assert_str_eq(load_reasons_against(&found, LOAD_RATES).text, found.list[1].text);
	ck_assert_ptr_null(load_reasons_against(&found, LOAD_BYTES).text);
	arena_free(arena);
}
END_TEST

/* One that spoils it either way counts, whichever comes first. */
START_TEST(one_way)
{
	static const struct {
		struct load_facts facts;
		const char *word;
		enum spoil_way way, of_rates;
	} cases[] = {
		{ CLOSED(.waiting_share = 0.5), "kept-waiting", SPOIL_RAISED, SPOIL_LOWERED },
		{ CLOSED(.waiting_share = 0.5, .steal_share = 0.5), "steal", SPOIL_EITHER,
			SPOIL_EITHER },
		{ CLOSED(.waiting_share = 0.5, .busiest_thread = 0.9), "busy-generator",
			SPOIL_EITHER, SPOIL_EITHER },
	};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct load_reasons found;
		size_t at = 0;
		load_validity_find(&cases[i].facts, arena, &found);
		while (at < found.count && strcmp(found.list[at].word, cases[i].word) != 0)
			at++;
		ck_assert_msg(at < found.count, "%s", cases[i].word);
		struct spoil spoil = load_reasons_against(&found, LOAD_LATENCIES);
		ck_assert_str_eq(spoil.text, found.list[at].text);
		ck_assert_int_eq(spoil.way, cases[i].way);
		ck_assert_int_eq(load_reasons_against(&found, LOAD_RATES).way, cases[i].of_rates);
		ck_assert_int_eq(load_reasons_against(&found, LOAD_AMOUNTS).way, cases[i].of_rates);
	}
	arena_free(arena);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("load_validity");
	tcase_add_loop_test(tests, reasons, 0, COUNT(rows));
	tcase_add_test(tests, several);
	tcase_add_test(tests, one_way);
	Suite *suite = suite_create("measure/load_validity");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
