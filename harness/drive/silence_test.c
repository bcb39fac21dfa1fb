#include "drive/silence.h"

#include <check.h>
#include <stdlib.h>

#include "base/clock.h"

#define MS(n) ((n)*NS_PER_MS)
enum { SAMPLES_MAX = 8 };

/* Times in ms: due, sent, end; an end of -1: unanswered. */
struct triple {
	int due, sent, end;
};

static const struct {
	struct triple samples[SAMPLES_MAX];
	size_t count;
	int from, to, want;
	const char *why;
} rows[] = {
	{ { { 0, 0, 1 }, { 5, 5, 6 }, { 10, 10, 11 } }, 3, 0, 12, 1,
		"each is answered at once: between them nobody asked" },
	{ { { 0, 0, 1 }, { 5, 5, 105 }, { 10, 10, 105 }, { 15, 15, 106 } }, 4, 0, 200, 100,
		"from the first unanswered one to the next answer" },
	{ { { 0, 0, 100 }, { 5, 5, 30 }, { 10, 10, 60 } }, 3, 0, 200, 40,
		"any answer ends a silence, also out of order" },
	{ { { 0, 0, -1 }, { 5, 5, -1 } }, 2, 0, 200, 200,
		"never answered: to the end of the time" },
	{ { { 0, 0, 150 } }, 1, 20, 100, 80, "both ends are cut off at the time looked at" },
	{ { { 0, 0, 10 } }, 1, 20, 100, 0, "what was answered before does not count" },
	{ { { 150, 150, 180 } }, 1, 20, 100, 0, "what was sent after does not count" },
	{ { { 0, 40, 41 } }, 1, 0, 100, 1, "what onus sent late was not waited for" },
	{ { { 0, 0, 90 }, { 5, 65, 90 }, { 10, 66, 91 } }, 3, 0, 100, 30,
		"a lag of 60 ms inside a silence of 90 is taken off" },
	{ { { 0, 0, 50 }, { 5, 5, 50 }, { 60, 95, 96 } }, 3, 0, 100, 50, "a lag elsewhere is not" },
	{ { { 0, 0, 0 } }, 0, 0, 100, 0, "no samples" },
};

static size_t make(const struct triple *from, size_t count, struct probe_sample *to)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (struct probe_sample){ MS(from[i].due), MS(from[i].sent),
			from[i].end < 0 ? CLOCK_NEVER : MS(from[i].end) };
	silence_sort(to, count);
	return count;
}

START_TEST(longest)
{
	struct probe_sample samples[SAMPLES_MAX];
	size_t count = make(rows[_i].samples, rows[_i].count, samples);
	int64_t got = silence_longest(samples, count, MS(rows[_i].from), MS(rows[_i].to));
	ck_assert_msg(got == MS(rows[_i].want), "%s: expected %d ms, found %g", rows[_i].why,
		rows[_i].want, (double)got / NS_PER_MS);
}
END_TEST

/* Silent from 100 to 160 and from 1000 to 1019; answered all 5 ms else. */
static size_t two_silences(struct probe_sample *samples)
{
	size_t count = 0;
	for (int at = 0; at < 1200; at += 5) {
		int end = at + 1;
		if (at >= 100 && at < 160)
			end = 160;
		if (at >= 1000 && at < 1019)
			end = 1019;
		samples[count++] = (struct probe_sample){ MS(at), MS(at), MS(end) };
	}
	silence_sort(samples, count);
	return count;
}

static const struct {
	struct {
		int from, to;
		const char *label;
	} busy[4];
	size_t count;
	int longest;
	double share;
	const char *label, *why;
} requests[] = {
	{ { { 50, 650, "a" } }, 1, 60, 10, "a", "60 of 600" },
	{ { { 50, 650, "a" }, { 90, 170, "b" } }, 2, 60, 75, "b",
		"of the request that it fell into, not of the longest of all" },
	{ { { 90, 170, "a" }, { 300, 380, "a" }, { 500, 580, "a" } }, 3, 60, 0, NULL,
		"once of three is the machine's" },
	{ { { 90, 170, "a" }, { 50, 650, "a" }, { 500, 580, "a" } }, 3, 60, 10, "a",
		"the middle one of 75%, 10% and 0%" },
	{ { { 90, 170, "a" }, { 50, 650, "a" } }, 2, 60, 10, "a", "of two the lesser" },
	{ { { 995, 1020, "a" } }, 1, 19, 0, NULL, "below 20 ms nobody speaks of silence" },
	{ { { 300, 900, "a" } }, 1, 1, 0, NULL, "answered" },
	{ { { 0, 0, NULL } }, 0, 0, 0, NULL, "nothing was in flight" },
};

START_TEST(shares)
{
	static struct probe_sample samples[300];
	struct busy list[4];
	size_t count = two_silences(samples), n = requests[_i].count;
	for (size_t i = 0; i < n; i++)
		list[i] = (struct busy){ MS(requests[_i].busy[i].from), MS(requests[_i].busy[i].to),
			requests[_i].busy[i].label, i + 1 < n ? &list[i + 1] : NULL };
	struct silence got = silence_of(samples, count, n ? list : NULL);
	ck_assert_msg(got.longest_ns == MS(requests[_i].longest), "%s: %g ms", requests[_i].why,
		(double)got.longest_ns / NS_PER_MS);
	ck_assert_double_eq_tol(got.share_percent, requests[_i].share, 1e-9);
	if (requests[_i].label)
		ck_assert_str_eq(got.label, requests[_i].label);
	else
		ck_assert_ptr_null(got.label);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("silence");
	tcase_add_loop_test(tests, longest, 0, (int)(sizeof rows / sizeof *rows));
	tcase_add_loop_test(tests, shares, 0, (int)(sizeof requests / sizeof *requests));
	Suite *suite = suite_create("drive/silence");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
