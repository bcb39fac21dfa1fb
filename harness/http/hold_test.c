#include "http/hold.h"

#include <sys/resource.h>

#include "http/load_testing.h"

#define STREAM_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

static const struct scenario scenarios[] = {
	{ .target = "/stream", TEXT(STREAM_HEAD), AFTER_HOLD },
	/* Its head is read before the rest comes: that is far behind. */
	{ .target = "/later",
		TEXT(STREAM_HEAD ": hello\n\n"),
		AFTER_HOLD,
		.split = sizeof STREAM_HEAD - 1,
		.pause_ms = 300 },
	{ .target = "/endless", TEXT(STREAM_HEAD), AFTER_ENDLESS, .more = "data: more\n\n" },
	{ .target = "/short-head", TEXT("HTTP/1.1 200 OK\r\nContent-Type: t"), AFTER_HOLD },
	{ .target = "/hints",
		TEXT("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" STREAM_HEAD),
		AFTER_HOLD },
	{ .target = "/hints-only",
		TEXT("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
		AFTER_HOLD },
	{ .target = "/refused",
		TEXT("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n\r\n"),
		AFTER_HOLD },
	{ .target = "/whole", TEXT(OK_ANSWER) },
	{ .target = "/gone", TEXT(""), AFTER_RESET },
	{ .target = "/torn", TEXT(STREAM_HEAD), AFTER_CLOSE },
	{ .target = "/garbage", TEXT("nothing that speaks HTTP\r\n\r\n"), AFTER_CLOSE },
};

struct bench {
	struct server server;
	struct load_request request;
	struct load_plan plan;
	struct hold *hold;
};

static void open_bench(struct bench *b, const char *target, size_t most)
{
	struct err err = { 0 };
	*b = (struct bench){ .request = { .method = "GET", .target = target, .weight = 1 } };
	ck_assert(http_init(&err) == RC_OK);
	server_start(&b->server, scenarios, sizeof scenarios / sizeof *scenarios);
	b->plan = closed_plan(&b->server, &b->request, 1, 1);
	b->plan.buffer_bytes = 1024;
	ck_assert_msg(hold_new(&b->plan, most, &b->hold, &err) == RC_OK, "%s", err.text);
}

static void close_bench(struct bench *b)
{
	hold_free(b->hold);
	server_stop(&b->server);
}

static enum rc wait_for(struct bench *b, enum hold_event event, int64_t ms)
{
	return hold_wait(b->hold, event, clock_now_ns() + ms * NS_PER_MS);
}

static uint64_t failed(const struct hold_counts *c)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < LOAD_FAILURE_COUNT; i++)
		sum += c->failed[i];
	return sum;
}

/* Each that was sent is in one of the counts. */
static struct hold_counts count(const char *why, struct bench *b)
{
	struct hold_counts c;
	hold_count(b->hold, &c);
	ck_assert_msg(c.opened == c.open + c.late + c.ended + c.refused + failed(&c),
		"%s: %zu opened, %zu open, %zu late, %zu ended, %zu refused, %llu failed", why,
		c.opened, c.open, c.late, c.ended, c.refused, (unsigned long long)failed(&c));
	return c;
}

enum { LONG_MS = 20000, STREAMS = 40 };

static const struct {
	const char *why, *target;
	size_t open, late, ended, refused;
	int status;
	enum load_failure failure; /* of all that are in no other count */
} kinds[] = {
	{ "held", "/stream", .open = STREAMS },
	{ "bytes without end", "/endless", .open = STREAMS },
	{ "a head behind another", "/hints", .open = STREAMS },
	{ "no final head", "/hints-only", .late = STREAMS },
	{ "a head cut short", "/short-head", .late = STREAMS },
	{ "another status, which is not waited for", "/refused", .refused = STREAMS,
		.status = 429 },
	{ "a whole answer", "/whole", .ended = STREAMS },
	{ "reset before the head", "/gone", .failure = LOAD_RESET },
	{ "no HTTP", "/garbage", .failure = LOAD_FRAMING },
};

/* The server's answer may be there before or after the head is waited for: more than the head is given a moment. */
START_TEST(each_kind_of_answer)
{
	struct bench b;
	struct hold_counts c;
	const char *why = kinds[_i].why;
	open_bench(&b, kinds[_i].target, STREAMS);
	hold_open(b.hold, STREAMS / 2);
	hold_open(b.hold, STREAMS);
	enum rc rc = wait_for(&b, HOLD_HEADS, kinds[_i].late ? 200 : LONG_MS);
	ck_assert_msg(rc == (kinds[_i].late ? RC_TIMEOUT : RC_OK), "%s", why);
	int64_t until_ns = clock_now_ns() + LONG_MS * NS_PER_MS;
	do {
		ck_assert(wait_for(&b, HOLD_TIME, 5) == RC_TIMEOUT);
		c = count(why, &b);
	} while (c.ended < kinds[_i].ended && clock_now_ns() < until_ns);
	ck_assert_msg(c.opened == STREAMS && c.open == kinds[_i].open && c.late == kinds[_i].late &&
			      c.ended == kinds[_i].ended && c.refused == kinds[_i].refused &&
			      c.refused_status == kinds[_i].status,
		"%s: %zu open, %zu late, %zu ended, %zu of status %d", why, c.open, c.late, c.ended,
		c.refused, c.refused_status);
	uint64_t rest = STREAMS - c.open - c.late - c.ended - c.refused;
	ck_assert_msg(c.failed[kinds[_i].failure] == rest, "%s", why);
	ck_assert_uint_eq(hold_gone(b.hold), STREAMS - c.open - c.late);
	close_bench(&b);
}
END_TEST

