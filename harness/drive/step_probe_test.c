#include "drive/drive_testing.h"
#include "drive/prober.h"

#define OK      "HTTP/1.1 200 OK\r\n"
#define TEXT(t) t, sizeof(t) - 1

static const struct scenario scenarios[] = {
	{ "/", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 0, 0, NULL },
	{ "/slow", TEXT(OK "Content-Length: 5\r\n\r\nhello"), AFTER_KEEP, 20, 60, NULL },
	{ "/missing", TEXT("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), AFTER_KEEP, 0, 0,
		NULL },
	{ "/hold", TEXT(""), AFTER_HOLD, 0, 0, NULL },
	{ "/gone", TEXT(""), AFTER_CLOSE, 0, 0, NULL },
	{ "/short", TEXT(OK "Content-Length: 5\r\n\r\nhe"), AFTER_CLOSE, 0, 0, NULL },
	{ "/closes", TEXT(OK "Connection: close\r\nContent-Length: 5\r\n\r\nhello"), AFTER_CLOSE, 0,
		0, NULL },
};

/* %s stands for the options of the one step. */
#define CASE "{\"title\": \"t\", \"steps\": [{%s, \"expect\": {\"probe.count\": \">= 0\"}}]}"
#define IDLE ", \"every\": \"2ms\", \"idle\": \"500ms\""
#define NEVER                                                                                      \
	"!environment the probe was not answered once in 500 ms of idle time, so that there is "   \
	"nothing to compare with"

/* Of the summary, which ends with findings and problems, only those are the same each time. */
static const struct {
	const char *step, *told, *why;
} runs[] = {
	{ "\"probe\": \"/\"" IDLE ", \"while\": [\"/slow\"]", "passed", "answered" },
	{ "\"probe\": \"/closes\"" IDLE ", \"while\": [\"/slow\"]", "passed",
		"a connection for each" },
	{ "\"probe\": {\"get\": \"/missing\", \"expect\": {\"status\": 404}}" IDLE
	  ", \"while\": [\"/slow\"]",
		"passed", "any answer is one, where the case says which" },
	{ "\"probe\": \"/missing\"" IDLE ", \"while\": [\"/slow\"]",
		"failed; /steps/0/probe/expect/status status", "2xx is implied" },
	{ "\"probe\": \"/hold\", \"within\": \"200ms\"" IDLE ", \"while\": [\"/slow\"]",
		"error; " NEVER, "never answered: no ratio of nothing" },
	{ "\"probe\": \"/gone\"" IDLE ", \"while\": [\"/slow\"]", "error; " NEVER, "hung up on" },
	{ "\"probe\": \"/short\"" IDLE ", \"while\": [\"/slow\"]", "error; " NEVER,
		"half an answer is none" },
	{ "\"probe\": \"/\"" IDLE ", \"while\": [{\"exec\": [\"true\"]}]",
		"error; !floor no request of `while` was in flight, so that nothing was probed",
		"nothing that could hold anybody" },
	{ "\"probe\": \"/\"" IDLE ", \"while\": [\"/missing\"]",
		"failed; /steps/0/while/0/expect/status status", "a finding of `while` is one" },
	{ "\"probe\": \"/\"" IDLE ", \"while\": [\"/gone\", \"/slow\"]",
		"failed; /steps/0/while/0 answer", "the steps behind it still run" },
};

/* The outcome's word, and what follows the counts. */
static const char *told(struct bench *b, const struct case_result *r)
{
	const char *all = bench_summary(b, r), *rest = strchr(all, ';');
	return arena_print(b->arena, "%s%s", outcome_word(r->outcome), rest ? rest : "");
}

START_TEST(ends)
{
	struct bench b;
	struct job job;
	bench_open(&b, scenarios, COUNT(scenarios));
	struct case_file *one = bench_load(&b, arena_print(b.arena, CASE, runs[_i].step), "probe");
	bench_run(&b, one, &job);
	const char *found = told(&b, &job.result);
	ck_assert_msg(strcmp(found, runs[_i].told) == 0, "%s: %s", runs[_i].why, found);
	case_free(one);
	arena_free(job.arena);
	bench_close(&b);
}
END_TEST

/* Nothing waits for anything: a probe that takes 60 ms is sent every 5, and each is answered. */
START_TEST(keeps_its_schedule)
{
	struct world w;
	struct err err = { 0 };
	struct prober *prober;
	world_init(&w, scenarios, COUNT(scenarios));
	const struct client_options address = {
		.scheme = "http", .host = "127.0.0.1", .port = w.server.port
	};
	const struct request request = {
		.method = "GET", .target = "/slow", .within_ns = 10 * NS_PER_S
	};
	const struct prober_options options = { &address, &request, 5 * NS_PER_MS, -1 };
	int64_t start_ns = clock_now_ns();
	ck_assert_int_eq(prober_start(&options, &prober, &err), RC_OK);
	usleep(300 * 1000);
	const struct prober_result *result = prober_stop(prober);
	int64_t took_ns = clock_now_ns() - start_ns;
	ck_assert_uint_ge(result->count, 40);
	ck_assert_uint_le(result->count, (size_t)(took_ns / (5 * NS_PER_MS)) + 1);
	ck_assert_uint_eq(prober_answered(prober), result->count);
	ck_assert_ptr_null(result->odd);
	ck_assert_int_eq(result->first->status, 200);
	for (size_t i = 0; i < result->count; i++) {
		const struct probe_sample *sample = &result->samples[i];
		ck_assert_int_ge(sample->sent_ns, sample->due_ns);
		ck_assert_int_ge(sample->end_ns - sample->sent_ns, 60 * NS_PER_MS);
	}
	prober_free(prober);
	world_release(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("probe");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, ends, 0, COUNT(runs));
	tcase_add_test(tests, keeps_its_schedule);
	Suite *suite = suite_create("drive/step_probe");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