START_TEST(what_is_late_can_be_given_up)
{
	struct bench b;
	open_bench(&b, "/short-head", 3);
	hold_open(b.hold, 3);
	ck_assert(wait_for(&b, HOLD_HEADS, 100) == RC_TIMEOUT);
	hold_drop_late(b.hold);
	struct hold_counts c = count("late", &b);
	ck_assert_uint_eq(c.late, 0);
	ck_assert_uint_eq(c.failed[LOAD_TIMEOUT_HEAD] + c.failed[LOAD_TIMEOUT_BODY], 3);
	close_bench(&b);
}
END_TEST

/* Bytes before the mark do not count, those behind it do, and each stream must have some. */
START_TEST(who_has_heard_is_known)
{
	struct bench b;
	open_bench(&b, "/later", 8);
	hold_open(b.hold, 8);
	ck_assert(wait_for(&b, HOLD_HEADS, LONG_MS) == RC_OK);
	hold_mark(b.hold);
	ck_assert_uint_eq(count("before", &b).heard, 0);
	ck_assert(wait_for(&b, HOLD_BYTES, LONG_MS) == RC_OK);
	struct hold_counts c = count("behind", &b);
	ck_assert_uint_eq(c.heard, 8);
	ck_assert_uint_eq(c.bytes, 8 * scenarios[1].len);
	hold_mark(b.hold);
	ck_assert(wait_for(&b, HOLD_BYTES, 50) == RC_TIMEOUT);
	ck_assert_uint_eq(count("nothing more", &b).heard, 0);
	ck_assert(wait_for(&b, HOLD_GONE, 50) == RC_TIMEOUT);
	close_bench(&b);
}
END_TEST

/* One that has ended will never bring anything: it is not waited for. */
START_TEST(those_that_end_are_gone)
{
	struct bench b;
	open_bench(&b, "/torn", 5);
	hold_open(b.hold, 5);
	ck_assert(wait_for(&b, HOLD_HEADS, LONG_MS) == RC_OK);
	hold_mark(b.hold);
	ck_assert(wait_for(&b, HOLD_BYTES, LONG_MS) == RC_OK);
	struct hold_counts c = count("ended", &b);
	ck_assert_uint_eq(c.ended, 5);
	ck_assert_uint_eq(hold_gone(b.hold), 5);
	ck_assert(wait_for(&b, HOLD_GONE, LONG_MS) == RC_OK);
	close_bench(&b);
}
END_TEST

/* No descriptor of it is left, and the limit is as before. */
START_TEST(nothing_is_left)
{
	struct bench b;
	struct rlimit before, behind;
	getrlimit(RLIMIT_NOFILE, &before);
	int free_before = dup(0);
	ck_assert_int_ge(free_before, 0);
	close(free_before);
	for (int i = 0; i < 3; i++) {
		open_bench(&b, "/stream", 50);
		hold_open(b.hold, 50);
		ck_assert(wait_for(&b, HOLD_HEADS, LONG_MS) == RC_OK);
		ck_assert_uint_eq(count("held", &b).open, 50);
		close_bench(&b);
	}
	int free_behind = dup(0);
	ck_assert_int_eq(free_before, free_behind);
	close(free_behind);
	getrlimit(RLIMIT_NOFILE, &behind);
	ck_assert_uint_eq(before.rlim_cur, behind.rlim_cur);
	hold_free(NULL);
}
END_TEST

START_TEST(a_signal_ends_the_wait)
{
	struct bench b;
	struct err err = { 0 };
	int fd = eventfd(1, EFD_CLOEXEC);
	open_bench(&b, "/stream", 1);
	hold_free(b.hold);
	b.plan.stop_fd = fd;
	ck_assert(hold_new(&b.plan, 1, &b.hold, &err) == RC_OK);
	ck_assert(wait_for(&b, HOLD_TIME, LONG_MS) == RC_CLOSED);
	close_bench(&b);
	close(fd);
}
END_TEST

START_TEST(too_many_are_refused)
{
	struct load_request request = { .method = "GET", .target = "/", .weight = 1 };
	struct load_plan plan = closed_plan(NULL, &request, 1, 1);
	struct rlimit limit;
	struct hold *hold;
	struct err err = { 0 };
	ck_assert(http_init(&err) == RC_OK);
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_max >= USERS_MAX)
		return;
	ck_assert(hold_new(&plan, (size_t)limit.rlim_max, &hold, &err) == RC_ENVIRONMENT);
	ck_assert_ptr_null(hold);
	ck_assert_ptr_nonnull(strstr(err.text, "are possible"));
	request.target = "x";
	ck_assert(hold_new(&plan, 1, &hold, &err) == RC_USAGE);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("hold");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, each_kind_of_answer, 0, sizeof kinds / sizeof *kinds);
	tcase_add_test(tests, what_is_late_can_be_given_up);
	tcase_add_test(tests, who_has_heard_is_known);
	tcase_add_test(tests, those_that_end_are_gone);
	tcase_add_test(tests, nothing_is_left);
	tcase_add_test(tests, a_signal_ends_the_wait);
	tcase_add_test(tests, too_many_are_refused);
	Suite *suite = suite_create("http/hold");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failures = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
